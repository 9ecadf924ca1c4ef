import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { plainKey } from '../../core/text/plain-scalar.ts';
import {
  BLANK,
  BRACE,
  BRACKET,
  COLON,
  COMMA,
  DASH,
  DEEPEST,
  DOUBLE,
  END_BRACE,
  END_BRACKET,
  isKey,
  LONGEST_KEY,
  NOT_PLAIN,
  plainScalar,
  quotedAt,
  SINGLE,
} from './plain-characters.ts';

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
