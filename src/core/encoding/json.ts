import { attempt } from '../model/attempt.ts';
import { MAX_VALUE_DEPTH } from '../model/limits.ts';
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

/** The context of an error: what was read before it, or what was expected. */
export type JsonContext =
  | 'value'
  | 'key'
  | 'after key'
  | 'after pair'
  | 'after element'
  | 'after value'
  | 'string'
  | 'repeated key'
  | 'large number'
  | 'depth';

export interface JsonProblem {
  place: JsonContext;
  text: string;
  at: number;
  /** Of a repeated key and of a large number. */
  token: string;
}

/** The differences between readers of JSON, which agree on what is valid. */
export interface JsonDialect {
  /** Returns the value of a number; `undefined` if it is too large. `end` is its end in `text`. */
  number: (token: string, text: string, end: number) => Value | undefined;
  /** Whether a key may be repeated in one object; then the last one wins. */
  repeatedKeys: boolean;
  /** Whether an escape for half of a character becomes U+FFFD, as in Go, or is an error. */
  halves: boolean;
  error: (problem: JsonProblem) => Error;
}

/** Keeps every digit: numbers without a fraction or an exponent become `bigint`. A duplicate key is an error. */
export const EXACT: JsonDialect = { number: exactNumber, repeatedKeys: false, halves: true, error: plainError };

/**
 * Parses one JSON value; `dialect` defines the differences from EXACT.
 * @throws JsonError, or what the dialect throws
 */
export function parseJson(text: string, dialect: Partial<JsonDialect> = EXACT): Value {
  const reader = new JsonReader(text, { ...EXACT, ...dialect });
  const value = reader.value(0);
  if (reader.peek() !== undefined) throw reader.error('after value');
  return value;
}

/** The message for an invalid JSON text, in plain words. */
function plainError({ place, text, at, token }: JsonProblem): JsonError {
  if (place === 'after value') return new JsonError('unexpected text after the value', at);
  if (place === 'depth') return new JsonError(`nested more than ${MAX_VALUE_DEPTH} deep`, at + 1);
  if (place === 'repeated key') return new JsonError(`the key ${token} stands there twice`, at);
  if (place === 'large number') return new JsonError(`${token} is too large`, at);
  if (place === 'string') return new JsonError('a string is not closed or has a bad escape', at);
  const found = text.codePointAt(at);
  if (found === undefined) return new JsonError('the text ends too early', at);
  return new JsonError(`unexpected '${String.fromCodePoint(found)}'`, at);
}

function exactNumber(token: string): Value | undefined {
  if (!/[.eE]/.test(token)) return BigInt(token);
  const value = Number(token);
  return Number.isFinite(value) ? value : undefined;
}

const SPACE = /[ \t\r\n]*/y;
/** Text without escapes and unpaired surrogates. */
const PLAIN = /^[ -[\]-\uD7FF\uE000-\uFFFF]*$/;
const WORD = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** Reads a value from a position on, which only moves forward. Readers of a similar syntax override its parts. */
export class JsonReader {
  constructor(
    protected readonly text: string,
    private readonly dialect: JsonDialect,
    public at = 0,
  ) {}

  /** Returns the next character that is not a space, `undefined` at the end. */
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
    if (depth > MAX_VALUE_DEPTH) throw this.error('depth');
    if (char === '"') return this.string();
    if (char === '{') return this.map(depth);
    return char === '[' ? this.list(depth) : this.word();
  }

  private map(depth: number): ValueMap {
    const map: ValueMap = {};
    this.at++;
    if (this.ends('}')) return map;
    do {
      const key = this.key(map);
      setKey(map, key, this.value(depth + 1));
    } while (this.hasNext('}', 'after pair'));
    return map;
  }

  private list(depth: number): Value[] {
    const items: Value[] = [];
    this.at++;
    if (this.ends(']')) return items;
    do items.push(this.value(depth + 1));
    while (this.hasNext(']', 'after element'));
    return items;
  }

  private ends(close: string): boolean {
    if (this.peek() !== close) return false;
    this.at++;
    return true;
  }

  private hasNext(close: string, place: JsonContext): boolean {
    if (this.ends(close)) return false;
    if (this.peek() !== ',') throw this.error(place);
    this.at++;
    return true;
  }

  protected key(map: ValueMap): string {
    if (this.peek() !== '"') throw this.error('key');
    const start = this.at;
    const key = this.string();
    if (!this.dialect.repeatedKeys && Object.hasOwn(map, key)) {
      throw this.error('repeated key', start, this.text.slice(start, this.at));
    }
    if (this.peek() !== ':') throw this.error('after key');
    this.at++;
    return key;
  }

  protected string(): string {
    const end = this.text.indexOf('"', this.at + 1);
    const plain = this.text.slice(this.at + 1, Math.max(end, this.at + 1));
    if (end >= 0 && PLAIN.test(plain)) {
      this.at = end + 1;
      return plain;
    }
    const token = this.stringToken();
    const value = token === undefined ? undefined : attempt(() => JSON.parse(token) as string, SyntaxError);
    if (token === undefined || value === undefined) throw this.error('string');
    this.at += token.length;
    if (value.isWellFormed()) return value;
    if (!this.dialect.halves) throw this.error('string', this.at - token.length);
    return value.toWellFormed();
  }

  /** Returns the string that begins here, with its quotes. A regular expression has no stack for a million escapes. */
  private stringToken(): string | undefined {
    let end = this.text.indexOf('"', this.at + 1);
    while (end >= 0 && isEscaped(this.text, end)) end = this.text.indexOf('"', end + 1);
    return end < 0 ? undefined : this.text.slice(this.at, end + 1);
  }

  protected word(): Value {
    const start = this.at;
    const token = this.token(WORD);
    if (token === undefined) throw this.error('value');
    if (token === 'null') return null;
    if (token === 'true' || token === 'false') return token === 'true';
    const value = this.dialect.number(token, this.text, this.at);
    if (value === undefined) throw this.error('large number', start, token);
    return value;
  }

  private token(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const token = pattern.exec(this.text)?.[0];
    this.at += token?.length ?? 0;
    return token;
  }

  error(place: JsonContext, at = this.at, token = ''): Error {
    return this.dialect.error({ place, text: this.text, at, token });
  }
}

/** Reports whether an odd number of backslashes is before a character. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}
