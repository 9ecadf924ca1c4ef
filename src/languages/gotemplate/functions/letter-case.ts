/** Upper and lower case of single characters, as in Go: one character stays one. */

function single(rune: number, text: string): number {
  const code = text.codePointAt(0) ?? rune;
  return text.length === (code > 0xffff ? 2 : 1) ? code : rune;
}

const isAsciiLetter = (rune: number): boolean => (rune | 32) >= 97 && (rune | 32) <= 122;

export function upperRune(rune: number): number {
  if (rune < 0x80) return isAsciiLetter(rune) ? rune & ~32 : rune;
  return single(rune, String.fromCodePoint(rune).toUpperCase());
}

export function lowerRune(rune: number): number {
  if (rune < 0x80) return isAsciiLetter(rune) ? rune | 32 : rune;
  // Elsewhere the lower case of the dotted capital I has two characters.
  return rune === 0x130 ? 0x69 : single(rune, String.fromCodePoint(rune).toLowerCase());
}

/** Digraphs with a separate title case: DZ, LJ, NJ. */
const TITLES = new Map([
  [0x1c4, 0x1c5],
  [0x1c5, 0x1c5],
  [0x1c6, 0x1c5],
  [0x1c7, 0x1c8],
  [0x1c8, 0x1c8],
  [0x1c9, 0x1c8],
  [0x1ca, 0x1cb],
  [0x1cb, 0x1cb],
  [0x1cc, 0x1cb],
  [0x1f1, 0x1f2],
  [0x1f2, 0x1f2],
  [0x1f3, 0x1f2],
]);

/** Georgian capitals are not used as initial letters. */
const isGeorgian = (rune: number): boolean => rune >= 0x10d0 && rune <= 0x10ff;

export const titleRune = (rune: number): number => TITLES.get(rune) ?? (isGeorgian(rune) ? rune : upperRune(rune));
