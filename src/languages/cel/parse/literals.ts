import { isInt64, MAX_UINT64 } from '../../../core/text/go-numbers.ts';
import { ESCAPED_CHARACTERS } from '../../../core/text/go-text.ts';
import { utf8 } from '../../../core/text/utf8.ts';
import type { LiteralValue } from '../ast.ts';
import { CelSyntaxError, type Token } from './lexer.ts';

/** Returns the value of a number, string or bytes token; `negative` for a minus sign that belongs to it. */
export function readLiteral(token: Token, negative: boolean): LiteralValue {
  const { kind: type, text, offset } = token;
  if (type === 'bytes') return { type, value: readBytes(token) };
  if (type !== 'int' && type !== 'uint' && type !== 'double') return { type: 'string', value: readString(token) };
  const invalid = (): Error => new CelSyntaxError(`invalid ${type} literal`, offset);
  if (type === 'double') {
    const value = Number(text);
    if (!Number.isFinite(value)) throw invalid();
    return { type, value: negative ? -value : value };
  }
  const size = BigInt(type === 'uint' ? text.slice(0, -1) : text);
  const value = negative ? -size : size;
  if (type === 'int' ? !isInt64(value) : value > MAX_UINT64) throw invalid();
  return { type, value };
}

interface Body {
  text: string;
  raw: boolean;
  /** Where the body starts in the source. */
  offset: number;
}

/** The text between the quotes, with line ends as `\n` (as in cel-go). */
function bodyOf(token: Token): Body {
  const [start = '', , raw = '', quote = ''] = /^([bB]?)([rR]?)("""|'''|"|')/.exec(token.text) ?? [];
  const inner = token.text.slice(start.length, -quote.length);
  return { text: inner.replace(/\r\n?/g, '\n'), raw: raw !== '', offset: token.offset + start.length };
}

const ESCAPE = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv"'`?\\]))/y;

/** Splits a body into plain texts and escapes; `code` is set for escapes of a character or byte. */
function* pieces(body: Body): Generator<{ text: string } | { code: number; byte: boolean; offset: number }> {
  const { text } = body;
  let position = 0;
  while (position < text.length) {
    const next = body.raw ? -1 : text.indexOf('\\', position);
    if (next !== position) {
      const end = next < 0 ? text.length : next;
      yield { text: text.slice(position, end) };
      position = end;
      continue;
    }
    ESCAPE.lastIndex = position;
    const found = ESCAPE.exec(text);
    const offset = body.offset + position;
    if (found === null)
      throw new CelSyntaxError(`invalid escape sequence: ${text.slice(position, position + 2)}`, offset);
    const [whole, hex, short, long, octal, simple] = found;
    if (simple !== undefined) yield { text: ESCAPED_CHARACTERS[simple] ?? simple };
    else if (octal !== undefined) yield { code: Number.parseInt(octal, 8), byte: true, offset };
    else yield { code: Number.parseInt(hex ?? short ?? long ?? '', 16), byte: hex !== undefined, offset };
    position += whole.length;
  }
}

function readString(token: Token): string {
  let value = '';
  for (const piece of pieces(bodyOf(token)))
    value += 'text' in piece ? piece.text : character(piece.code, piece.offset);
  return value;
}

function character(code: number, offset: number): string {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw new CelSyntaxError('invalid unicode code point', offset);
  }
  return String.fromCodePoint(code);
}

function readBytes(token: Token): Uint8Array {
  const bytes: number[] = [];
  for (const piece of pieces(bodyOf(token))) {
    if ('text' in piece) for (const byte of utf8(piece.text)) bytes.push(byte);
    else if (piece.byte) bytes.push(piece.code);
    else throw new CelSyntaxError('bytes literals cannot hold \\u escapes; write the character itself', piece.offset);
  }
  return Uint8Array.from(bytes);
}
