/** A position in a text; both count from 1, columns in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

export interface Location extends Position {
  file: string;
}

/** The lines of a text. They end with `\n`, `\r\n` or `\r`, and count from 1. */
export interface LineIndex {
  /** Returns the line and the column of an offset. */
  position(offset: number): Position;
  /** Returns where a line starts. */
  offset(line: number): number;
  /** Returns the text of a line without its line break. */
  lineText(line: number): string;
}

/** Returns the index of a text, which is scanned only as far as needed. */
export function createLineIndex(text: string): LineIndex {
  const starts = [0];
  const breaks = /\r\n?|\n/g;
  /** Continues until the next line starts after an offset, or enough lines are known. */
  const extend = (offset: number, lines: number): void => {
    while ((starts.at(-1) as number) <= offset || starts.length < lines) {
      breaks.lastIndex = starts.at(-1) as number;
      if (!breaks.test(text)) return;
      starts.push(breaks.lastIndex);
    }
  };
  const startAt = (index: number): number => starts[index] as number;
  const offset = (line: number): number => {
    extend(-1, line);
    return starts[line - 1] ?? text.length;
  };
  return {
    position(offset: number): Position {
      extend(offset, 0);
      const line = Math.max(1, countUpTo(offset, starts.length, startAt));
      return { line, column: offset - startAt(line - 1) + 1 };
    },
    offset,
    lineText(line: number): string {
      const start = offset(line);
      let end = offset(line + 1);
      while (end > start && '\r\n'.includes(text.charAt(end - 1))) end--;
      return text.slice(start, end);
    },
  };
}

/** Counts how many of ascending numbers, read by their index, are at most `bound`. */
export function countUpTo(bound: number, length: number, at: (index: number) => number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
