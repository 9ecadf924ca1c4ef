/** A code span: backticks, and the same number after it. */
const CODE = /(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g;
/** Links may lead to other pages, but not run code. */
const SAFE_TARGET = /^(https?:\/\/|mailto:|#|\.{0,2}\/|[\w-]+(\.[\w-]+)*([/?#]|$))/i;

/**
 * Sanitizes the Markdown of an author for one line of a table: emphasis, code, lists as text and links are kept. HTML
 * is escaped, pictures become links, and links to other targets than pages become text.
 */
export function sanitized(markdown: string): string {
  const line = markdown.trim().replace(/[ \t]*(\r\n?|\n)[ \t]*/g, '<br>');
  let written = '';
  let at = 0;
  for (const match of line.matchAll(CODE)) {
    written += plainPart(line.slice(at, match.index)) + match[0].replaceAll('<br>', ' ').replaceAll('|', '\\|');
    at = match.index + match[0].length;
  }
  return written + plainPart(line.slice(at));
}

const plainPart = (text: string): string =>
  text
    .split('<br>')
    .map((part) =>
      part
        .replace(/&(?=#?\w+;)/g, '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replace(/(?<!\\)\|/g, '\\|')
        .replaceAll('![', '[')
        .replace(/\]\(\s*([^)\s]*)/g, (whole, target: string) => (SAFE_TARGET.test(target) ? whole : '\\](')),
    )
    .join('<br>');
