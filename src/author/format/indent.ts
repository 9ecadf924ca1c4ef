import { columnOf, type Edit, lineStart } from '../../yaml/edit/index.ts';
import { isBlockScalar, type YamlNode } from '../../yaml/tree/index.ts';

const STEP = 2;

/** A line that begins with a key or a dash: its start, its indentation as written, and the new one. */
interface Line {
  start: number;
  before: number;
  after: number;
}

/** Returns the edits that indent every map and list by two spaces, and remove spaces at the end of lines. */
export function indentEdits(text: string, root: YamlNode): Edit[] {
  const edits: Edit[] = [];
  /** Lines that begin with a key or a dash, in their order. */
  const placed: Line[] = [];
  /** The starts of lines inside of scalars and brackets; those whose end belongs to a text are `true`. */
  const inner = new Map<number, boolean>();
  const edit = (start: number, end: number, written: string): void => {
    if (text.slice(start, end) !== written) edits.push({ start, end, text: written });
  };
  /** Returns the line with the indicators of a block. */
  const headerOf = (end: number, parent: number): string => text.slice(Math.max(parent, lineStart(text, end - 1)), end);
  const indent = ({ start, before, after }: Line): void => edit(start, start + before, ' '.repeat(Math.max(0, after)));

  /** Moves a block node to a column. */
  const place = (node: YamlNode, column: number): void => {
    if (node.kind === 'scalar' || node.flow) return;
    const parts =
      node.kind === 'map'
        ? node.entries.map(({ key, value }) => ({ at: key.start, end: key.end, marker: ':', value }))
        : node.items.map(({ dash, value }) => ({ at: dash, end: dash, marker: '-', value }));
    for (const { at, end, marker, value } of parts) {
      const start = lineStart(text, at);
      if (/^ *$/.test(text.slice(start, at))) placed.push({ start, before: at - start, after: column });
      // One space between a marker and a value on the same line.
      const between = text.slice(end, value.start);
      if (/^[ \t]*[:-][ \t]+$/.test(between) && between.includes(marker)) edit(end, value.start, `${marker} `);
      if (value.kind !== 'scalar' && !value.flow) place(value, column + STEP);
      else moveLines(at, value, column);
    }
  };
  /** Moves the lines of a scalar or of a value in brackets, after that of its key or dash. */
  const moveLines = (parent: number, value: YamlNode, column: number): void => {
    const from = columnOf(text, parent);
    const isScalar = value.kind === 'scalar';
    const block = isScalar && isBlockScalar(value) ? value : undefined;
    const isExplicit = block && /[|>][+-]?[1-9][+-]?[^\n\r]*\r?\n?$/.test(headerOf(block.innerStart, parent));
    for (let start = nextLine(text, parent); start !== undefined && start < value.end; start = nextLine(text, start)) {
      const before = /^ */.exec(text.slice(start, start + 1000))?.[0].length ?? 0;
      if (text[start + before] === '#' && start < value.start) continue;
      inner.set(start, isScalar);
      if (block ? before < block.indent : /^[\r\n]/.test(text.slice(start + before))) continue;
      const scalar = block ? before + column + STEP - block.indent : Math.max(column + STEP, before + column - from);
      indent({ start, before, after: isScalar && !isExplicit ? scalar : before + column - from });
    }
  };
  place(root, 0);
  for (const line of placed) indent(line);
  const known = new Set(placed.map(({ start }) => start));
  for (let start: number | undefined = 0, next = 0; start !== undefined; start = nextLine(text, start)) {
    while ((placed[next]?.start ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const lineBreak = text.indexOf('\n', start);
    const written = text.slice(start, lineBreak < 0 ? text.length : lineBreak);
    const content = written.trimEnd();
    const before = content.length - content.trimStart().length;
    const isText = inner.get(start);
    if (content !== '' ? isText !== true : isText === undefined)
      edit(start + content.length, start + written.replace(/\r$/, '').length, '');
    if (content.startsWith('#', before) && !known.has(start) && isText === undefined)
      indent({ start, before, after: commentColumn(placed, before, next) });
  }
  return edits;
}

function nextLine(text: string, at: number): number | undefined {
  const end = text.indexOf('\n', at);
  return end < 0 || end + 1 >= text.length ? undefined : end + 1;
}

/** A comment moves with the nearest line in its column, or as the next line. */
function commentColumn(placed: readonly Line[], before: number, next: number): number {
  const behind = placed[next];
  if (behind?.before === before) return behind.after;
  for (let index = next - 1; index >= 0 && (placed[index] as Line).before >= before; index -= 1) {
    const line = placed[index] as Line;
    if (line.before === before) return line.after;
  }
  const near = behind ?? placed[next - 1];
  return near === undefined ? before : Math.max(0, before + near.after - near.before);
}
