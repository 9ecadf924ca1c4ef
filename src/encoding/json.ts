import { setKey, type Value, type ValueMap } from '../model/value.ts';

/** Text that is not JSON. `offset` counts UTF-16 units from its start. */
export class JsonError extends Error {
  override name = 'JsonError';
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** What a number means; `undefined` when it is too large. */
type NumberReader = (token: string) => Value | undefined;

/**
 * Reads one JSON value; a key that stands twice in one object is an error. Numbers without a fraction or an exponent
 * become `bigint`, so every digit stays, unless `readNumber` has another opinion.
 * @throws JsonError
 */
export function parseJson(text: string, readNumber: NumberReader = exactNumber): Value {
  const reader = new Reader(text, readNumber);
  const value = reader.value(0);
  if (reader.peek() !== undefined) throw new JsonError('unexpected text after the value', reader.at);
  return value;
}

function exactNumber(token: string): Value | undefined {
  if (!/[.eE]/.test(token)) return BigInt(token);
  const value = Number(token);
  return Number.isFinite(value) ? value : undefined;
}

const MAX_DEPTH = 1000;
const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
/** What stands for itself between quotes. Halves of surrogate pairs do not. */
const PLAIN = /^[ -[\]-\uD7FF\uE000-\uFFFF]*$/;
const WORD = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** A position in the text that only moves forward. */
class Reader {
  at = 0;
  constructor(
    private readonly text: string,
    private readonly readNumber: NumberReader,
  ) {}

  /** The next character that is no blank, `undefined` at the end. */
  peek(): string | undefined {
    const char = this.text[this.at];
    if (char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') return char;
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
    return this.text[this.at];
  }

  value(depth: number): Value {
    const char = this.peek();
    if (depth > MAX_DEPTH) throw new JsonError(`nested more than ${MAX_DEPTH} deep`, this.at + 1);
    if (char === '"') return this.string();
    if (char === '{') return this.map(depth);
    return char === '[' ? this.list(depth) : this.word();
  }

  private map(depth: number): ValueMap {
    const map: ValueMap = {};
    this.at++;
    if (this.ends('}')) return map;
    do {
      if (this.peek() !== '"') throw this.unexpected();
      const start = this.at;
      const key = this.string();
      if (Object.hasOwn(map, key)) {
        throw new JsonError(`the key ${this.text.slice(start, this.at)} stands there twice`, start);
      }
      if (this.peek() !== ':') throw this.unexpected();
      this.at++;
      setKey(map, key, this.value(depth + 1));
    } while (this.goesOn('}'));
    return map;
  }

  private list(depth: number): Value[] {
    const items: Value[] = [];
    this.at++;
    if (this.ends(']')) return items;
    do items.push(this.value(depth + 1));
    while (this.goesOn(']'));
    return items;
  }

  private ends(close: string): boolean {
    if (this.peek() !== close) return false;
    this.at++;
    return true;
  }

  private goesOn(close: string): boolean {
    if (this.ends(close)) return false;
    if (this.peek() !== ',') throw this.unexpected();
    this.at++;
    return true;
  }

  private string(): string {
    const end = this.text.indexOf('"', this.at + 1);
    const plain = this.text.slice(this.at + 1, Math.max(end, this.at + 1));
    if (end >= 0 && PLAIN.test(plain)) {
      this.at = end + 1;
      return plain;
    }
    const token = this.token(STRING);
    if (token === undefined) throw new JsonError('a string is not closed or has a bad escape', this.at);
    // Halves of surrogate pairs cannot be written as UTF-8; Go's reader replaces them too.
    return (JSON.parse(token) as string).replace(/\p{Surrogate}/gu, '\uFFFD');
  }

  private word(): Value {
    const start = this.at;
    const token = this.token(WORD);
    if (token === undefined) throw this.unexpected();
    if (token === 'null') return null;
    if (token === 'true' || token === 'false') return token === 'true';
    const value = this.readNumber(token);
    if (value === undefined) throw new JsonError(`${token} is too large`, start);
    return value;
  }

  private token(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const token = pattern.exec(this.text)?.[0];
    this.at += token?.length ?? 0;
    return token;
  }

  private unexpected(): JsonError {
    const found = this.text.codePointAt(this.at);
    if (found === undefined) return new JsonError('the text ends too early', this.at);
    return new JsonError(`unexpected '${String.fromCodePoint(found)}'`, this.at);
  }
}
