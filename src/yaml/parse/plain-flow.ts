import { EXACT, JsonReader } from '../../core/encoding/json.ts';
import { attempt } from '../../core/model/attempt.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import { closingQuote } from '../../core/text/documents.ts';
import { plainKey, resolvePlain, type Scalar } from '../../core/text/plain-scalar.ts';

export const BREAK = 0x0a;
export const BLANK = 0x20;
export const DOUBLE = 0x22;
const SINGLE = 0x27;
export const DASH = 0x2d;
export const COLON = 0x3a;

/** The characters of a key without quotes; a dash too, but not as the first one. */
const isKey = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./$~+()')
  isKey[char.charCodeAt(0)] = 1;

/** Longer keys and collections are left to the parser, which has limits there. */
export const LONGEST_KEY = 200;
const LONGEST = 800;

/** Thrown for documents that are left to the parser. */
export const NOT_PLAIN = new Error('not plain');

/** Returns the value of a scalar without quotes; one that JSON cannot represent is left to the parser. */
export function plainScalar(text: string): Scalar {
  const value = resolvePlain(text);
  if (typeof value === 'number' && !Number.isFinite(value)) throw NOT_PLAIN;
  return value;
}

/** Reads quoted texts, and lists and maps in brackets, on one line: JSON, and scalars of the characters of keys. */
export class FlowReader extends JsonReader {
  private start = 0;
  constructor(text: string) {
    super(text, { ...EXACT, error: () => NOT_PLAIN });
  }

  protected flow(at: number): Value {
    this.at = at;
    this.start = at;
    return this.value(0);
  }

  override peek(): string | undefined {
    while (this.text.charCodeAt(this.at) === BLANK) this.at++;
    return this.text[this.at];
  }

  override value(depth: number): Value {
    if (this.at - this.start > LONGEST && '[{'.includes(this.peek() ?? '')) throw NOT_PLAIN;
    return super.value(depth);
  }

  /** A key without quotes needs a space after its colon. */
  protected override key(map: ValueMap): string {
    const isQuoted = this.peek() === '"';
    const { at } = this;
    const key = isQuoted ? this.string() : this.wordKey(this.wordEnd(at));
    const isTooLong = this.at - at > LONGEST_KEY;
    if (this.text.charCodeAt(this.at) !== COLON || isTooLong || Object.hasOwn(map, key)) throw NOT_PLAIN;
    this.at++;
    return key;
  }

  /** Returns the position of the colon after a key without quotes; -1 if none starts here. */
  protected wordEnd(start: number): number {
    const { text } = this;
    let at = start;
    let char = text.charCodeAt(at);
    while (isKey[char] === 1 || (char === DASH && at > start)) char = text.charCodeAt(++at);
    if (at === start || char !== COLON || at - start > LONGEST_KEY) return -1;
    const next = text.charCodeAt(at + 1);
    return next === BLANK || next === BREAK ? at : -1;
  }

  protected wordKey(end: number): string {
    const key = end < 0 ? undefined : plainKey(this.text.slice(this.at, end));
    if (key === undefined) throw NOT_PLAIN;
    this.at = end;
    return key;
  }

  /** Texts may have any length, so no regular expression is used. */
  protected override string(): string {
    const { text, at } = this;
    const quote = text.charAt(at);
    const lineEnd = text.indexOf('\n', at);
    let end = text.indexOf(quote, at + 1);
    const isEscaped = quote === '"' ? text.slice(at, end).includes('\\') : text[end + 1] === quote;
    if (isEscaped) end = closingQuote(text, at, lineEnd);
    if (end < 0 || end > lineEnd) throw NOT_PLAIN;
    this.at = end + 1;
    const inner = text.slice(at + 1, end);
    if (quote !== '"') return isEscaped ? inner.replaceAll("''", "'") : inner;
    if (!isEscaped) return inner;
    // YAML has all escapes of JSON; others are left to the parser, and unpaired surrogates are not text.
    const value = attempt(() => JSON.parse(`"${inner}"`) as string, SyntaxError);
    if (value?.isWellFormed() !== true) throw NOT_PLAIN;
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
