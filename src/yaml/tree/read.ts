import { lazily } from '../../core/model/lazily.ts';
import { splitDocuments } from '../../core/text/documents.ts';
import { readFlow, readQuoted } from './flow.ts';
import { keyText, match } from './scalar.ts';
import { type DocumentTree, type Entry, emptyNode, type Item, scalarNode, type YamlNode } from './tree.ts';

/**
 * Reads the documents of a stream on demand, without errors, which end the reading of `parseTree`: an invalid line is
 * skipped, and a word without a colon is an incomplete entry. A valid text has the same keys and values, except for
 * aliases, merged keys, tags and keys after `?`, which are not resolved, and words in brackets, which end with the line.
 */
export function readTrees(text: string): DocumentTree[] {
  return splitDocuments(text).map(({ start, end }, index) => {
    const from = start + match(MARKER, text, start).length;
    const root = lazily(() => new Reader(text, end).document(from));
    return {
      index,
      start,
      end,
      get root() {
        return root();
      },
    };
  });
}

const MARKER = /\uFEFF?(?:---(?=[ \t\r\n]|$)(?:[ \t]+#[^\r\n]*)?)?/y;
/** Blank lines, comments and directives, up to the first line with content. */
const BLANK_LINES = /(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n))*/y;
const EMPTY_LINES = /(?:[ \t]*(?:\r\n?|\n))*/y;
const SPACES = /[ \t]*/y;
const PROPERTIES = /(?:[&!][^ \t\r\n]*(?:[ \t]+|(?=[\r\n]|$)))*/y;
/** A key and its colon. Quoted keys may contain anything. */
const KEY =
  /(?:"(?:[^"\\\r\n]|\\.)*"[ \t]*|'(?:[^'\r\n]|'')*'[ \t]*|(?:[^ \t\r\n#&*!|>'"%@`[\]{},:?-]|[?:-](?=[^ \t\r\n]))[^\r\n:#]*(?:(?::(?=[^ \t\r\n])|(?<=[^ \t\r\n])#)[^\r\n:#]*)*):(?=[ \t\r\n]|$)/y;
const WORD = /[^\r\n]*/y;
const COMMENT = /[ \t]+#/y;
const HEADER = /[|>]([0-9]?[+-]?|[+-][0-9])[ \t]*(?:#[^\r\n]*)?(?=\r|\n|$)/y;
const NESTING = 400;

/** Only spaces and tabs are blank in YAML; a byte order mark or a no-break space is a part of a text. */
function lengthWithoutBlanks(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return end;
}

interface LineStart {
  at: number;
  column: number;
}

class Reader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly limit: number,
  ) {}

  document(from: number): YamlNode {
    this.at = from;
    const inline = from + match(SPACES, this.text, from).length;
    const start = this.isLineEnd(inline) ? this.nextContent() : { at: inline, column: inline - from };
    if (start === undefined) return emptyNode(from);
    const root = this.block(start, -1);
    // Text after a broken document may still contain its entries.
    for (let next = this.nextContent(); next !== undefined; next = this.nextContent()) {
      const isEntry = root.kind === 'map' && !root.flow && next.column <= start.column && this.isKey(next.at);
      if (isEntry) this.entries(root.entries, next);
      else this.skipLine(next.at);
    }
    return { ...root, end: Math.max(root.end, root.start) };
  }

  /** Returns the first line with content after what was read. */
  private nextContent(): LineStart | undefined {
    const isLineStart = /^$|[\r\n]/.test(this.text.charAt(this.at - 1));
    const next = this.lineBehind(isLineStart ? this.at : this.lineEnd(this.at), BLANK_LINES);
    return this.isLineEnd(next.at) ? undefined : next;
  }

  private lineBehind(start: number, blanks: RegExp): LineStart {
    const at = start + match(blanks, this.text, start).length;
    const column = match(SPACES, this.text, at).length;
    return { at: at + column, column };
  }

  /** Reports whether the rest of the line is empty or a comment. */
  private isLineEnd(at: number): boolean {
    const char = this.text[at];
    return (
      at >= this.limit ||
      char === '\n' ||
      char === '\r' ||
      (char === '#' && /[ \t\r\n]|^$/.test(this.text[at - 1] ?? ''))
    );
  }

  private lineEnd(at: number): number {
    const feed = this.text.indexOf('\n', at);
    return feed < 0 || feed >= this.limit ? this.limit : feed + 1;
  }

  private skipLine(at: number): void {
    this.at = Math.max(this.lineEnd(at), this.at);
  }

  private isDash(at: number): boolean {
    return this.text[at] === '-' && /[ \t\r\n]|^$/.test(this.text[at + 1] ?? '');
  }

  private isKey(at: number): boolean {
    return match(KEY, this.text, at + match(PROPERTIES, this.text, at).length) !== '';
  }

  /** Reads the block that starts at a position; `parent` is the column of its parent. */
  private block({ at, column }: LineStart, parent: number): YamlNode {
    if (this.depth > NESTING) {
      this.at = this.limit;
      return emptyNode(at);
    }
    this.depth += 1;
    const node = this.isDash(at)
      ? this.list(at, column)
      : this.isKey(at)
        ? this.map(at, column)
        : this.inline(at, parent);
    this.depth -= 1;
    return node;
  }

  /** Reads the lines of a map or a list that starts in a column; `read` reads one that starts there. */
  private lines(start: number, column: number, isList: boolean, read: (line: LineStart) => void): number {
    this.at = start;
    let next: LineStart | undefined = { at: start, column };
    let end = start;
    while (next !== undefined && next.column >= column) {
      const isOwn: boolean = next.column === column && this.isDash(next.at) === isList;
      if (isOwn) read(next);
      else if (isList && next.column === column) break;
      else this.skipLine(next.at);
      end = this.at;
      next = this.nextContent();
    }
    return end;
  }

  private map(start: number, column: number): YamlNode {
    const entries: Entry[] = [];
    const end = this.lines(start, column, false, (line) => this.entries(entries, line));
    return { kind: 'map', start, end, flow: false, entries };
  }

  private list(start: number, column: number): YamlNode {
    const items: Item[] = [];
    const end = this.lines(start, column, true, ({ at: dash }) => {
      items.push({ dash, value: this.value(dash + 1, column, dash) });
    });
    return { kind: 'list', start, end, flow: false, items };
  }

  private entries(entries: Entry[], { at, column }: LineStart): void {
    const keyStart = at + match(PROPERTIES, this.text, at).length;
    const found = match(KEY, this.text, keyStart);
    if (found === '') {
      const word = match(WORD, this.text, keyStart).replace(/(?<!\s)\s+(#.*)?$/s, '');
      const key = scalarNode('plain', keyStart, keyStart + word.length);
      entries.push({ key, name: word.replace(/^\? */, ''), complete: false, value: emptyNode(key.end) });
      this.skipLine(at);
      return;
    }
    const colon = keyStart + found.length - 1;
    const end = keyStart + lengthWithoutBlanks(found.slice(0, -1));
    const style = found.startsWith('"') ? 'double' : found.startsWith("'") ? 'single' : 'plain';
    const key = scalarNode(style, keyStart, end, style === 'plain' ? 0 : 1);
    const value = this.value(colon + 1, column);
    entries.push({ key, name: keyText(this.text, key), complete: true, value });
  }

  /** Reads the value after a colon, or after a dash, in whose line a map or a list may begin. */
  private value(from: number, column: number, dash?: number): YamlNode {
    this.at = from;
    const at = from + match(SPACES, this.text, from).length;
    const content = at + match(PROPERTIES, this.text, at).length;
    if (this.isLineEnd(content)) return this.below(from, column, dash === undefined);
    if (dash !== undefined && (this.isDash(content) || this.isKey(content)))
      return this.block({ at: content, column: column + (content - dash) }, column);
    return this.inline(content, column);
  }

  /** Reads the lines below a key or a dash, if they belong to it. */
  private below(from: number, column: number, mayBeList: boolean): YamlNode {
    this.at = from;
    const next = this.nextContent();
    const isList = mayBeList && next?.column === column && this.isDash(next.at);
    if (next !== undefined && (next.column > column || isList)) return this.block(next, column);
    this.at = this.lineEnd(from);
    return emptyNode(from);
  }

  private inline(at: number, column: number): YamlNode {
    const char = this.text[at] as string;
    if (char === '|' || char === '>') {
      const header = match(HEADER, this.text, at);
      if (header !== '') return this.blockScalar(at, header, column);
    }
    const read = '{['.includes(char) ? readFlow : '"\''.includes(char) ? readQuoted : undefined;
    const node = read
      ? read(this.text, at, this.flowLimit(at, column, read === readQuoted))
      : this.plain(at, char, column);
    // Only a comment may follow; the rest of the line is skipped.
    this.at = Math.max(this.lineEnd(node.end), node.end);
    return node;
  }

  /** A quoted or bracketed value ends at a less indented line, except for a closing bracket. */
  private flowLimit(at: number, column: number, isQuoted: boolean): number {
    let end = this.lineEnd(at);
    while (end < this.limit) {
      // In quotes, `#` begins no comment.
      const next = this.lineBehind(end, isQuoted ? EMPTY_LINES : BLANK_LINES);
      if (next.at >= this.limit) return this.limit;
      const isClosing = /[\]}"']/.test(this.text.charAt(next.at)) && !this.isKey(next.at);
      if (next.column <= column && !isClosing) return end;
      end = this.lineEnd(next.at);
    }
    return end;
  }

  private plain(at: number, char: string, column: number): YamlNode {
    let end = this.plainLine(at);
    for (let next = this.lineEnd(end); next < this.limit; ) {
      const { at: content, column: indent } = this.lineBehind(next, EMPTY_LINES);
      const isMore = content < this.limit && indent > column && this.text[content] !== '#';
      if (!isMore || this.isKey(content) || match(COMMENT, this.text, end) !== '') break;
      end = this.plainLine(content);
      next = this.lineEnd(end);
    }
    return scalarNode(char === '*' ? 'alias' : 'plain', at, end);
  }

  private plainLine(at: number): number {
    const line = this.text.slice(at, this.lineEnd(at)).replace(/(?<![\r\n])[\r\n]+$/, '');
    const comment = line.search(/[ \t]#/);
    return at + lengthWithoutBlanks(comment < 0 ? line : line.slice(0, comment));
  }

  private blockScalar(start: number, header: string, column: number): YamlNode {
    const digit = /[1-9]/.exec(header)?.[0];
    const innerStart = this.lineEnd(start);
    const first = innerStart + match(/(?:[ ]*(?:\r\n?|\n))*/y, this.text, innerStart).length;
    const written = digit ? Math.max(column, 0) + Number(digit) : match(/ */y, this.text, first).length;
    const indent = Math.max(written, column + 1);
    let end = innerStart;
    for (let at = innerStart; at < this.limit; at = this.lineEnd(at)) {
      const spaces = match(/ */y, this.text, at).length;
      const isBlank = /[\r\n]/.test(this.text[at + spaces] ?? '\n') || at + spaces >= this.limit;
      if (!isBlank && spaces < indent) break;
      end = this.lineEnd(at);
    }
    this.at = end;
    return {
      ...scalarNode(header.startsWith('|') ? 'literal' : 'folded', start, end),
      innerStart,
      innerEnd: end,
      indent,
      chomp: header.includes('-') ? '-' : header.includes('+') ? '+' : '',
    };
  }
}
