const isBreak = (char: string | undefined): boolean => char === '\n' || char === '\r';

/** Returns the start of the line of an offset. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isBreak(text[at - 1])) at--;
  return at;
}

/** Returns the end of the line of an offset, before its line break. */
function lineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isBreak(text[at])) at++;
  return at;
}

/** Returns the start of the next line; the end of the text if there is none. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : Math.min(end + 1, text.length);
}

/** Returns the column of an offset; a byte order mark is not part of the line. */
export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return offset - start - (text[start] === '\uFEFF' ? 1 : 0);
}

/** Returns the line break of the first line. */
export const lineBreakOf = (text: string): string => /\r\n?|\n/.exec(text)?.[0] ?? '\n';

/**
 * Returns the position of a new line after a block node that ends at `end`: after the rest of its line, and after
 * comments that are indented deeper than `column`, which belong to the node.
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
