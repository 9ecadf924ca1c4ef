import type { Text } from '@codemirror/state';

/** Returns the offset of a position in a document; lines and columns count from 1, columns in UTF-16 units. */
export function offsetOf(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(at.from + Math.max(column, 1) - 1, at.to);
}
