import { getOrCompute } from '../../core/model/lazily.ts';
import type { Source } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import { splitDocuments } from '../../core/text/documents.ts';
import { createLineIndex, type Location, type Position } from '../../core/text/line-index.ts';
import {
  isBlockScalar,
  isSyntaxProblem,
  mergedEntries,
  parseTree,
  type Range,
  resolved,
  textOffset,
  type YamlNode,
} from '../tree/index.ts';

/** A field of a document, or a character of its value. */
export interface FieldPosition {
  /** The whole stream. */
  text: string;
  document: number;
  path: Path;
  /** The offset in the scalar's value at `path`, in UTF-16 units. */
  offset?: number | undefined;
  /** The target of the position; for a map or a list it is always the key. Defaults to 'value'. */
  target?: 'key' | 'value';
}

interface LinePosition extends Position {
  /** One past the last column, if the whole range is on the line. */
  endColumn?: number;
  lineText: string;
}

/** Returns the position of a path, or of its deepest existing part. */
export type Locator = (field: FieldPosition) => LinePosition | undefined;

const MAX_TEXTS = 8;
const MAX_DOCUMENTS = 64;

function recent<K, V>(most: number, compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) =>
    getOrCompute(known, key, () => {
      if (known.size >= most) for (const oldest of [...known.keys()].slice(0, 1)) known.delete(oldest);
      return compute(key);
    });
}

/** Caches the last texts and documents. A document of several texts, as of the versions of a file, is parsed once. */
export function createLocator(): Locator {
  const rootOf = recent(MAX_DOCUMENTS, (document: string): YamlNode | undefined => {
    const tree = parseTree(document);
    return isSyntaxProblem(tree) ? undefined : tree.root;
  });
  const indexOf = recent(MAX_TEXTS, (text: string) => {
    const ranges = splitDocuments(text);
    const documentAt = recent(MAX_DOCUMENTS, (index: number) => {
      const { start, end } = ranges[index] ?? { start: 0, end: 0 };
      const document = text.slice(start, end);
      return { start, document, root: ranges[index] && rootOf(document) };
    });
    return { lines: createLineIndex(text), documentAt };
  });
  return (field) => {
    const { lines, documentAt } = indexOf(field.text);
    const { start, document, root } = documentAt(field.document);
    if (root === undefined) return undefined;
    const range = findRange(document, root, field);
    const [first, last] = [lines.position(start + range.start), lines.position(start + range.end)];
    const location: LinePosition = { ...first, lineText: lines.lineText(first.line) };
    if (range.end > range.start && last.line === first.line) location.endColumn = last.column;
    return location;
  };
}

/** Returns the location of a field of an object; `undefined` for an object without a file. */
export function locationOf(
  locator: Locator,
  source: Source | undefined,
  path: Path,
  offset?: number,
): Location | undefined {
  if (source === undefined) return undefined;
  const { file, text, document } = source;
  const found = locator({ text, document, path: [...source.path, ...path], offset });
  return found && { file, line: found.line, column: found.column };
}

function findRange(text: string, root: YamlNode, { path, target, offset }: FieldPosition): Range {
  let node = root;
  let key: Range | undefined;
  /** The nearest ancestor with a position, for values without text. */
  let above = isEmpty(root) ? pointAt(0) : pointAt(root.start);
  let isWhole = true;
  for (const step of path) {
    const entry = typeof step === 'string' ? mergedEntries(node).get(step) : undefined;
    const value = typeof step === 'string' ? entry?.value : node.kind === 'list' ? node.items[step]?.value : undefined;
    if (value === undefined) {
      isWhole = false;
      break;
    }
    above = key ?? above;
    key = entry?.key;
    node = resolved(value);
  }
  if (isWhole && target === 'key' && key !== undefined) return key;
  const range = valueRange(text, node, isWhole ? offset : undefined);
  return range ?? key ?? (isEmpty(node) ? above : pointAt(node.start));
}

const pointAt = (start: number): Range => ({ start, end: start });

const isEmpty = (node: YamlNode): boolean => node.kind === 'scalar' && node.style === 'empty';

/** Returns the range of a scalar's text; `undefined` for maps, lists and values without text. */
function valueRange(text: string, node: YamlNode, offset: number | undefined): Range | undefined {
  if (node.kind !== 'scalar' || node.style === 'empty' || node.style === 'alias') return undefined;
  if (offset === undefined && !isBlockScalar(node)) return node;
  return pointAt(textOffset(text, node, offset ?? 0));
}
