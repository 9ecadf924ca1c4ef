import { runeAt } from '../bytes.ts';

/** Returns the character at a byte of a template: `rune` is -1 at its end. */
export const charAt = (text: string, at: number): { rune: number; width: number } =>
  at >= text.length ? { rune: -1, width: 0 } : runeAt(text, at);

export const isSpace = (rune: number): boolean => rune === 32 || rune === 9 || rune === 13 || rune === 10;

const WORD = /^[\p{L}\p{Nd}]$/u;

/** Reports letters, digits and `_`, as in Go identifiers. */
export function isAlphaNumeric(rune: number): boolean {
  if (rune < 0x80) {
    return (rune >= 97 && rune <= 122) || (rune >= 65 && rune <= 90) || (rune >= 48 && rune <= 57) || rune === 95;
  }
  return WORD.test(String.fromCodePoint(rune));
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Reports characters that Go prints without an escape. */
export function isPrintable(rune: number): boolean {
  return rune < 0x80 ? rune >= 32 && rune < 127 : PRINTABLE.test(String.fromCodePoint(rune));
}

/** Go's %#U: `U+0040 '@'`. */
export function unicodeName(rune: number): string {
  const code = `U+${Math.max(rune, 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (rune < 0) return 'U+FFFFFFFFFFFFFFFF';
  return isPrintable(rune) ? `${code} '${String.fromCodePoint(rune)}'` : code;
}
