import { isUtf8, runeAt, runeBytes } from '../bytes.ts';
import { isPrintable } from '../syntax/characters.ts';

const NAMED = new Map<number, string>([
  [7, '\\a'],
  [8, '\\b'],
  [12, '\\f'],
  [10, '\\n'],
  [13, '\\r'],
  [9, '\\t'],
  [11, '\\v'],
  [92, '\\\\'],
]);

const UNSAFE = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/;

/** Reports whether a text needs only quotes. */
export const isQuotedAsItIs = (text: string): boolean => !UNSAFE.test(text);

/** Go's strconv.Quote: a literal in `"`; `ascii` escapes all that is not ASCII. */
export function quote(text: string, ascii = false): string {
  if (isQuotedAsItIs(text)) return `"${text}"`;
  let out = '"';
  for (let at = 0; at < text.length; ) {
    const { rune, width } = runeAt(text, at);
    const byte = text.charCodeAt(at);
    out += width === 1 && byte >= 0x80 ? `\\x${hex(byte, 2)}` : escaped(rune, 34, ascii);
    at += width;
  }
  return `${out}"`;
}

/** Go's strconv.QuoteRune: a literal in `'`. */
export const quoteRune = (rune: number, ascii = false): string => `'${escaped(rune, 39, ascii)}'`;

function escaped(rune: number, quoteMark: number, ascii: boolean): string {
  if (rune === quoteMark) return `\\${String.fromCharCode(rune)}`;
  const named = NAMED.get(rune);
  if (named !== undefined) return named;
  if (isPrintable(rune) && (!ascii || rune < 0x80)) return runeBytes(rune);
  if (rune < 32 || rune === 127) return `\\x${hex(rune, 2)}`;
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

/** Reports whether a text can be a literal in `` ` ``. */
export function canBackquote(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be found
  return !/[\x00-\x08\x0a-\x1f\x7f`]/.test(text) && isUtf8(text) && !text.includes('\xef\xbb\xbf');
}

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');
