import { describe, expect, it } from 'vitest';
import { decodeShared } from '../../playground/state/share.ts';
import { type Known, sidebarOf, siteLink, sitePage } from '../../tools/site/pages.ts';
import { searchOptions } from '../../tools/site/search.mjs';

const known: Known = {
  pages: new Set(['README.md', 'docs/README.md', 'docs/a.md', 'examples/README.md']),
  isFolder: (path) => path === 'examples/argocd',
};
const GITHUB = 'https://github.com/render-rgd/render-rgd';

describe('a link of a page', () => {
  it.each([
    ['a.md#part', 'docs/README.md', './a.md#part'],
    ['../README.md#try-it', 'docs/a.md', '../index.md#try-it'],
    ['docs/README.md', 'README.md', './docs/index.md'],
    ['#here', 'docs/a.md', '#here'],
    ['https://kro.run', 'docs/a.md', 'https://kro.run'],
    ['../examples/argocd', 'docs/a.md', `${GITHUB}/tree/main/examples/argocd`],
    ['../plugin.yaml', 'docs/a.md', `${GITHUB}/blob/main/plugin.yaml`],
    ['images/a.png', 'docs/a.md', 'images/a.png'],
  ])('%s of %s leads to %s', (link, page, found) => expect(siteLink(link, page, known)).toBe(found));
});

const RGD = `# platform/site.yaml
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema:
    apiVersion: v1alpha1
    kind: Site
`;
const SITE = '# apps/blog.yaml\napiVersion: kro.run/v1alpha1\nkind: Site\nmetadata: { name: blog }\n';

describe('a page of the site', () => {
  const page = `# A\n\n[b](../README.md)\n\n\`\`\`yaml\n${RGD}\`\`\`\n\n<!-- sh\nsecret\n-->\n\n\`\`\`yaml\n${SITE}\`\`\`\n\n[c](x)\n`;

  it('opens an RGD with its instances in the playground', async () => {
    const text = await sitePage('docs/a.md', page, known);
    const [, shared = ''] = /href="\.\.\/playground\/index\.html#s=([^"]+)"/.exec(text) ?? [];
    expect((await decodeShared(shared)).files).toEqual([
      { name: 'platform/site.yaml', text: RGD, role: 'objects' },
      { name: 'apps/blog.yaml', text: SITE, role: 'objects' },
    ]);
    expect(text.match(/Open in the playground/g)).toHaveLength(1);
  });

  it('has its blocks as they are, without commands that readers do not see', async () => {
    const text = await sitePage('docs/a.md', page, known);
    expect(text).toContain(`\`\`\`yaml\n${RGD}\`\`\``);
    expect(text).toContain('[b](../index.md)');
    expect(text).toContain(`[c](${GITHUB}/blob/main/docs/x)`);
    expect(text).not.toContain('secret');
  });
});

it('the side bar has the parts and groups of the index', () => {
  const index =
    '# D\n\n## Start\n\n- [A](a.md), [R](../README.md#x)\n\n## Guides\n\nWrite\n\n- [A](a.md)\n\n## Questions\n';
  expect(sidebarOf(index, known)).toEqual([
    {
      text: 'Start',
      collapsed: false,
      items: [
        { text: 'A', link: '/docs/a' },
        { text: 'R', link: '/index#x' },
      ],
    },
    {
      text: 'Guides',
      collapsed: false,
      items: [{ text: 'Write', collapsed: false, items: [{ text: 'A', link: '/docs/a' }] }],
    },
    { text: 'Questions', link: '/docs/#questions' },
  ]);
});

it('the functions of the search work as texts, which VitePress sends to the browser', () => {
  const again = (text: string): ((value: string) => unknown) => new Function(`return ${text}`)();
  expect(again(searchOptions.processTerm.toString())('How')).toBeNull();
  expect(again(searchOptions.processTerm.toString())('Render')).toBe('render');
  expect(again(searchOptions.boostDocument.toString())('/SECURITY.html#a')).toBeLessThan(1);
});
