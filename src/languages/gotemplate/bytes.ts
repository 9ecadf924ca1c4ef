import { packed } from '../../core/encoding/base64.ts';
import { utf8 } from '../../core/text/utf8.ts';

/**
 * Go's strings are bytes, which templates can observe: `len`, `trunc`, `index` and the order of keys count and compare
 * bytes. In this folder a string has one byte in each of its characters (U+0000 to U+00FF), so that JavaScript's
 * functions return Go's results. `toBytes` converts input and `fromBytes` output; ASCII does not change.
 */

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Returns the UTF-8 bytes of a text; unpaired surrogates become U+FFFD. */
export function toBytes(text: string): string {
  return isAscii(text) ? text : packed(utf8(text));
}

/** Returns the text of bytes; each invalid byte becomes U+FFFD. */
export function fromBytes(text: string): string {
  if (isAscii(text)) return text;
  let out = '';
  for (let at = 0; at < text.length; ) {
    const start = at;
    while (at < text.length && text.charCodeAt(at) < 0x80) at++;
    out += text.slice(start, at);
    if (at === text.length) break;
    const { rune, width } = runeAt(text, at);
    out += String.fromCodePoint(rune);
    at += width;
  }
  return out;
}

export const isAscii = (text: string): boolean => !BEYOND_ASCII.test(text);

export function isUtf8(text: string): boolean {
  if (isAscii(text)) return true;
  for (let at = 0; at < text.length; ) {
    const { rune, width } = runeAt(text, at);
    if (rune === REPLACEMENT && width === 1) return false;
    at += width;
  }
  return true;
}

export const REPLACEMENT = 0xfffd;

/** Returns the code point that starts at a byte; U+FFFD of width 1 for invalid UTF-8. */
export function runeAt(text: string, at: number): { rune: number; width: number } {
  const first = text.charCodeAt(at);
  if (first < 0x80) return { rune: first, width: 1 };
  const bad = { rune: REPLACEMENT, width: 1 };
  const length = first >= 0xc2 && first < 0xe0 ? 2 : first < 0xf0 && first >= 0xe0 ? 3 : first < 0xf5 ? 4 : 0;
  if (first < 0xc2 || length === 0 || at + length > text.length) return bad;
  let rune = first & (0xff >> (length + 1));
  for (let i = 1; i < length; i++) {
    const next = text.charCodeAt(at + i);
    if ((next & 0xc0) !== 0x80) return bad;
    rune = (rune << 6) | (next & 0x3f);
  }
  const tooShort = rune < (length === 3 ? 0x800 : length === 4 ? 0x10000 : 0x80);
  if (tooShort || rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000)) return bad;
  return { rune, width: length };
}

/** Returns the UTF-8 of a code point; U+FFFD for an invalid one. */
export function runeBytes(rune: number): string {
  if (rune >= 0 && rune < 0x80) return String.fromCharCode(rune);
  if (rune >= 0x80 && rune < 0x800) return String.fromCharCode(0xc0 | (rune >> 6), 0x80 | (rune & 0x3f));
  const valid = rune >= 0 && rune <= 0x10ffff && !(rune >= 0xd800 && rune < 0xe000);
  return toBytes(String.fromCodePoint(valid ? rune : REPLACEMENT));
}

export function runeCount(text: string): number {
  if (isAscii(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at += runeAt(text, at).width) count++;
  return count;
}

/** Applies a function to every code point, with its position and its number of bytes. */
export function mapRunes(text: string, change: (rune: number, at: number, width: number) => string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const { rune, width } = runeAt(text, at);
    out += change(rune, at, width);
    at += width;
  }
  return out;
}

/** Invalid UTF-8 bytes as unpaired surrogates: 0x80 is U+DC80. */
const HALF = 0xdc00;

/** Does the same as `fromBytes`, and keeps invalid bytes. */
export function fromBytesWithHalves(bytes: string): string {
  if (isUtf8(bytes)) return fromBytes(bytes);
  return mapRunes(bytes, (rune, at, width) => {
    const byte = bytes.charCodeAt(at);
    return width === 1 && byte >= 0x80 ? String.fromCharCode(HALF + byte) : String.fromCodePoint(rune);
  });
}

export const toBytesWithHalves = (text: string): string =>
  text
    .split(/(\p{Surrogate})/u)
    .map((part) => (/^\p{Surrogate}$/u.test(part) ? String.fromCharCode(part.charCodeAt(0) - HALF) : toBytes(part)))
    .join('');
