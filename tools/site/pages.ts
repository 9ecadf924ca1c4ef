import { posix } from 'node:path';
import { encodeShared } from '../../playground/state/share.ts';
import { type Block, blocksOf, fileOf } from '../../test/docs-run/page.ts';

const { dirname, join, relative } = posix;

const REPOSITORY = 'https://github.com/render-rgd/render-rgd';

/** Returns the path of a page in the site: a README is the index of its folder. */
export const sitePath = (path: string): string => path.replace(/(^|\/)README\.md$/, '$1index.md');

/** What a page needs to know of the repository. */
export interface Known {
  /** The paths of all pages. */
  pages: ReadonlySet<string>;
  isFolder(path: string): boolean;
}

/** Returns where a link of a page leads in the site; files that are no pages are on GitHub. */
export function siteLink(link: string, page: string, { pages, isFolder }: Known): string {
  if (/^(?:\w+:|#)/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = join(dirname(page), path).replace(/\/$/, '');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (pages.has(target)) {
    const found = relative(dirname(sitePath(page)), sitePath(target));
    return `${found.startsWith('.') ? found : `./${found}`}${hash}`;
  }
  if (/\.(?:png|svg)$/.test(target)) return link;
  return `${REPOSITORY}/${isFolder(target) ? 'tree' : 'blob'}/main/${target}${hash}`;
}

/** Returns a page as the site has it: links that stay in it, and examples that open in the playground. */
export async function sitePage(page: string, markdown: string, known: Known): Promise<string> {
  const blocks = blocksOf(markdown);
  const lines = markdown.split('\n');
  const out: string[] = [];
  let at = 0;
  for (const block of blocks) {
    const end = block.line + block.text.split('\n').length - 1;
    out.push(proseOf(lines.slice(at, block.line - 1), page, known));
    // Commands that readers do not see are a comment.
    const isComment = lines[block.line - 1] === '<!-- sh';
    if (!isComment) out.push(lines.slice(block.line - 1, end + 1).join('\n'));
    const link = isComment ? undefined : await playgroundLink(block, blocks, page);
    if (link !== undefined) out.push(link);
    at = end + 1;
  }
  out.push(proseOf(lines.slice(at), page, known));
  return out.join('\n');
}

function proseOf(lines: readonly string[], page: string, known: Known): string {
  const text = lines.join('\n').replace(/<!--[\s\S]*?-->/g, '');
  return text.replace(/\]\(\s*([^)\s]+)\s*\)/g, (_, link: string) => `](${siteLink(link, page, known)})`);
}

const RGD = /^kind: ResourceGraphDefinition$/m;

/** Returns a link that opens an RGD of a page, with the instances of it that the page has, in the playground. */
async function playgroundLink(block: Block, blocks: readonly Block[], page: string): Promise<string | undefined> {
  const name = fileOf(block);
  const kind = /^ {4}kind: (\w+)$/m.exec(block.text)?.[1];
  if (name === undefined || kind === undefined || !RGD.test(block.text)) return undefined;
  const isInstance = new RegExp(`^kind: ${kind}$`, 'm');
  const others = blocks.filter((one) => one !== block && fileOf(one) !== undefined && !RGD.test(one.text));
  const instances = others.filter(({ text }) => isInstance.test(text) && /^apiVersion: /m.test(text));
  const files = [block, ...instances].map((one) => ({
    name: fileOf(one) ?? '',
    text: one.text,
    role: 'objects' as const,
  }));
  const names = files.map((file) => file.name);
  const once = files.filter((file, index) => names.indexOf(file.name) === index);
  const shared = await encodeShared({ files: once, options: {} });
  const folder = relative(dirname(sitePath(page)), 'playground');
  return `\n<a href="${folder}/index.html#s=${shared}" target="_blank" rel="noopener">Open in the playground</a>\n`;
}

interface Item {
  text: string;
  link?: string;
  items?: Item[];
  collapsed?: boolean;
}

/** Returns the side bar of the site: the parts and the links of docs/README.md. */
export function sidebarOf(index: string, known: Known): Item[] {
  const parts: Item[] = [];
  let group: Item[] = [];
  for (const line of index.split('\n')) {
    const heading = /^## (.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      group = [];
      parts.push({ text: heading, items: group, collapsed: false });
      continue;
    }
    const part = parts.at(-1);
    if (part === undefined) continue;
    if (/^[A-Z][a-z ]*$/.test(line)) {
      group = [];
      part.items?.push({ text: line, items: group, collapsed: false });
    }
    if (!line.startsWith('- ')) continue;
    for (const [, text = '', link = ''] of line.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)) {
      const found = siteLink(link, 'docs/README.md', known);
      group.push({ text, link: /^\w+:/.test(found) ? found : `/${join('docs', found).replace(/\.md(?=#|$)/, '')}` });
    }
  }
  const questions = { text: 'Questions', link: '/docs/#questions' };
  return [...parts.filter(({ text }) => text !== 'Questions'), questions];
}
