import { columnOf, type Edit, lineStart } from '../../yaml/edit/index.ts';
import { isBlockScalar, type ScalarNode, type YamlNode } from '../../yaml/tree/index.ts';

const STEP = 2;

/** Returns the edits that indent every map and list of a document by two spaces, and remove spaces at the end of lines. */
export function indentEdits(text: string, root: YamlNode): Edit[] {
  const layout = new Layout(text);
  layout.place(root, 0);
  return layout.finish();
}

interface Line {
  start: number;
  /** The indentation as written. */
  before: number;
  /** The new one. */
  after: number;
}

class Layout {
  private readonly edits: Edit[] = [];
  /** Lines that begin with a key or a dash, in their order. */
  private readonly placed: Line[] = [];
  /** The starts of lines inside of scalars and brackets. */
  private readonly inner = new Set<number>();
  /** Lines whose end belongs to a text. */
  private readonly verbatim = new Set<number>();

  constructor(private readonly text: string) {}

  /** Moves a block node to a column. */
  place(node: YamlNode, column: number): void {
    if (node.kind === 'scalar' || node.flow) return;
    const parts =
      node.kind === 'map'
        ? node.entries.map(({ key, value }) => ({ start: key.start, end: key.end, marker: ':', value }))
        : node.items.map(({ dash, value }) => ({ start: dash, end: dash, marker: '-', value }));
    for (const { start, end, marker, value } of parts) {
      this.begin(start, column);
      this.space(end, value.start, marker);
      this.content(start, value, column);
    }
  }

  /** Moves the first token of a line. */
  private begin(at: number, column: number): void {
    const start = lineStart(this.text, at);
    if (/^ *$/.test(this.text.slice(start, at))) this.placed.push({ start, before: at - start, after: column });
  }

  /** Leaves one space between a marker and a value on the same line. */
  private space(from: number, to: number, marker: string): void {
    const between = this.text.slice(from, to);
    if (!/^[ \t]*[:-][ \t]+$/.test(between) || !between.includes(marker)) return;
    this.edits.push({ start: from, end: to, text: `${marker} ` });
  }

  private content(parent: number, value: YamlNode, column: number): void {
    if (value.kind !== 'scalar' && !value.flow) this.place(value, column + STEP);
    else this.continued(parent, value, column);
  }

  /** Moves the lines of a scalar or of a value in brackets, after that of its key or dash. */
  private continued(parent: number, value: YamlNode, column: number): void {
    const from = columnOf(this.text, parent);
    const isBlock = value.kind === 'scalar' && isBlockScalar(value);
    const isScalar = value.kind === 'scalar';
    for (let start = this.nextLine(parent); start !== undefined && start < value.end; start = this.nextLine(start)) {
      const before = /^ */.exec(this.text.slice(start, start + 1000))?.[0].length ?? 0;
      if (this.text[start + before] === '#' && start < value.start) continue;
      this.inner.add(start);
      if (isScalar) this.verbatim.add(start);
      const moved = isBlock
        ? this.blockIndent(value, parent, from, column) - value.indent
        : isScalar
          ? Math.max(column + STEP, before + column - from) - before
          : column - from;
      const isMoved = isBlock ? before >= value.indent : !/^[\r\n]/.test(this.text.slice(start + before));
      if (isMoved) this.indent({ start, before, after: before + moved });
    }
  }

  /** Returns the new indentation of the lines of a block scalar. */
  private blockIndent(value: ScalarNode, parent: number, from: number, column: number): number {
    const isExplicit = /[|>][+-]?[1-9][+-]?[^\n\r]*\r?\n?$/.test(this.text.slice(parent, value.innerStart));
    return isExplicit ? value.indent + column - from : column + STEP;
  }

  private nextLine(at: number): number | undefined {
    const end = this.text.indexOf('\n', at);
    return end < 0 || end + 1 >= this.text.length ? undefined : end + 1;
  }

  private indent({ start, before, after }: Line): void {
    if (before !== after) this.edits.push({ start, end: start + before, text: ' '.repeat(Math.max(0, after)) });
  }

  /** Returns the edits, also those of comments and blank lines. */
  finish(): Edit[] {
    const { text, placed, inner, verbatim } = this;
    const known = new Set(placed.map(({ start }) => start));
    for (const line of placed) this.indent(line);
    for (let start: number | undefined = 0, next = 0; start !== undefined; start = this.nextLine(start)) {
      while ((placed[next]?.start ?? Number.POSITIVE_INFINITY) <= start) next += 1;
      const lineBreak = text.indexOf('\n', start);
      const written = text.slice(start, lineBreak < 0 ? text.length : lineBreak);
      const content = written.trimEnd();
      const spaces = content.length - content.trimStart().length;
      const end = start + written.replace(/\r$/, '').length;
      const isInner = inner.has(start);
      if (content !== '' ? !verbatim.has(start) : !isInner) {
        this.edits.push({ start: start + content.length, end, text: '' });
      }
      if (content.startsWith('#', spaces) && !known.has(start) && !isInner) {
        this.indent(this.commentLine(start, spaces, next));
      }
    }
    return this.edits.filter(({ start, end, text: changed }) => text.slice(start, end) !== changed);
  }

  /** A comment moves with the nearest line in its column, or as the next line. */
  private commentLine(start: number, before: number, next: number): Line {
    const { placed } = this;
    const behind = placed[next];
    if (behind?.before === before) return { start, before, after: behind.after };
    for (let index = next - 1; index >= 0 && (placed[index] as Line).before >= before; index -= 1) {
      const line = placed[index] as Line;
      if (line.before === before) return { start, before, after: line.after };
    }
    const near = behind ?? placed[next - 1];
    return { start, before, after: near === undefined ? before : Math.max(0, before + near.after - near.before) };
  }
}
