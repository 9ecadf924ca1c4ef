import { blocksOf } from './page.ts';

/** A page without its fenced blocks. */
export function proseOf(markdown: string): string {
  const fenced = blocksOf(markdown);
  const lines = markdown.split('\n');
  for (const { line, text } of fenced) lines.fill('', line - 1, line + text.split('\n').length);
  return lines.join('\n');
}

/** Returns the links of a page as they are written. */
export const linksOf = (markdown: string): string[] =>
  [...proseOf(markdown).matchAll(/\]\(\s*([^)\s]+)\s*\)/g)].map(([, link]) => link as string);

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf(markdown: string): string[] {
  const seen = new Map<string, number>();
  const named = [...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  const headings = [...proseOf(markdown).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return [...headings, ...named];
}

/** Returns the project files that the prose of a page names by path. */
export const filesOf = (markdown: string): string[] =>
  [...proseOf(markdown).matchAll(/(?<![\w/.@-])(?:src|test|bench|docs|tools|examples)\/[\w/.-]*\w/g)].map(
    ([path]) => path,
  );
