/** A change of a text: the characters from `start` to `end` become `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The approximate number of characters of a piece. */
const PIECE = 65_536;

/**
 * Returns the text with its edits, in pieces of moderate size. Everything else stays byte for byte. Edits at one
 * position are applied in the given order, insertions before a removal.
 * @throws RangeError if two edits overlap
 */
export function withEdits(text: string, edits: readonly Edit[]): string[] {
  const ordered = edits.toSorted((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start));
  const pieces: string[] = [];
  let piece = '';
  let at = 0;
  const add = (part: string): void => {
    piece += part;
    if (piece.length < PIECE) return;
    pieces.push(piece);
    piece = '';
  };
  for (const { start, end, text: changed } of ordered) {
    if (start < at) throw new RangeError(`two changes overlap at ${start}`);
    add(text.slice(at, start));
    add(changed);
    at = end;
  }
  add(text.slice(at));
  pieces.push(piece);
  return pieces;
}
