import { EXACT, type JsonDialect, JsonReader } from '../../core/encoding/json.ts';
import { attempt } from '../../core/model/attempt.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import { plainKey, resolvePlain, type Scalar } from '../../core/text/plain-scalar.ts';

// The characters of plain documents, by code.
export const BREAK = 0x0a;
export const BLANK = 0x20;
export const DOUBLE = 0x22;
export const SINGLE = 0x27;
export const DASH = 0x2d;
export const COLON = 0x3a;
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

const LEAVING: JsonDialect = { ...EXACT, error: () => NOT_PLAIN };

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
  const value = attempt(() => JSON.parse(`"${inner}"`) as string, SyntaxError);
  // Unpaired surrogates are not text.
  if (value?.isWellFormed() !== true) throw NOT_PLAIN;
  return value;
}

/** Returns the value of a scalar without quotes; one that JSON cannot represent is left to the parser. */
export function plainScalar(text: string): Scalar {
  const value = resolvePlain(text);
  if (typeof value === 'number' && !Number.isFinite(value)) throw NOT_PLAIN;
  return value;
}

/** Longer collections are left to the parser. */
const LONGEST = 800;

/** Returns a list or a map in brackets on one line, and its end: JSON, and scalars of keys' characters. */
export function flowAt(text: string, at: number): { value: Value; end: number } {
  const reader = new FlowReader(text, at);
  const value = reader.value(0);
  return { value, end: reader.at };
}

class FlowReader extends JsonReader {
  private readonly start = this.at;
  constructor(text: string, at: number) {
    super(text, LEAVING, at);
  }

  override peek(): string | undefined {
    while (this.text.charCodeAt(this.at) === BLANK) this.at++;
    return this.text[this.at];
  }

  override value(depth: number): Value {
    if (this.at - this.start > LONGEST && '[{'.includes(this.peek() as string)) throw NOT_PLAIN;
    return super.value(depth);
  }

  /** A key without quotes needs a space after its colon. */
  protected override key(map: ValueMap): string {
    const isQuoted = this.peek() === '"';
    const { text, at } = this;
    let key: string | undefined;
    if (isQuoted) key = this.string();
    else {
      if (isKey[text.charCodeAt(at)] !== 1) throw NOT_PLAIN;
      while (isKey[text.charCodeAt(this.at)] === 1 || text.charCodeAt(this.at) === DASH) this.at++;
      key = plainKey(text.slice(at, this.at));
    }
    const isBehind = text.charCodeAt(this.at) === COLON && (isQuoted || text.charCodeAt(this.at + 1) === BLANK);
    if (key === undefined || Object.hasOwn(map, key) || !isBehind || this.at - at > LONGEST_KEY) throw NOT_PLAIN;
    this.at++;
    return key;
  }

  protected override string(): string {
    const { value, end } = quotedAt(this.text, this.at);
    this.at = end;
    return value;
  }

  protected override word(): Value {
    const { text, at } = this;
    if (text.charCodeAt(at) === SINGLE) return this.string();
    const isWord = (place: number): boolean => isKey[text.charCodeAt(place)] === 1;
    if (!isWord(text.charCodeAt(at) === DASH ? at + 1 : at)) throw NOT_PLAIN;
    let end = at;
    for (;;) {
      const char = text.charCodeAt(end);
      if (isKey[char] !== 1 && char !== DASH && char !== BLANK && !(char === COLON && isWord(end + 1))) break;
      end++;
    }
    this.at = end;
    return plainScalar(text.slice(at, end).trimEnd());
  }
}
