import { packed } from '../../../core/encoding/base64.ts';
import { ownValue } from '../../../core/model/value.ts';
import { isInt64, MAX_UINT64 } from '../../../core/text/go-numbers.ts';
import { ESCAPED_CHARACTERS } from '../../../core/text/go-text.ts';
import { utf8 } from '../../../core/text/utf8.ts';
import { children, type Expr, type LiteralValue, type Parts } from '../ast.ts';
import { CelSyntaxError, type Token, type TokenStream } from './lexer.ts';

/** The maximum height of a syntax tree, including chains of operators, which limits later steps. */
const MAX_HEIGHT = 1000;

export interface Parser {
  readonly tokens: TokenStream;
  /** Missing parts become holes, names or fields that are ''. */
  readonly recovers: boolean;
  depth: number;
  nodes: number;
}

/** Creates a node that ends with the last token that was read. */
export function make(p: Parser, offset: number, parts: Parts, start = offset): Expr {
  let height = 1;
  for (const part of children(parts)) height = Math.max(height, part.height + 1);
  if (height > MAX_HEIGHT) throw new CelSyntaxError(`expression is nested too deeply (limit ${MAX_HEIGHT})`, offset);
  return { id: p.nodes++, offset, start, end: p.tokens.end(), height, ...parts };
}

export const operation = (p: Parser, offset: number, name: string, args: readonly Expr[], start = offset): Expr =>
  make(p, offset, { kind: 'call', name, target: undefined, args }, start);

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

const ESCAPE = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv"'`?\\]))?/g;

/** Joins the plain texts of a literal and its escapes of a character or byte. */
function decoded(
  { text: written, offset }: Token,
  plain: (text: string) => string,
  coded: (code: number, isByte: boolean, offset: number) => string,
): string {
  const [start = '', , raw = '', quote = ''] = /^([bB]?)([rR]?)("""|'''|"|')/.exec(written) ?? [];
  // Line ends are `\n`, as in cel-go.
  const text = written.slice(start.length, -quote.length).replace(/\r\n?/g, '\n');
  let out = '';
  let end = 0;
  for (const { 0: whole, 1: hex, 2: short, 3: long, 4: octal, 5: simple, index } of raw ? [] : text.matchAll(ESCAPE)) {
    const at = offset + start.length + index;
    if (whole === '\\') throw new CelSyntaxError(`invalid escape sequence: ${text.slice(index, index + 2)}`, at);
    out += plain(text.slice(end, index));
    if (simple !== undefined) out += plain(ownValue(ESCAPED_CHARACTERS, simple) ?? simple);
    else if (octal !== undefined) out += coded(Number.parseInt(octal, 8), true, at);
    else out += coded(Number.parseInt(hex ?? short ?? long ?? '', 16), hex !== undefined, at);
    end = index + whole.length;
  }
  return out + plain(text.slice(end));
}

const readString = (token: Token): string =>
  decoded(
    token,
    (text) => text,
    (code, _isByte, offset) => {
      if (code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code);
      throw new CelSyntaxError('invalid unicode code point', offset);
    },
  );

function readBytes(token: Token): Uint8Array {
  const coded = (code: number, isByte: boolean, offset: number): string => {
    if (isByte) return String.fromCharCode(code);
    throw new CelSyntaxError('bytes literals cannot hold \\u escapes; write the character itself', offset);
  };
  return Uint8Array.from(
    decoded(token, (text) => packed(utf8(text)), coded),
    (char) => char.charCodeAt(0),
  );
}
