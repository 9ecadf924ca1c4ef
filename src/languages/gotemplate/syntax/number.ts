import { isInt64, MAX_UINT64, parseFloatText, parseIntText } from '../../../core/text/go-numbers.ts';
import { ESCAPED_CHARACTERS, isPrintable as isPrintableCharacter } from '../../../core/text/go-text.ts';
import { runeAt, runeBytes } from '../bytes.ts';

/** The possible types of a constant. `text` decides its type without an expected one. */
export interface NumberConstant {
  text: string;
  int?: bigint;
  float?: number;
}

/** Parses a constant as Go does. @returns the message if it is invalid */
export function readNumber(text: string, type: 'number' | 'complex' | 'char constant'): NumberConstant | string {
  if (type === 'char constant') return readChar(text);
  if (type === 'complex' || /^[^xX]*i$/.test(text))
    return `imaginary numbers are not supported: ${JSON.stringify(text)}`;
  const integer = parseIntText(text, 0);
  if (integer !== undefined && isInt64(integer)) {
    return { text, int: integer, float: Number(integer) };
  }
  // It only fits an unsigned integer, which no function accepts.
  if (integer !== undefined && integer >= 0n && integer <= MAX_UINT64) return { text, float: Number(integer) };
  const float = parseFloatText(text);
  if (float === undefined || !Number.isFinite(float)) return `illegal number syntax: ${JSON.stringify(text)}`;
  if (!/[.eEpP]/.test(text)) return `integer overflow: ${JSON.stringify(text)}`;
  if (Number.isInteger(float) && Math.abs(float) < 2 ** 63) return { text, float, int: BigInt(float) };
  return { text, float };
}

function readChar(text: string): NumberConstant | string {
  const rune = unquoteChar(text);
  if (rune === undefined) return 'invalid syntax';
  if (rune === 'tail') return `malformed character constant: ${text}`;
  return { text, int: BigInt(rune), float: rune };
}

/** Reports whether a constant is a float without an expected type. */
export function isFloatConstant({ text, float }: NumberConstant): boolean {
  const hexadecimal = /^0[xX]/.test(text) && text.length > 2 && !/[pP]/.test(text);
  return float !== undefined && !hexadecimal && !text.startsWith("'") && /[.eEpP]/.test(text);
}

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

/** Reports characters that Go prints without an escape. */
export const isPrintable = (rune: number): boolean => isPrintableCharacter(String.fromCodePoint(rune));

/** Go's %#U: `U+0040 '@'`. */
export function unicodeName(rune: number): string {
  const code = `U+${Math.max(rune, 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (rune < 0) return 'U+FFFFFFFFFFFFFFFF';
  return isPrintable(rune) ? `${code} '${String.fromCodePoint(rune)}'` : code;
}

// Literals in quotes.

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv\\"']))/y;

/** Returns the text of a literal in `"` or `` ` ``, as Go reads it; `undefined` for an invalid escape. */
export function unquote(literal: string): string | undefined {
  const body = literal.slice(1, -1);
  if (literal.startsWith('`')) return body.replaceAll('\r', '');
  let out = '';
  for (let at = 0; at < body.length; ) {
    const part = unquotePart(body, at, '"');
    if (part === undefined) return undefined;
    out += part.bytes;
    at = part.end;
  }
  return out;
}

/**
 * Returns the code point of a literal in `'`; `undefined` for an invalid escape, `'tail'` for more than one character.
 */
function unquoteChar(literal: string): number | 'tail' | undefined {
  const body = literal.slice(1);
  const part = body.startsWith("'") ? undefined : unquotePart(body, 0, "'");
  if (part === undefined) return undefined;
  return body.slice(part.end) === "'" ? part.rune : 'tail';
}

interface Part {
  rune: number;
  /** Its bytes in a string: `\xff` is a byte, not a code point. */
  bytes: string;
  end: number;
}

function unquotePart(body: string, at: number, quote: string): Part | undefined {
  const char = body.charAt(at);
  if (char === quote || char === '\n') return undefined;
  if (char !== '\\') {
    const { rune, width } = runeAt(body, at);
    return { rune, bytes: body.slice(at, at + width), end: at + width };
  }
  ESCAPE.lastIndex = at;
  const [whole, byte, short, long, octal, simple] = ESCAPE.exec(body) ?? [];
  if (whole === undefined) return undefined;
  const end = at + whole.length;
  if (simple !== undefined) {
    const bytes = simple === quote ? quote : ESCAPED_CHARACTERS[simple];
    return bytes === undefined ? undefined : { rune: bytes.charCodeAt(0), bytes, end };
  }
  const hex = byte ?? short ?? long;
  const rune = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
  if (rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000)) return undefined;
  return { rune, bytes: short === undefined && long === undefined ? String.fromCharCode(rune) : runeBytes(rune), end };
}
