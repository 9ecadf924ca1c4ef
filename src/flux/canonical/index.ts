import { isMap, ownValue, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { countUpTo } from '../../core/text/line-index.ts';
import { byteLength } from '../../core/text/utf8.ts';
import { compareNaturally, escaped, inDoubleQuotes, isBreak, numberText, QuoteWatch, styleOf } from './scalars.ts';

/**
 * Returns a value as sigs.k8s.io/yaml writes it: the text of an entry of a ResourceSet before it is parsed as a
 * template, and the result of `toYaml`. Keys are sorted, lists not indented, long lines folded, and ambiguous strings
 * quoted.
 */
export const canonicalYaml = (value: Value): string => new Emitter().document(value);

/** Returns the text of a template: lines are not folded where that could break a string inside an action. */
export const templateYaml = (value: Value): string => new Emitter(true).document(value);

/** A position in a value: `offset` counts UTF-16 units of the string; none for a key. */
interface FieldPosition {
  path: Path;
  offset?: number;
}

/** Returns the source of a character in the canonical text of a value. */
export const canonicalSource = (value: Value, at: number): FieldPosition => canonicalSources(value)(at);

/** Returns the sources of any number of characters. */
export function canonicalSources(value: Value): (at: number) => FieldPosition {
  const marks: CharacterSource[] = [];
  new Emitter(true, marks).document(value);
  return (at) =>
    marks[countUpTo(at, marks.length, (index) => (marks[index] as CharacterSource).at) - 1] ?? { path: [] };
}

/** The position of a character of a value in the text, in UTF-16 units. */
interface CharacterSource extends FieldPosition {
  at: number;
}

/** Lines are folded at the first space after this column. */
const WIDTH = 80;
/** Keys of more bytes get a `?`. */
const MAX_SIMPLE_KEY = 128;
const STEP = 2;

/** Writes YAML as libyaml's emitter does with the settings of go-yaml v2: block style, lists not indented, folded. */
class Emitter {
  private out = '';
  private column = 0;
  /** Whether a space must follow, after an indicator. */
  private needsSpace = false;
  private readonly path: (string | number)[] = [];

  /**
   * @param isTemplate whether it is the text of a template, which is read as YAML 1.2: lines are not folded in quotes
   * inside actions, where a line break would have a meaning, and U+2028 and U+2029 do not break lines
   * @param marks receives the position of each character of a string
   */
  constructor(
    private readonly isTemplate = false,
    private readonly marks?: CharacterSource[],
  ) {}

  document(value: Value): string {
    this.node(value, 0, 'root', true);
    if (this.column > 0) this.lineBreak('\n');
    return this.out;
  }

  private put(text: string): void {
    this.out += text;
    this.column += text.length;
  }

  private lineBreak(char: string): void {
    this.out += char;
    this.column = 0;
  }

  /** Starts a line, unless this one only has indentation and indicators so far. */
  private startLine(indent: number, isOpen = false): void {
    if (!isOpen && this.column > 0) this.lineBreak('\n');
    if (this.column < indent) this.put(' '.repeat(indent - this.column));
    this.needsSpace = false;
  }

  private indicator(text: string): void {
    this.put(text);
    this.needsSpace = true;
  }

  /** Starts a scalar, or an empty collection. */
  private start(text: string): void {
    this.put(this.needsSpace ? ` ${text}` : text);
    this.needsSpace = false;
  }

  private node(value: Value, indent: number, context: 'root' | 'list' | 'map', isOpen: boolean): void {
    if (typeof value === 'string') this.scalar(value, indent);
    else if (Array.isArray(value)) {
      // A list is not indented under its key.
      this.list(value, context === 'root' || (context === 'map' && !isOpen) ? indent : indent + STEP, isOpen);
    } else if (isMap(value)) this.map(value, context === 'root' ? indent : indent + STEP, isOpen);
    else this.start(typeof value === 'number' ? numberText(value) : String(value));
  }

  private list(items: readonly Value[], indent: number, isOpen: boolean): void {
    if (items.length === 0) this.start('[]');
    for (const [index, item] of items.entries()) {
      this.path.push(index);
      this.startLine(indent, isOpen && index === 0);
      this.indicator('-');
      this.node(item, indent, 'list', true);
      this.path.pop();
    }
  }

  private map(map: ValueMap, indent: number, isOpen: boolean): void {
    const keys = Object.keys(map).sort(compareNaturally);
    if (keys.length === 0) this.start('{}');
    for (const [index, key] of keys.entries()) {
      this.path.push(key);
      this.startLine(indent, isOpen && index === 0);
      const isSimple = !isBreak(key) && byteLength(key) <= MAX_SIMPLE_KEY;
      if (isSimple) this.scalar(key, indent, 'simple key');
      else {
        this.indicator('?');
        this.scalar(key, indent, 'key');
        this.startLine(indent);
      }
      this.indicator(':');
      this.node(ownValue(map, key) ?? null, indent, 'map', !isSimple);
      this.path.pop();
    }
  }

  /** Writes a string, which is indented deeper than its parent; a simple key is not folded. */
  private scalar(text: string, parent: number, role: 'value' | 'key' | 'simple key' = 'value'): void {
    const indent = parent + STEP;
    const style = styleOf(text, role === 'simple key');
    const watch = this.isTemplate ? new QuoteWatch() : undefined;
    const breaksLine = (char = ''): boolean =>
      style !== 'double' && (char === '\n' || (!this.isTemplate && isBreak(char)));
    const chars = [...text];
    const path = this.marks && [...this.path];
    const quote = { plain: '', single: "'", double: '"', literal: '' }[style];
    this.start(style === 'literal' ? literalHeader(chars, breaksLine) : quote);
    if (style === 'literal') this.lineBreak('\n');
    // The emitter escapes everything after a byte order mark at the start.
    const isMarked = style === 'double' && text.startsWith('\ufeff');
    let isBroken = style === 'literal';
    let offset = 0;
    for (const [at, char] of chars.entries()) {
      watch?.next(char);
      if (path !== undefined) this.marks?.push({ at: this.out.length, path, ...(role === 'value' && { offset }) });
      offset += char.length;
      const next = chars[at + 1];
      const mayFold = char === ' ' && this.column > WIDTH && role !== 'simple key' && style !== 'literal' && !isMarked;
      const isInside = at > 0 && next !== undefined && chars[at - 1] !== ' ' && watch?.isQuoted !== true;
      // A backslash before a space is only allowed in double quotes, outside of actions.
      if (mayFold && isInside && (next !== ' ' || (style === 'double' && watch?.isInAction !== true))) {
        this.startLine(indent);
        if (next === ' ') this.put('\\');
      } else if (breaksLine(char)) {
        this.lineBreak(char);
        isBroken = true;
      } else {
        if (isBroken) this.startLine(indent);
        isBroken = false;
        const single = style === 'single' && char === "'" ? "''" : char;
        const written = isMarked
          ? escaped(char.codePointAt(0) ?? 0)
          : style === 'double'
            ? inDoubleQuotes(char)
            : single;
        this.out += written;
        // A character is one column wide, whatever its length in UTF-16.
        this.column += written === char ? 1 : written.length;
      }
    }
    this.put(quote);
  }
}

/** Returns the start of a literal block: whether its indentation is written, and what becomes of the last line breaks. */
function literalHeader(chars: readonly string[], breaksLine: (char?: string) => boolean): string {
  const keep = chars.length === 1 || breaksLine(chars.at(-2)) ? '+' : '';
  return `|${chars[0] === ' ' || isBreak(chars[0] ?? '') ? STEP : ''}${breaksLine(chars.at(-1)) ? keep : '-'}`;
}
