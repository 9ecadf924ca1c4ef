/** JSON as Go's encoding/json reads it into `any`: every number is a double, the last of equal keys wins. */

import { recordFrom } from '../value/maps.ts';
import { type CelValue, failure } from '../value/values.ts';

/** Go stops at 10,000 levels; nothing that Kubernetes stores comes near, and the stack here is smaller. */
const MAX_DEPTH = 1000;
const STRING_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"/suy;
/** From its first quote to the character that is not allowed, or to the last quote. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const GOOD_STRING = /^"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*/;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERALS: readonly (readonly [string, CelValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** @throws EvaluationError (failure) with Go's message */
export function parseJson(text: string): CelValue {
  const reader = new Reader(text);
  const value = reader.value('looking for beginning of value', 0);
  reader.skipSpace();
  if (reader.at < text.length) throw reader.unexpected('after top-level value');
  return value;
}

/** A position in the text that only moves forward. */
class Reader {
  at = 0;
  constructor(private readonly text: string) {}

  unexpected(where: string, at = this.at): Error {
    // Go ends the text with a space, which inside a token is as wrong as any other character.
    const inToken = where.startsWith('in ') || where.startsWith('after decimal point');
    if (at >= this.text.length)
      return failure(inToken ? `invalid character ' ' ${where}` : 'unexpected end of JSON input');
    return failure(`invalid character ${quotedCharacter(this.text, at)} ${where}`);
  }

  skipSpace(): void {
    while (' \t\r\n'.includes(this.text.charAt(this.at)) && this.at < this.text.length) this.at++;
  }

  private next(): string {
    this.skipSpace();
    return this.text.charAt(this.at);
  }

  value(where: string, depth: number): CelValue {
    if (depth > MAX_DEPTH) throw failure('exceeded max depth');
    const char = this.next();
    if (char === '{') return this.object(depth + 1);
    if (char === '[') return this.array(depth + 1);
    if (char === '"') return this.string();
    if (char === '-' || (char >= '0' && char <= '9')) return this.number();
    for (const [name, value] of LITERALS) {
      if (char === name[0]) return this.literal(name, value);
    }
    throw this.unexpected(where);
  }

  private array(depth: number): CelValue {
    const items: CelValue[] = [];
    this.at++;
    if (this.next() === ']') {
      this.at++;
      return items;
    }
    for (;;) {
      items.push(this.value('looking for beginning of value', depth));
      const char = this.next();
      if (char !== ',' && char !== ']') throw this.unexpected('after array element');
      this.at++;
      if (char === ']') return items;
    }
  }

  private object(depth: number): CelValue {
    const entries = new Map<string, CelValue>();
    this.at++;
    if (this.next() === '}') {
      this.at++;
      return {};
    }
    for (;;) {
      if (this.next() !== '"') throw this.unexpected('looking for beginning of object key string');
      const key = this.string();
      if (this.next() !== ':') throw this.unexpected('after object key');
      this.at++;
      entries.set(key, this.value('looking for beginning of value', depth));
      const char = this.next();
      if (char !== ',' && char !== '}') throw this.unexpected('after object key:value pair');
      this.at++;
      if (char === '}') return recordFrom(entries);
    }
  }

  private literal(name: string, value: CelValue): CelValue {
    for (let i = 1; i < name.length; i++) {
      if (this.text[this.at + i] !== name[i]) {
        throw this.unexpected(`in literal ${name} (expecting ${goCharacter(name.charAt(i))})`, this.at + i);
      }
    }
    this.at += name.length;
    return value;
  }

  private number(): number {
    NUMBER.lastIndex = this.at;
    const written = NUMBER.exec(this.text)?.[0];
    const end = this.at + (written?.length ?? 1);
    // What follows tells which part of the number was cut short.
    if (written === undefined) throw this.unexpected('in numeric literal', end);
    const rest = this.text.charAt(end);
    if (rest === '.' && !/[.eE]/.test(written))
      throw this.unexpected('after decimal point in numeric literal', end + 1);
    if (/[eE]/.test(rest) && !/[eE]/.test(written)) {
      const sign = /[+-]/.test(this.text.charAt(end + 1)) ? 1 : 0;
      throw this.unexpected('in exponent of numeric literal', end + 1 + sign);
    }
    this.at = end;
    const value = Number(written);
    if (!Number.isFinite(value)) {
      throw failure(`json: cannot unmarshal number ${written} into Go value of type float64`);
    }
    return value;
  }

  private string(): string {
    STRING_TOKEN.lastIndex = this.at;
    const token = STRING_TOKEN.exec(this.text)?.[0];
    const fault = this.stringFault(token ?? this.text.slice(this.at));
    if (fault !== undefined) throw fault;
    if (token === undefined) throw failure('unexpected end of JSON input');
    this.at += token.length;
    // Halves of surrogate pairs cannot be UTF-8.
    return (JSON.parse(token) as string).replace(/\p{Surrogate}/gu, '\uFFFD');
  }

  /** The first bad character or escape of a string token. */
  private stringFault(token: string): Error | undefined {
    const good = GOOD_STRING.exec(token)?.[0].length ?? 0;
    if (good === token.length || token[good] === '"') return undefined;
    const at = this.at + good;
    if (token[good] !== '\\') return this.unexpected('in string literal', at);
    if (this.text[at + 1] !== 'u') return this.unexpected('in string escape code', at + 1);
    const digits = /^[0-9a-fA-F]*/.exec(this.text.slice(at + 2))?.[0].length ?? 0;
    return this.unexpected('in \\u hexadecimal character escape', at + 2 + digits);
  }
}

/** Go names the first UTF-8 byte of the character as if it were one. */
function quotedCharacter(text: string, at: number): string {
  const byte = new TextEncoder().encode(String.fromCodePoint(text.codePointAt(at) ?? 0))[0] ?? 0;
  return goCharacter(String.fromCharCode(byte));
}

function goCharacter(char: string): string {
  if (char === "'") return `'\\''`;
  if (char === '"') return `'"'`;
  const code = char.charCodeAt(0);
  if (code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa1) && code !== 0xad) {
    return char === '\\' ? `'\\\\'` : `'${char}'`;
  }
  const named = new Map([
    [7, '\\a'],
    [8, '\\b'],
    [9, '\\t'],
    [10, '\\n'],
    [11, '\\v'],
    [12, '\\f'],
    [13, '\\r'],
  ]).get(code);
  return `'${named ?? (code < 0x80 ? `\\x${hexDigits(code, 2)}` : `\\u${hexDigits(code, 4)}`)}'`;
}

const hexDigits = (code: number, width: number): string => code.toString(16).padStart(width, '0');
