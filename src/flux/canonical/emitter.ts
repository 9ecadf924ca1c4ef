import { byteLength } from '../../core/text/utf8.ts';
import { isBreak, isMultiline, isPrintable, QuoteWatch, type Style, styleOf } from './quoted.ts';

/** Lines are folded at the first space after this column. */
const WIDTH = 80;
/** Keys of more bytes get a `?`. */
const MAX_SIMPLE_KEY = 128;
const STEP = 2;

/** Escape names in double quotes. */
const ESCAPES = new Map<number, string>([
  [0x00, '0'],
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x1b, 'e'],
  [0x22, '"'],
  [0x5c, '\\'],
  [0x85, 'N'],
  [0xa0, '_'],
  [0x2028, 'L'],
  [0x2029, 'P'],
]);

/** The emitted value: a map with ordered keys, a list, a string, or a plain scalar. */
export type Emitted =
  | { type: 'map'; entries: readonly (readonly [string, Emitted])[] }
  | { type: 'list'; items: readonly Emitted[] }
  | { type: 'string'; text: string }
  | { type: 'plain'; text: string };

/** The position of a character of a value in the text. */
export interface CharacterSource {
  /** The offset in the text, in UTF-16 units. */
  at: number;
  path: readonly (string | number)[];
  /** The offset in the string at `path`, in UTF-16 units; none for a key. */
  offset: number | undefined;
}

/** Writes YAML as libyaml's emitter does with the settings of go-yaml v2: block style, lists not indented, folded. */
export class Emitter {
  private out = '';
  private column = 0;
  private indent = 0;
  /** Whether the previous character is a space or the start of a line. */
  private whitespace = true;
  /** Whether the line only has indentation and dashes so far. */
  private indention = true;
  private readonly path: (string | number)[] = [];

  /**
   * @param isTemplate whether it is the text of a template, which is read as YAML 1.2: lines are not folded in quotes
   * inside actions, where a line break would have a meaning, and U+2028 and U+2029 do not break lines
   * @param marks is called with the position of each character of a string
   */
  constructor(
    private readonly isTemplate = false,
    private readonly marks?: CharacterSource[],
  ) {}

  document(value: Emitted): string {
    this.node(value, 'root');
    if (this.column > 0) this.lineBreak();
    return this.out;
  }

  private put(text: string): void {
    this.out += text;
    this.column += text.length;
  }

  private lineBreak(): void {
    this.out += '\n';
    this.column = 0;
  }

  private writeIndent(): void {
    const isAtIndent = this.column === this.indent && !this.whitespace;
    if (!this.indention || this.column > this.indent || isAtIndent) this.lineBreak();
    if (this.column < this.indent) this.put(' '.repeat(this.indent - this.column));
    this.whitespace = true;
    this.indention = true;
  }

  private indicator(text: string, needsSpace: boolean, indents: boolean): void {
    if (needsSpace && !this.whitespace) this.put(' ');
    this.put(text);
    this.whitespace = false;
    this.indention = this.indention && indents;
  }

  private node(value: Emitted, context: 'root' | 'list' | 'map'): void {
    if (value.type === 'map') this.map(value.entries, context);
    else if (value.type === 'list') this.list(value.items, context);
    else if (value.type === 'plain') this.plainValue(value.text);
    else this.scalar(value.text, styleOf(value.text, false), true);
  }

  private map(entries: readonly (readonly [string, Emitted])[], context: string): void {
    if (entries.length === 0) {
      this.indicator('{', true, false);
      this.indicator('}', false, false);
      return;
    }
    const outer = this.indent;
    if (context !== 'root') this.indent += STEP;
    for (const [key, value] of entries) {
      this.path.push(key);
      this.entry(key, value);
      this.path.pop();
    }
    this.indent = outer;
  }

  private entry(key: string, value: Emitted): void {
    this.writeIndent();
    if (!isMultiline(key) && byteLength(key) <= MAX_SIMPLE_KEY) {
      this.scalar(key, styleOf(key, true), false);
      this.indicator(':', false, false);
    } else {
      this.indicator('?', true, true);
      this.scalar(key, styleOf(key, false), true, false);
      this.writeIndent();
      this.indicator(':', true, true);
    }
    this.node(value, 'map');
  }

  private list(items: readonly Emitted[], context: string): void {
    if (items.length === 0) {
      this.indicator('[', true, false);
      this.indicator(']', false, false);
      return;
    }
    const outer = this.indent;
    // A list is not indented under its key.
    const indentless = context === 'map' && !this.indention;
    if (context !== 'root' && !indentless) this.indent += STEP;
    items.forEach((item, index) => {
      this.path.push(index);
      this.writeIndent();
      this.indicator('-', true, true);
      this.node(item, 'list');
      this.path.pop();
    });
    this.indent = outer;
  }

  private scalar(text: string, style: Style, mayFold: boolean, isValue = mayFold): void {
    // A scalar is indented deeper than its parent, which does not exist at the root.
    const outer = this.indent;
    this.indent += STEP;
    this.startString(isValue);
    if (style === 'plain') this.plain(text, mayFold);
    else if (style === 'single') this.singleQuoted(text, mayFold);
    else if (style === 'double') this.doubleQuoted(text, mayFold);
    else this.literal(text);
    this.indent = outer;
  }

  private current: { path: readonly (string | number)[]; offset: number; isValue: boolean } | undefined;

  private watch: QuoteWatch | undefined;

  private startString(isValue: boolean): void {
    this.watch = this.isTemplate ? new QuoteWatch() : undefined;
    if (this.marks !== undefined) this.current = { path: [...this.path], offset: 0, isValue };
  }

  private get isQuoted(): boolean {
    return this.watch?.isQuoted === true;
  }

  private breaksLine(char: string): boolean {
    return this.isTemplate ? char === '\n' : isBreak(char);
  }

  private note(char: string): void {
    this.watch?.next(char);
    const { marks, current } = this;
    if (marks === undefined || current === undefined) return;
    const offset = current.isValue ? current.offset : undefined;
    marks.push({ at: this.out.length, path: current.path, offset });
    current.offset += char.length;
  }

  private plainValue(text: string): void {
    this.current = undefined;
    this.plain(text, true);
  }

  private plain(text: string, mayFold: boolean): void {
    if (!this.whitespace) this.put(' ');
    let spaces = false;
    const chars = [...text];
    chars.forEach((char, at) => {
      this.note(char);
      const folds = char === ' ' && mayFold && !spaces && this.column > WIDTH && chars[at + 1] !== ' ';
      if (folds && !this.isQuoted) this.writeIndent();
      else this.putChar(char);
      spaces = char === ' ';
      if (!spaces) this.indention = false;
    });
    this.whitespace = false;
    this.indention = false;
  }

  /** A character is one column wide, whatever its length in UTF-16. */
  private putChar(char: string): void {
    this.out += char;
    this.column++;
  }

  private singleQuoted(text: string, mayFold: boolean): void {
    this.indicator("'", true, false);
    const chars = [...text];
    let spaces = false;
    let breaks = false;
    chars.forEach((char, at) => {
      this.note(char);
      if (char === ' ') {
        const inside = at > 0 && at < chars.length - 1;
        const folds = mayFold && !spaces && this.column > WIDTH && inside && chars[at + 1] !== ' ';
        if (folds && !this.isQuoted) this.writeIndent();
        else this.putChar(char);
        spaces = true;
      } else if (this.breaksLine(char)) {
        this.writeBreak(char);
        breaks = true;
      } else {
        if (breaks) this.writeIndent();
        this.putChar(char === "'" ? "''" : char);
        if (char === "'") this.column++;
        this.indention = false;
        spaces = false;
        breaks = false;
      }
    });
    this.indicator("'", false, false);
    this.whitespace = false;
    this.indention = false;
  }

  private doubleQuoted(text: string, mayFold: boolean): void {
    this.indicator('"', true, false);
    const chars = [...text];
    // The emitter escapes everything after a byte order mark at the start.
    const marked = text.startsWith('\ufeff');
    let spaces = false;
    chars.forEach((char, at) => {
      this.note(char);
      if (marked || !isPrintable(char) || isBreak(char) || char === '"' || char === '\\') {
        this.put(escaped(char.codePointAt(0) ?? 0));
        spaces = false;
      } else if (char === ' ') {
        const folds = mayFold && !spaces && this.column > WIDTH && at > 0 && at < chars.length - 1;
        // A backslash before a space is not allowed inside an action.
        const isKept = this.watch?.isInAction === true && chars[at + 1] === ' ';
        if (folds && !this.isQuoted && !isKept) {
          this.writeIndent();
          if (chars[at + 1] === ' ') this.put('\\');
        } else this.putChar(char);
        spaces = true;
      } else {
        this.putChar(char);
        spaces = false;
      }
    });
    this.indicator('"', false, false);
    this.whitespace = false;
    this.indention = false;
  }

  private literal(text: string): void {
    this.indicator('|', true, false);
    if (/^[ \r\n\u0085\u2028\u2029]/.test(text)) this.indicator(String(STEP), false, false);
    const chomping = chompingOf(text, (char) => this.breaksLine(char));
    if (chomping !== '') this.indicator(chomping, false, false);
    this.lineBreak();
    this.indention = true;
    this.whitespace = true;
    let breaks = true;
    for (const char of text) {
      this.note(char);
      if (this.breaksLine(char)) {
        this.writeBreak(char);
        breaks = true;
        continue;
      }
      if (breaks) this.writeIndent();
      this.putChar(char);
      this.indention = false;
      breaks = false;
    }
  }

  private writeBreak(char: string): void {
    if (char === '\n') this.lineBreak();
    else {
      this.out += char;
      this.column = 0;
    }
    this.indention = true;
  }
}

/** Returns the indicator for the last line breaks of a literal block. */
function chompingOf(text: string, breaksLine: (char: string) => boolean): string {
  if (!breaksLine(text.at(-1) ?? '')) return '-';
  return text.length === 1 || breaksLine(text.at(-2) ?? '') ? '+' : '';
}

function escaped(code: number): string {
  const named = ESCAPES.get(code);
  if (named !== undefined) return `\\${named}`;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
