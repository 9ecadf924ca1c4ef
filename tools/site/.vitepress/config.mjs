import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { searchOptions } from '../search.mjs';

const { sidebar } = JSON.parse(readFileSync(new URL('../pages/site.json', import.meta.url), 'utf8'));

/** Anchors are those of GitHub, so that a link leads to the same heading in both. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Pages are texts: two braces in them are no expression of Vue. */
function withoutInterpolation(md) {
  for (const name of ['text', 'code_inline']) {
    const write = md.renderer.rules[name];
    md.renderer.rules[name] = (...given) => write(...given).replaceAll('{{', '&#123;&#123;');
  }
}

export default defineConfig({
  title: 'render-rgd',
  description: 'Renders kro ResourceGraphDefinitions and their instances into plain Kubernetes objects',
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'pages',
  outDir: '../../dist-site',
  lastUpdated: false,
  ignoreDeadLinks: [/^(?:\.\.?\/)*playground\//],
  markdown: { anchor: { slugify }, config: withoutInterpolation },
  themeConfig: {
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
    socialLinks: [{ icon: 'github', link: 'https://github.com/render-rgd/render-rgd' }],
  },
});
