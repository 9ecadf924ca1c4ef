import { resolvePlain, type Scalar } from '../../core/text/plain-scalar.ts';

// The characters of plain documents, by code.
export const BREAK = 0x0a;
export const BLANK = 0x20;
export const DOUBLE = 0x22;
export const HASH = 0x23;
export const SINGLE = 0x27;
export const DASH = 0x2d;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const BRACKET = 0x5b;
export const BRACE = 0x7b;
export const BAR = 0x7c;
export const END_BRACKET = 0x5d;
export const END_BRACE = 0x7d;
const BACKSLASH = 0x5c;

/** The first characters of a plain scalar; a dash too if no space follows. */
export const isStart = new Uint8Array(128).fill(1, 0x21, 0x7f);
for (const char of '-?:,[]{}#&*!|>\'"%@`') isStart[char.charCodeAt(0)] = 0;
/** The characters of a key without quotes. */
export const isKey = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./$~+()')
  isKey[char.charCodeAt(0)] = 1;

/** Longer keys, and deeper nodes, are left to the parser, which has limits there. */
export const LONGEST_KEY = 200;
export const DEEPEST = 100;

/** Thrown for documents that are left to the parser. */
export const NOT_PLAIN = new Error('not plain');

const SURROGATE = /\p{Surrogate}/u;

/** Returns a quoted text on one line, and its end. Texts may have any length, so no regular expression is used. */
export function quotedAt(text: string, at: number): { value: string; end: number } {
  const isDouble = text.charCodeAt(at) === DOUBLE;
  const last = isDouble ? endOfDouble(text, at) : endOfSingle(text, at);
  if (last < 0 || last > text.indexOf('\n', at)) throw NOT_PLAIN;
  const inner = text.slice(at + 1, last);
  return { value: isDouble ? unescaped(inner) : inner.replaceAll("''", "'"), end: last + 1 };
}

function endOfDouble(text: string, at: number): number {
  const end = text.indexOf('"', at + 1);
  if (end < 0 || !text.slice(at + 1, end).includes('\\')) return end;
  for (let place = at + 1; place < text.length; place++) {
    const char = text.charCodeAt(place);
    if (char === DOUBLE) return place;
    if (char === BREAK) return -1;
    if (char === BACKSLASH) place++;
  }
  return -1;
}

function endOfSingle(text: string, at: number): number {
  let end = text.indexOf("'", at + 1);
  while (end >= 0 && text.charCodeAt(end + 1) === SINGLE) end = text.indexOf("'", end + 2);
  return end;
}

/** YAML has all escapes of JSON; others are left to the parser. */
function unescaped(inner: string): string {
  if (!inner.includes('\\')) return inner;
  let value: string;
  try {
    value = JSON.parse(`"${inner}"`) as string;
  } catch (error) {
    if (error instanceof SyntaxError) throw NOT_PLAIN;
    throw error;
  }
  // Unpaired surrogates are not text.
  if (SURROGATE.test(value)) throw NOT_PLAIN;
  return value;
}

/** Returns the value of a scalar without quotes; one that JSON cannot represent is left to the parser. */
export function plainScalar(text: string): Scalar {
  const value = resolvePlain(text);
  if (typeof value === 'number' && !Number.isFinite(value)) throw NOT_PLAIN;
  return value;
}
