import { ownValue } from '../../../core/model/value.ts';
import { isInt64, MAX_UINT64, parseFloatText, parseIntText } from '../../../core/text/go-numbers.ts';
import { ESCAPED_CHARACTERS } from '../../../core/text/go-text.ts';
import { runeBytes, toBytes } from '../bytes.ts';

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

/** Reports whether a constant is a float without an expected type. */
export function isFloatConstant({ text, float }: NumberConstant): boolean {
  const hexadecimal = /^0[xX]/.test(text) && text.length > 2 && !/[pP]/.test(text);
  return float !== undefined && !hexadecimal && !text.startsWith("'") && /[.eEpP]/.test(text);
}

// Literals in quotes.

const ESCAPE = String.raw`\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv\\"']))`;
const ESCAPES = new RegExp(`${ESCAPE}|\\\\`, 'g');
const CHARACTER = new RegExp(`^'(?:${ESCAPE}|[^\\\\'])`, 'u');

/** Returns the bytes of a literal in `"` or `` ` ``, as Go reads it; `undefined` for an invalid escape. */
export function unquote(literal: string): string | undefined {
  const body = toBytes(literal.slice(1, -1));
  if (literal.startsWith('`')) return body.replaceAll('\r', '');
  let isValid = true;
  const text = body.replace(ESCAPES, (_, ...groups: Groups) => {
    const read = readEscape(groups, '"');
    isValid &&= read !== undefined;
    return read?.bytes ?? '';
  });
  return isValid ? text : undefined;
}

function readChar(text: string): NumberConstant | string {
  const [whole = '', ...groups] = CHARACTER.exec(text) ?? [];
  const isPlain = groups.every((group) => group === undefined);
  const rune = isPlain ? whole.codePointAt(1) : readEscape(groups, "'")?.rune;
  if (rune === undefined) return 'invalid syntax';
  if (text.slice(whole.length) !== "'") return `malformed character constant: ${text}`;
  return { text, int: BigInt(rune), float: rune };
}

type Groups = readonly (string | undefined)[];

/** Returns what an escape stands for, and its bytes in a string: `\xff` is a byte, not a code point. */
function readEscape([byte, short, long, octal, simple]: Groups, quote: string) {
  if (simple !== undefined) {
    const bytes = simple === quote ? quote : ownValue(ESCAPED_CHARACTERS, simple);
    return bytes === undefined ? undefined : { rune: bytes.charCodeAt(0), bytes };
  }
  const rune = octal === undefined ? Number.parseInt(byte ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
  if (!(rune <= 0x10ffff) || (rune >= 0xd800 && rune < 0xe000)) return undefined;
  return { rune, bytes: short === undefined && long === undefined ? String.fromCharCode(rune) : runeBytes(rune) };
}
