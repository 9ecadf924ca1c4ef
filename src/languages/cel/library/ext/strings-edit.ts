/** The string functions that return new strings, with the limits and empty-separator rules of Go's strings package. */

import { NAMED_ESCAPES } from '../../text/quote.ts';
import { kindOf } from '../../value/kind.ts';
import { type CelValue, failure } from '../../value/values.ts';

/** Returns the smaller of limit and number; a negative limit means none. */
const atMost = (limit: bigint, available: number): number =>
  limit < 0n || limit > BigInt(available) ? available : Number(limit);

/** Splits into up to `limit` parts, the last with the rest; none for 0. An empty separator splits into characters. */
export function split(text: string, separator: string, limit = -1n): string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  const wanted = atMost(limit, parts.length);
  if (wanted === parts.length) return parts;
  return [...parts.slice(0, wanted - 1), parts.slice(wanted - 1).join(separator)];
}

/** Replaces up to `limit` matches from the left; the empty string matches before every character and at the end. */
export function replace(text: string, part: string, by: string, limit = -1n): string {
  if (part === '') {
    const places = ['', ...text];
    const count = atMost(limit, places.length);
    return places.map((char, index) => (index < count ? char + by : char)).join('');
  }
  const parts = text.split(part);
  const count = atMost(limit, parts.length - 1);
  return (
    parts.slice(0, count + 1).join(by) +
    parts
      .slice(count + 1)
      .map((rest) => part + rest)
      .join('')
  );
}

/** Returns the maximum length of the result of `replace`. */
export function replaceSize(text: string, part: string, by: string): number {
  const places = part === '' ? text.length + 1 : Math.floor(text.length / part.length);
  return text.length + places * by.length;
}

export function join(list: readonly CelValue[], separator = ''): string {
  for (const item of list) {
    if (typeof item !== 'string') throw failure(`join: invalid input: ${kindOf(item)}`);
  }
  return list.join(separator);
}

export function joinSize(list: readonly CelValue[], separator = ''): number {
  let size = list.length * separator.length;
  for (const item of list) size += typeof item === 'string' ? item.length : 0;
  return size;
}

/** Unicode's White_Space, which Go trims; JavaScript's `trim` uses another set. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const isSpace = (char: string): boolean => LEADING.test(char);

export function trim(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(LEADING, '');
}

export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
export const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (part) => part.toUpperCase());

const BLOCK = 4096;

/** Processes blocks, because a list of all characters takes many times the memory of the text. */
export function reverse(text: string): string {
  let reversed = '';
  for (let end = text.length; end > 0; ) {
    let start = Math.max(0, end - BLOCK);
    // Do not split a surrogate pair.
    if (start > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(start))) start--;
    reversed += [...text.slice(start, end)].reverse().join('');
    end = start;
  }
  return reversed;
}

/** Returns the text as a CEL string literal. */
export function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters with an escape of their own
  return `"${text.replace(/[\u0007-\r\\"]/g, (char) => NAMED_ESCAPES.get(char) ?? char)}"`;
}
