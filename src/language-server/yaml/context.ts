import type { Path } from '../../core/model/value.ts';
import { columnOf } from '../../yaml/edit/index.ts';
import { type Entry, emptyNode, type MapNode, readTrees, walkTree, type YamlNode } from '../../yaml/tree/index.ts';

/** The position of the cursor outside of expressions. */
export interface WritingContext {
  isKey: boolean;
  /** Of the map of the key, or of the value. */
  path: Path;
  /** The text before the cursor, in the range that is replaced. */
  prefix: string;
  start: number;
  end: number;
  siblings: string[];
  hasColon: boolean;
  isItem: boolean;
  /** The document without the current word. */
  text: string;
  root: YamlNode;
}

const KEY_LINE = /^(\s*(?:-[ \t]+)*)((?:["'][^"']*|[\w.\-/$@]*))$/;
const VALUE_LINE = /^(\s*(?:-[ \t]+)*)("[^"]*"|'[^']*'|(?!-[ \t])[^\s#:"'][^:#]*):[ \t]+(.*)/s;

/** Returns the context at an offset; `undefined` if nothing can be completed, such as in a comment. */
export function writingAt(text: string, offset: number): WritingContext | undefined {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const before = text.slice(lineStart, offset);
  const after = /^[^\r\n]*/.exec(text.slice(offset))?.[0] ?? '';
  const value = VALUE_LINE.exec(before);
  const match = value ?? KEY_LINE.exec(before);
  if (match === null) return undefined;
  const isKey = value === null;
  const [, indent = '', name = '', written = ''] = match;
  const key = isKey ? name : name.trimEnd();
  const keyStart = lineStart + indent.length;
  const patched = blanked(text, keyStart, offset + after.length);
  const place = placeIn(patched, keyStart, indent.length);
  if (place === undefined) return undefined;
  const prefix = isKey ? key : written.replace(/^["']/, '');
  const rest = (isKey ? /^[\w.\-/"']*/ : /^[^\s#,"']*/).exec(after)?.[0] ?? '';
  return {
    isKey,
    path: isKey ? place.path : [...place.path, key.replace(/^["']|["']$/g, '')],
    prefix,
    start: offset - prefix.length,
    end: offset + rest.length,
    siblings: place.map?.entries.filter(({ complete }) => complete).map(({ name }) => name) ?? [],
    hasColon: /^[ \t]*:(?=\s|$)/.test(after.slice(rest.length)),
    isItem: /-[ \t]+$/.test(indent),
    text: isKey ? patched : text,
    root: place.root,
  };
}

/** Returns the context of an item of a flow list, such as `[a, b]`, that a value begins with; others as they are. */
export function inFlowList(context: WritingContext): WritingContext {
  const { isKey, prefix, start, end, path, text } = context;
  if (isKey || !prefix.startsWith('[') || prefix.includes(']') || prefix.includes('{')) return context;
  const begun = Math.max(prefix.lastIndexOf(','), prefix.lastIndexOf('[')) + 1;
  const item = prefix.slice(begun).trimStart().replace(/^["']/, '');
  const itemStart = start + prefix.length - item.length;
  const rest = text.slice(start + prefix.length, end);
  const closing = rest.search(/[\]}]/);
  return {
    ...context,
    prefix: item,
    start: itemStart,
    // The brackets that close the list are not a part of the item.
    end: closing < 0 ? end : start + prefix.length + closing,
    path: [...path, prefix.split(',').length - 1],
  };
}

const blanked = (text: string, start: number, end: number): string =>
  text.slice(0, start) + ' '.repeat(Math.max(0, end - start)) + text.slice(end);

interface MapContext {
  path: Path;
  map: MapNode | undefined;
  /** Of its document. */
  root: YamlNode;
}

function placeIn(text: string, at: number, column: number): MapContext | undefined {
  const trees = readTrees(text);
  const root = (trees.findLast(({ start }) => start <= at) ?? trees[0])?.root ?? emptyNode(0);
  /** Returns the map of a key at the column, or the path at which one would begin. */
  const mapAt = (node: YamlNode, path: Path): Omit<MapContext, 'root'> | undefined => {
    if (node.kind === 'scalar') return node.style === 'empty' ? { path, map: undefined } : undefined;
    if (node.flow) return undefined;
    const own = columnOf(text, node.start);
    if (node.kind === 'list') {
      const index = node.items.findLastIndex(({ dash }) => dash < at);
      const item = node.items[index];
      return item === undefined || column <= own ? undefined : mapAt(item.value, [...path, index]);
    }
    if (own === column) return { path, map: node };
    const entry = node.entries.findLast(({ key, complete }) => key.start < at && complete);
    return entry === undefined || column < own ? undefined : mapAt(entry.value, [...path, entry.name]);
  };
  const found = mapAt(root, []);
  return found && { ...found, root };
}

/** Returns what a function returns for the nodes of a tree, in the order of the text. */
export function collect<T>(
  root: YamlNode | undefined,
  of: (node: YamlNode, path: Path, entry: Entry | undefined) => readonly T[],
): T[] {
  const found: T[] = [];
  if (root === undefined) return found;
  walkTree(root, (node, path, entry) => {
    for (const one of of(node, path, entry)) found.push(one);
  });
  return found;
}
