import { goEscaped } from '../../../core/text/go-text.ts';

/** Formats a string as Go's `%q`, for error messages. */
export const goQuote = (text: string): string => `"${Array.from(text, (char) => goEscaped(char, '"')).join('')}"`;

/** Strings counted in code points, as in CEL; texts without surrogates use a fast path. */

const SURROGATE = /[\uD800-\uDFFF]/;

const isNarrow = (text: string): boolean => !SURROGATE.test(text);

/** The number of code points. */
export function pointCount(text: string): number {
  if (isNarrow(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Returns the UTF-16 position of the code point at an index; the length of the text for the index after the last. */
export function unitOf(text: string, index: number): number {
  if (isNarrow(text)) return index;
  let unit = 0;
  for (let point = 0; point < index; point++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

/** Returns the code points from `start` up to, not including, `end`. */
export const slicePoints = (text: string, start: number, end: number): string =>
  text.slice(unitOf(text, start), unitOf(text, end));

/** Returns the number of code points before a UTF-16 position. */
export const pointOf = (text: string, unit: number): number => pointCount(text.slice(0, unit));
