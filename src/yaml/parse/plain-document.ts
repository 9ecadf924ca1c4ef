import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { BLANK, BREAK, COLON, DASH, DOUBLE, FlowReader, LONGEST_KEY, NOT_PLAIN, plainScalar } from './plain-flow.ts';

const HASH = 0x23;
const BAR = 0x7c;

/** The first characters of a plain scalar; a dash too if no space follows. */
const isStart = new Uint8Array(128).fill(1, 0x21, 0x7f);
for (const char of '-?:,[]{}#&*!|>\'"%@`') isStart[char.charCodeAt(0)] = 0;
/** The first characters of what the reader of brackets reads. */
const isFlow = new Uint8Array(128);
for (const char of '[{\'"') isFlow[char.charCodeAt(0)] = 1;

/** Deeper nodes are left to the parser, which has a limit there. */
const DEEPEST = 100;

/**
 * Returns the value of a plain document, as most are: block maps and lists of scalars and brackets on one line, and of
 * literal texts. Returns `undefined` for any other: the parser, which takes several times as long, reads it, and reads
 * plain documents equally (test/properties/plain-document.test.ts).
 * @param text ends with a line break
 */
export function readPlainDocument(text: string): Value | undefined {
  if (STRANGE.test(text)) return undefined;
  try {
    return new Reader(text).document();
  } catch (error) {
    if (error === NOT_PLAIN) return undefined;
    throw error;
  }
}

/** Tabs, other line breaks, the end of a document, and what a parser might reject. */
const STRANGE = /^\.\.\.(?:[ \n]|$)|[^\n -~\u00A1-\u1FFF\u2030-\uD7FF]/m;
const LITERAL = /\|([-+]?)\n/y;

/** Reads line by line. Between nodes, `at` is the first character of a line that is not a space or a comment. */
class Reader extends FlowReader {
  /** The column of that character; -1 at the end. */
  private column = 0;
  private depth = 0;

  document(): Value {
    this.nextLine(0);
    if (this.column === 0 && this.text.startsWith('---', this.at)) this.nextLine(this.restIsBlank(this.at + 3));
    if (this.column < 0) throw NOT_PLAIN;
    const value = this.root();
    if (this.column >= 0) throw NOT_PLAIN;
    return value;
  }

  private root(): Value {
    if ('[{'.includes(this.text.charAt(this.at))) return this.onLine(this.at);
    if (this.isDash(this.at) || this.keyEnd(this.at) >= 0) return this.collection(this.column);
    return this.plain(this.at);
  }

  /** Moves to the first content of the lines from `start` on, the start of a line. */
  private nextLine(start: number): void {
    const { text } = this;
    let at = start;
    for (;;) {
      let first = at;
      while (text.charCodeAt(first) === BLANK) first++;
      const char = text.charCodeAt(first);
      if (char !== BREAK && char !== HASH) {
        this.column = first < text.length ? first - at : -1;
        this.at = first;
        return;
      }
      at = text.indexOf('\n', first) + 1;
    }
  }

  /** Returns the start of the next line if only a comment follows in this one. */
  private restIsBlank(start: number): number {
    const { text } = this;
    let at = start;
    while (text.charCodeAt(at) === BLANK) at++;
    if (text.charCodeAt(at) === HASH && at > start) at = text.indexOf('\n', at);
    if (text.charCodeAt(at) !== BREAK) throw NOT_PLAIN;
    return at + 1;
  }

  private isDash(at: number): boolean {
    const { text } = this;
    if (text.charCodeAt(at) !== DASH) return false;
    const next = text.charCodeAt(at + 1);
    return next === BLANK || next === BREAK;
  }

  /** Reads the map or the list that starts at `at`, in this column. */
  private collection(column: number): Value {
    if (++this.depth > DEEPEST) throw NOT_PLAIN;
    const value = this.isDash(this.at) ? this.blockList(column) : this.blockMap(column);
    this.depth--;
    return value;
  }

  private blockList(column: number): Value[] {
    const items: Value[] = [];
    while (this.column === column && this.isDash(this.at)) items.push(this.item(column));
    // A map may continue in the column of a list in it; deeper content is invalid.
    if (this.column > column) throw NOT_PLAIN;
    return items;
  }

  private item(column: number): Value {
    const { text } = this;
    let at = this.at + 1;
    while (text.charCodeAt(at) === BLANK) at++;
    const char = text.charCodeAt(at);
    if (char === BREAK || char === HASH) {
      this.nextLine(text.indexOf('\n', at) + 1);
      return this.column > column ? this.collection(this.column) : null;
    }
    if (!this.isDash(at) && this.keyEnd(at) < 0) return this.scalar(at, column);
    // A map or a list may begin in the line of its dash, which defines its column.
    this.column = column + at - this.at;
    this.at = at;
    return this.collection(this.column);
  }

  private blockMap(column: number): ValueMap {
    const map: ValueMap = {};
    while (this.column === column) {
      const end = this.keyEnd(this.at);
      if (end < 0) throw NOT_PLAIN;
      const key = this.blockKey(end);
      if (Object.hasOwn(map, key)) throw NOT_PLAIN;
      setKey(map, key, this.valueAfter(end + 1, column));
    }
    if (this.column > column) throw NOT_PLAIN;
    return map;
  }

  /** Returns the position of the colon after a key; -1 if no key starts here. */
  private keyEnd(start: number): number {
    const { text } = this;
    if (text.charCodeAt(start) !== DOUBLE) return this.wordEnd(start);
    const at = text.indexOf('"', start + 1) + 1;
    const lineEnd = text.indexOf('\n', start);
    if (at === 0 || at > lineEnd || at - start > LONGEST_KEY || text.charCodeAt(at) !== COLON) return -1;
    const next = text.charCodeAt(at + 1);
    return next === BLANK || next === BREAK ? at : -1;
  }

  private blockKey(end: number): string {
    const { text, at } = this;
    if (text.charCodeAt(at) !== DOUBLE) return this.wordKey(end);
    const key = text.slice(at + 1, end - 1);
    if (key.includes('\\')) throw NOT_PLAIN;
    return key;
  }

  /** Reads the value after the colon of a key in this column. */
  private valueAfter(start: number, column: number): Value {
    const { text } = this;
    let at = start;
    while (text.charCodeAt(at) === BLANK) at++;
    const char = text.charCodeAt(at);
    if (char !== BREAK && char !== HASH) return this.scalar(at, column);
    this.nextLine(text.indexOf('\n', at) + 1);
    if (this.column > column || (this.column === column && this.isDash(this.at))) return this.collection(this.column);
    return null;
  }

  private scalar(at: number, column: number): Value {
    const { text } = this;
    const char = text.charCodeAt(at);
    if (isFlow[char] === 1) return this.onLine(at);
    return char === BAR ? this.literal(at, column) : this.plain(at);
  }

  /** Reads a quoted text or brackets, and moves after its line. */
  private onLine(at: number): Value {
    const value = this.flow(at);
    this.nextLine(this.restIsBlank(this.at));
    return value;
  }

  private plain(at: number): Value {
    const { text } = this;
    const char = text.charCodeAt(at);
    if (char < 128 && isStart[char] !== 1 && (char !== DASH || this.isDash(at))) throw NOT_PLAIN;
    const lineEnd = text.indexOf('\n', at);
    let scalar = text.slice(at, lineEnd);
    const comment = scalar.indexOf(' #');
    if (comment >= 0) scalar = scalar.slice(0, comment);
    if (scalar.endsWith(' ')) scalar = scalar.trimEnd();
    if (scalar.endsWith(':') || scalar.includes(': ')) throw NOT_PLAIN;
    const value = plainScalar(scalar);
    this.nextLine(lineEnd + 1);
    return value;
  }

  private literal(start: number, column: number): string {
    const { text } = this;
    LITERAL.lastIndex = start;
    const chomping = LITERAL.exec(text)?.[1];
    if (chomping === undefined) throw NOT_PLAIN;
    let at = LITERAL.lastIndex;
    let inner = '';
    // Empty lines, with which a text may begin.
    while (text.charCodeAt(at) === BREAK) {
      inner += '\n';
      at++;
    }
    let indent = 0;
    while (text.charCodeAt(at + indent) === BLANK) indent++;
    if (indent <= column || text.charCodeAt(at + indent) === BREAK) throw NOT_PLAIN;
    for (;;) {
      let first = at;
      while (first - at < indent && text.charCodeAt(first) === BLANK) first++;
      const isBlank = text.charCodeAt(first) === BREAK;
      if (first - at < indent && !isBlank) break;
      const lineEnd = isBlank ? first : text.indexOf('\n', first);
      inner += text.slice(first, lineEnd + 1);
      at = lineEnd + 1;
    }
    this.nextLine(at);
    if (chomping === '+') return inner;
    let end = inner.length;
    while (inner.charCodeAt(end - 1) === BREAK) end--;
    return inner.slice(0, chomping === '-' ? end : end + 1);
  }
}
