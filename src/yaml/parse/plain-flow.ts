import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { plainKey, resolvePlain, type Scalar } from '../../core/text/plain-scalar.ts';

// The characters of plain documents, by code.
export const BREAK = 0x0a;
export const BLANK = 0x20;
export const DOUBLE = 0x22;
export const HASH = 0x23;
export const SINGLE = 0x27;
export const DASH = 0x2d;
export const COLON = 0x3a;
const COMMA = 0x2c;
export const BRACKET = 0x5b;
export const BRACE = 0x7b;
export const BAR = 0x7c;
const END_BRACKET = 0x5d;
const END_BRACE = 0x7d;
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

const SURROGATE = /\p{Surrogate}/u;

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
  let value: string;
  try {
    value = JSON.parse(`"${inner}"`) as string;
  } catch (error) {
    if (error instanceof SyntaxError) throw NOT_PLAIN;
    throw error;
  }
  // Unpaired surrogates are not text.
  if (SURROGATE.test(value)) throw NOT_PLAIN;
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

/**
 * Returns a list or a map in brackets on one line, and its end: JSON, and scalars without quotes that consist of the
 * characters of keys, dashes, and spaces and colons between them.
 */
export function flowAt(text: string, at: number): { value: Value; end: number } {
  const reader = new FlowReader(text, at);
  const value = reader.value();
  return { value, end: reader.at };
}

class FlowReader {
  private depth = 0;
  private readonly start: number;
  constructor(
    private readonly text: string,
    public at: number,
  ) {
    this.start = at;
  }

  value(): Value {
    const char = this.text.charCodeAt(this.at);
    if (char !== BRACKET && char !== BRACE) return char === DOUBLE || char === SINGLE ? this.quoted() : this.plain();
    if (++this.depth > DEEPEST || this.at - this.start > LONGEST) throw NOT_PLAIN;
    this.at++;
    const value = char === BRACKET ? this.list() : this.map();
    this.depth--;
    return value;
  }

  private list(): Value[] {
    const items: Value[] = [];
    if (this.ends(END_BRACKET)) return items;
    do items.push(this.value());
    while (this.hasNext(END_BRACKET));
    return items;
  }

  private map(): ValueMap {
    const map: ValueMap = {};
    if (this.ends(END_BRACE)) return map;
    do {
      const key = this.key();
      if (Object.hasOwn(map, key)) throw NOT_PLAIN;
      this.skipBlanks();
      setKey(map, key, this.value());
    } while (this.hasNext(END_BRACE));
    return map;
  }

  private skipBlanks(): number {
    while (this.text.charCodeAt(this.at) === BLANK) this.at++;
    return this.text.charCodeAt(this.at);
  }

  /** Reports whether a list or a map ends here, and moves on if so. */
  private ends(end: number): boolean {
    if (this.skipBlanks() !== end) return false;
    this.at++;
    return true;
  }

  /** Reports whether another item follows, and moves to it. */
  private hasNext(end: number): boolean {
    if (this.ends(end)) return false;
    if (this.text.charCodeAt(this.at) !== COMMA) throw NOT_PLAIN;
    this.at++;
    this.skipBlanks();
    return true;
  }

  /** Reads a key, and moves after its colon. A key without quotes needs a space after it. */
  private key(): string {
    const { text, at } = this;
    const isQuoted = text.charCodeAt(at) === DOUBLE;
    let key: string | undefined;
    if (isQuoted) key = this.quoted();
    else {
      if (isKey[text.charCodeAt(at)] !== 1) throw NOT_PLAIN;
      while (isKey[text.charCodeAt(this.at)] === 1 || text.charCodeAt(this.at) === DASH) this.at++;
      key = plainKey(text.slice(at, this.at));
    }
    const isBehind = text.charCodeAt(this.at) === COLON && (isQuoted || text.charCodeAt(this.at + 1) === BLANK);
    if (key === undefined || !isBehind || this.at - at > LONGEST_KEY) throw NOT_PLAIN;
    this.at++;
    return key;
  }

  private quoted(): string {
    const { value, end } = quotedAt(this.text, this.at);
    this.at = end;
    return value;
  }

  private plain(): Value {
    const { text, at } = this;
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
