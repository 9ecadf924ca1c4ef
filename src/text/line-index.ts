import { countUpTo } from './ascending.ts';

/** A place in a text; both count from 1, columns in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

export interface LineIndex {
  position(offset: number): Position;
  /** Where a line, counted from 1, starts. */
  offset(line: number): number;
  /** The text of a line, counted from 1, without its line break. */
  lineText(line: number): string;
}

export function createLineIndex(text: string): LineIndex {
  const starts = [0];
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length);
  const startAt = (index: number): number => starts[index] as number;
  const offset = (line: number): number => starts[line - 1] ?? text.length;
  return {
    position(offset) {
      const line = Math.max(1, countUpTo(offset, starts.length, startAt));
      return { line, column: offset - startAt(line - 1) + 1 };
    },
    offset,
    lineText(line) {
      const start = offset(line);
      let end = offset(line + 1);
      while (end > start && '\r\n'.includes(text.charAt(end - 1))) end--;
      return text.slice(start, end);
    },
  };
}
