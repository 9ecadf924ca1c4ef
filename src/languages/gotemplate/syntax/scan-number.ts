import { charAt, isAlphaNumeric } from './characters.ts';

const BASE =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;

/** Returns the end of a number that starts at a byte; no type if it continues with an invalid character. */
export function scanNumber(text: string, start: number): { end: number; type?: 'number' | 'complex' } {
  const first = scanPart(text, start);
  if (!first.good) return { end: first.end };
  const sign = text[first.end];
  if (sign !== '+' && sign !== '-') return { end: first.end, type: 'number' };
  const second = scanPart(text, first.end);
  if (!second.good || text[second.end - 1] !== 'i') return { end: second.end };
  return { end: second.end, type: 'complex' };
}

function scanPart(text: string, start: number): { end: number; good: boolean } {
  BASE.lastIndex = start;
  BASE.test(text);
  const end = Math.max(BASE.lastIndex, start);
  const { rune, width } = charAt(text, end);
  return rune >= 0 && isAlphaNumeric(rune) ? { end: end + width, good: false } : { end, good: true };
}
