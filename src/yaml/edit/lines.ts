const isBreak = (char: string | undefined): boolean => char === '\n' || char === '\r';

/** Where the line of an offset starts. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isBreak(text[at - 1])) at--;
  return at;
}

/** Where the line of an offset ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isBreak(text[at])) at++;
  return at;
}

/** Where the next line starts; the end of the text when there is none. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : Math.min(end + 1, text.length);
}

/** How far an offset is from the start of its line; a byte order mark is not part of the line. */
export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return offset - start - (text[start] === '\uFEFF' ? 1 : 0);
}

/** The line break that a text uses: that of its first line. */
export const lineBreakOf = (text: string): string => /\r\n?|\n/.exec(text)?.[0] ?? '\n';

/**
 * Where a new line can be behind a block node that ends at `end`: behind the rest of its line, and behind comments
 * that are indented deeper than `column`, which belong to the node.
 */
export function behindNode(text: string, end: number, column: number): number {
  let at = isLineStart(text, end) ? end : nextLine(text, end);
  for (let line = at; line < text.length; line = nextLine(text, line)) {
    const comment = /^[ \t]*(?:(#)|(?=[\r\n]|$))/.exec(text.slice(line, lineEnd(text, line)));
    if (comment === null || (comment[1] !== undefined && comment[0].length - 1 <= column)) break;
    if (comment[1] !== undefined) at = nextLine(text, line);
  }
  return at;
}

export const isLineStart = (text: string, offset: number): boolean => offset === 0 || isBreak(text[offset - 1]);
