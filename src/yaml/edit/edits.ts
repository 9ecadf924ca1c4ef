/** One change to a text: the characters from `start` to `end` become `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Pieces are handed out when they have about as many characters. */
const PIECE = 65_536;

/**
 * The text with its changes, in pieces of moderate size. Everything between them stays byte for byte. Changes at one
 * place come in the order given, those that only insert before the one that takes something away.
 * @throws RangeError when two of them overlap
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
