/** Texts in which known values are replaced, so that the rest can be compared. */

/** Stands for the name of the copy in a text that is compared. */
export const OWN = '\u0000';

/** A part of a text: literal characters, or the number of the known value. */
export type Piece = string | number;

const isWord = (char: string | undefined): boolean => char !== undefined && /[A-Za-z0-9]/.test(char);

/** Returns the positions at which a value is in a text as a word of its own. */
function occurrences(text: string, value: string, wholeWords: boolean): number[] {
  const found: number[] = [];
  if (value === '') return found;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const isWhole = !isWord(text[at - 1]) && !isWord(text[at + value.length]);
    if (!wholeWords || isWhole) found.push(at);
  }
  return found;
}

/** Returns a text with a mark for each occurrence of a name. */
export const withOwn = (text: string, name: string): string => {
  const places = occurrences(text, name, true);
  if (places.length === 0) return text;
  let result = '';
  let from = 0;
  for (const at of places) {
    result += text.slice(from, at) + OWN;
    from = at + name.length;
  }
  return result + text.slice(from);
};

/** Splits the literal parts of a text at a value. */
export function splitAt(pieces: readonly Piece[], value: string, mark: number, wholeWords: boolean): Piece[] {
  return pieces.flatMap((piece): Piece[] => {
    if (typeof piece === 'number') return [piece];
    const parts: Piece[] = [];
    let from = 0;
    for (const at of occurrences(piece, value, wholeWords)) {
      if (at > from) parts.push(piece.slice(from, at));
      parts.push(mark);
      from = at + value.length;
    }
    if (from < piece.length) parts.push(piece.slice(from));
    return parts;
  });
}

export const countMarks = (pieces: readonly Piece[], mark: number): number =>
  pieces.filter((piece) => piece === mark).length;

/** Reports whether texts in pieces are equal. */
export const samePieces = (a: readonly Piece[], b: readonly Piece[]): boolean =>
  a.length === b.length && a.every((piece, index) => piece === b[index]);

/** The part that differs between texts, and what is before and after it in all of them. */
export interface Gap {
  readonly before: readonly Piece[];
  readonly middles: readonly string[];
  readonly after: readonly Piece[];
}

/** Finds the one literal part that differs between texts; it begins and ends where a word does. */
export function gapOf(texts: readonly (readonly Piece[])[]): Gap | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  let start = 0;
  while (texts.every((pieces) => start < pieces.length && pieces[start] === first[start])) start += 1;
  let end = 0;
  const last = (pieces: readonly Piece[]): Piece | undefined => pieces[pieces.length - 1 - end];
  while (texts.every((pieces) => end < pieces.length - start && last(pieces) === last(first))) end += 1;
  const middles = texts.map((pieces) => pieces.slice(start, pieces.length - end));
  if (middles.some((middle) => middle.length > 1 || typeof middle[0] === 'number')) return undefined;
  const rest = middles.map(([middle = '']) => String(middle));
  const before = commonStart(rest);
  const shortened = rest.map((text) => text.slice(before.length));
  const after = commonEnd(shortened);
  const values = shortened.map((text) => text.slice(0, text.length - after.length));
  return {
    before: [...first.slice(0, start), ...(before === '' ? [] : [before])],
    middles: values,
    after: [...(after === '' ? [] : [after]), ...first.slice(first.length - end)],
  };
}

/** Reports whether a position is before or after the dot of a number or a version, such as `0.5`. */
function isInNumber(text: string, at: number): boolean {
  const isDigit = (char: string | undefined): boolean => char !== undefined && /\d/.test(char);
  if (text[at] === '.') return isDigit(text[at - 1]) && isDigit(text[at + 1]);
  return text[at - 1] === '.' && isDigit(text[at - 2]) && isDigit(text[at]);
}

/** Returns the longest common start of texts that ends before a word. */
export function commonStart(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = 0;
  while (length < first.length && texts.every((text) => text[length] === first[length])) length += 1;
  const splitsWord = (): boolean =>
    texts.some((text) => (isWord(first[length - 1]) && isWord(text[length])) || isInNumber(text, length));
  while (length > 0 && splitsWord()) length -= 1;
  return first.slice(0, length);
}

/** Returns the longest common end of texts that begins after a word. */
function commonEnd(texts: readonly string[]): string {
  const [first = ''] = texts;
  const from = (text: string, length: number): string | undefined => text[text.length - length];
  let length = 0;
  while (
    length < first.length &&
    texts.every((text) => text.length > length && from(text, length + 1) === from(first, length + 1))
  ) {
    length += 1;
  }
  const splitsWord = (): boolean =>
    texts.some(
      (text) =>
        (isWord(from(first, length)) && isWord(from(text, length + 1))) || isInNumber(text, text.length - length),
    );
  while (length > 0 && splitsWord()) length -= 1;
  return first.slice(first.length - length);
}
