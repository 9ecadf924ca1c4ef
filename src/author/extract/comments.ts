import type { Source } from '../../core/model/object.ts';
import { equal, type Path } from '../../core/model/value.ts';
import { splitDocuments } from '../../core/text/documents.ts';
import { countUpTo } from '../../core/text/line-index.ts';
import { isSyntaxProblem, nodeAt, parseTree, treeValue, walkTree, type YamlNode } from '../../yaml/tree/index.ts';
import type { Node } from './model.ts';

/** The text of an RGD with the comments of the copies, and how many of them it has. */
export interface Commented {
  readonly text: string;
  readonly kept: number;
  /** Those of parts that became expressions. */
  readonly dropped: number;
}

/** The comments of one field or item: the lines above it, and the end of its line. */
interface Comment {
  readonly path: Path;
  readonly above: readonly string[];
  readonly beside: string;
}

/** A line of a document, with the first key or item in it. */
interface Line {
  readonly start: number;
  readonly end: number;
  path?: Path;
  /** The end of the last text in it, if none that continues in the next line is open there. */
  textEnd: number;
  /** Whether it is inside a text of several lines. */
  isInside: boolean;
}

/**
 * Adds the comments of the copies whose texts became templates: of the first copy that has the object. A comment of a
 * part that became an expression is dropped.
 */
export function withComments(rgd: string, nodes: readonly Node[]): Commented {
  const comments = new Map<string, Comment>();
  const known = new Set<string>();
  let all = 0;
  for (const [index, { inputs }] of nodes.entries()) {
    const source = inputs.find((input) => input !== undefined)?.source;
    if (source === undefined || !source.text.includes('#')) continue;
    const at: Path = ['spec', 'resources', index];
    for (const comment of commentsIn(source)) {
      const isHead = comment.path.length === 0;
      const text = comment.above.join('\n');
      // The licence of a file is above each of its objects.
      if (isHead && known.has(text)) continue;
      known.add(text);
      const path = isHead ? at : [...at, 'template', ...comment.path];
      comments.set(JSON.stringify(path), { ...comment, path });
      all += 1;
    }
  }
  const written = comments.size === 0 ? undefined : insert(rgd, comments);
  return written === undefined ? { text: rgd, kept: 0, dropped: all } : { ...written, dropped: all - written.kept };
}

/** Inserts comments into a text; `undefined` if its value would be another one. */
function insert(text: string, comments: ReadonlyMap<string, Comment>): { text: string; kept: number } | undefined {
  const tree = parseTree(text);
  if (isSyntaxProblem(tree)) return undefined;
  let kept = 0;
  let result = '';
  let from = 0;
  for (const line of linesOf(text, tree.root)) {
    const comment = line.path === undefined ? undefined : comments.get(JSON.stringify(line.path));
    if (comment === undefined) continue;
    const { above, beside } = comment;
    kept += 1;
    const written = text.slice(line.start, line.end);
    const margin = /^ */.exec(written)?.[0] ?? '';
    const isOpen = line.textEnd < 0 || /[|>][-+\d]*$/.test(written);
    const lines = isOpen && beside !== '' ? [...above, beside] : above;
    result += text.slice(from, line.start) + lines.map((one) => `${margin}${one}\n`).join('') + written;
    if (!isOpen && beside !== '') result += ` ${beside}`;
    from = line.end;
  }
  result += text.slice(from);
  const commented = parseTree(result);
  const isSame = !isSyntaxProblem(commented) && equal(treeValue(result, commented.root), treeValue(text, tree.root));
  return isSame ? { text: result, kept } : undefined;
}

/** Returns the comments of an object, with paths in it; those above its first field have the path []. */
function commentsIn({ text, document, path }: Source): Comment[] {
  const range = splitDocuments(text)[document];
  const own = range === undefined ? '' : text.slice(range.start, range.end);
  const tree = parseTree(own);
  if (isSyntaxProblem(tree)) return [];
  const root = nodeAt(tree.root, path);
  if (root === undefined) return [];
  const comments: Comment[] = [];
  let above: string[] = [];
  let isFirst = true;
  for (const line of linesOf(own, root)) {
    const written = own.slice(line.start, line.end);
    if (line.path === undefined) {
      if (line.isInside) continue;
      const comment = /^[ \t]*(#.*)$/.exec(written)?.[1]?.trimEnd();
      if (comment !== undefined) above.push(comment);
      continue;
    }
    const beside = line.textEnd < 0 ? '' : (/^[^#]*[ \t](#.*)$/.exec(own.slice(line.textEnd, line.end))?.[1] ?? '');
    const lines = usable(above);
    above = [];
    if (isFirst && lines.length > 0) comments.push({ path: [], above: lines, beside: '' });
    const rest = isFirst ? [] : lines;
    isFirst = false;
    if (rest.length > 0 || beside !== '') comments.push({ path: line.path, above: rest, beside: beside.trimEnd() });
  }
  return comments;
}

/** Returns the lines of a comment; none of one that is a Secret, and none for an editor, whose schema is another one. */
function usable(lines: readonly string[]): readonly string[] {
  if (lines.some((line) => /kind["']?\s*:\s*["']?Secret\b/.test(line))) return [];
  return lines.filter((line) => !/^#\s*yaml-language-server\s*:/.test(line));
}

/** Returns the lines of a document with their first keys or items, whose paths are relative to a node. */
function linesOf(text: string, root: YamlNode): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const last = end < 0 ? text.length : end;
    const length = text[last - 1] === '\r' ? last - 1 : last;
    lines.push({ start, end: length, textEnd: -1, isInside: false });
    start = last + 1;
  }
  const lineAt = (offset: number): number => countUpTo(offset, lines.length, (at) => (lines[at] as Line).start) - 1;
  const begin = (offset: number, path: Path): void => {
    const line = lines[lineAt(offset)];
    if (line !== undefined && line.path === undefined) line.path = path;
  };
  const end = (from: number, to: number): void => {
    const first = lineAt(from);
    const last = lineAt(Math.max(from, to - 1));
    const line = lines[first];
    if (line !== undefined && first === last) line.textEnd = Math.max(line.textEnd, to);
    else if (line !== undefined) line.textEnd = -1;
    for (const inside of lines.slice(first + 1, last + 1)) inside.isInside = true;
  };
  walkTree(root, (node, path, entry) => {
    if (entry !== undefined) {
      begin(entry.key.start, path);
      end(entry.key.start, entry.key.end);
    }
    if (node.kind === 'list') for (const [index, { dash }] of node.items.entries()) begin(dash, [...path, index]);
    if (node.kind === 'scalar' && node.style !== 'empty') end(node.start, node.end);
  });
  return lines;
}
