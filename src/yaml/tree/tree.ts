/** Offsets in a text, in UTF-16 units. */
export interface Range {
  /** The start, including a quote or a bracket; an anchor or a tag is before it. */
  start: number;
  end: number;
}

/** A part of a document, which may be incomplete. */
export type YamlNode = ScalarNode | MapNode | ListNode;

/** `complex` is a key that is a map or a list. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'alias' | 'empty' | 'complex';

/** A scalar, or an alias. `empty` is one without a text, after its colon, dash or anchor. */
export interface ScalarNode extends Range {
  kind: 'scalar';
  style: ScalarStyle;
  /** The start of the text between the quotes; of a block scalar that of the lines after its header. */
  innerStart: number;
  innerEnd: number;
  /** The indentation of the lines of a block scalar. */
  indent: number;
  chomp: '' | '-' | '+';
  unclosed: boolean;
  /** The full name of its tag. */
  tag?: string;
  anchor?: string;
  /** The node with the anchor of an alias, if `parseTree` found it; the content of a complex key. */
  target?: YamlNode;
}

export interface MapNode extends Range {
  kind: 'map';
  flow: boolean;
  entries: Entry[];
  anchor?: string;
}

export interface Entry {
  key: ScalarNode;
  /** The key as Kubernetes reads it; '' for a complex one. */
  name: string;
  /** False for a word without a colon. */
  complete: boolean;
  value: YamlNode;
}

export interface ListNode extends Range {
  kind: 'list';
  flow: boolean;
  items: Item[];
  anchor?: string;
}

export interface Item {
  /** The position of its `-`, or of its start in brackets. */
  dash: number;
  value: YamlNode;
}

export interface DocumentTree extends Range {
  index: number;
  readonly root: YamlNode;
}

/** A valid document. */
export interface SyntaxTree {
  root: YamlNode;
  /** All aliases, in their order. */
  aliases: readonly ScalarNode[];
  hasTags: boolean;
}

export const emptyNode = (at: number): ScalarNode => scalarNode('empty', at, at);

export const scalarNode = (style: ScalarStyle, start: number, end: number, quote = 0): ScalarNode => ({
  kind: 'scalar',
  style,
  start,
  end,
  innerStart: start + quote,
  innerEnd: end - quote,
  indent: 0,
  chomp: '',
  unclosed: false,
});

/** Maps with more entries have an index. */
const MOST_SEARCHED = 16;
const indexes = new WeakMap<MapNode, { size: number; byName: ReadonlyMap<string, Entry> }>();

/** Returns the complete entries of a map by their names; the last one of several. */
function indexOf(map: MapNode): ReadonlyMap<string, Entry> {
  const known = indexes.get(map);
  if (known?.size === map.entries.length) return known.byName;
  const byName = new Map<string, Entry>();
  for (const entry of map.entries) if (entry.complete) byName.set(entry.name, entry);
  indexes.set(map, { size: map.entries.length, byName });
  return byName;
}

/** Returns the entry of a key; the last one of several. Merged keys are not included. */
export function entryOf(node: YamlNode | undefined, name: string): Entry | undefined {
  if (node?.kind !== 'map') return undefined;
  if (node.entries.length > MOST_SEARCHED) return indexOf(node).get(name);
  return node.entries.findLast((entry) => entry.name === name && entry.complete);
}

/** Returns the node at a path of keys and indexes, if it is written there: not in the node of an alias. */
export function nodeAt(root: YamlNode | undefined, path: readonly (string | number)[]): YamlNode | undefined {
  let node = root;
  for (const step of path) {
    if (typeof step === 'string') node = entryOf(node, step)?.value;
    else node = node?.kind === 'list' ? node.items[step]?.value : undefined;
  }
  return node;
}

/** Returns the node that an alias refers to, and any other node itself. */
export const resolved = (node: YamlNode): YamlNode =>
  node.kind === 'scalar' && node.target !== undefined ? node.target : node;

export const isAlias = (node: YamlNode): boolean => node.kind === 'scalar' && node.style === 'alias';

export const isBlockScalar = (node: YamlNode): boolean =>
  node.kind === 'scalar' && (node.style === 'literal' || node.style === 'folded');

const MERGE_TAG = 'tag:yaml.org,2002:merge';

export const isMergeKey = ({ key, name }: Entry): boolean =>
  name === '<<' && (key.tag === undefined ? key.style === 'plain' : key.tag === MERGE_TAG);

/** Visits every scalar with a text and every alias, keys included, in the order of the text. */
export function visitScalars(node: YamlNode, visit: (scalar: ScalarNode) => void): void {
  if (node.kind === 'list') for (const { value } of node.items) visitScalars(value, visit);
  else if (node.kind === 'map') {
    for (const { key, value } of node.entries) {
      visitScalars(key, visit);
      visitScalars(value, visit);
    }
  } else if (node.style === 'complex') visitScalars(node.target as YamlNode, visit);
  else if (node.style !== 'empty') visit(node);
}

export const contains = (outer: Range, inner: Range): boolean => outer.start <= inner.start && inner.end <= outer.end;

const allEntries = new WeakMap<MapNode, ReadonlyMap<string, Entry>>();

/** Returns the entries of a map with those of `<<`, which its own ones replace. Aliases are resolved. */
export function mergedEntries(node: YamlNode): ReadonlyMap<string, Entry> {
  const map = resolved(node);
  if (map.kind !== 'map') return new Map();
  const known = allEntries.get(map);
  if (known !== undefined) return known;
  const entries = new Map<string, Entry>();
  const written = new Set<string>();
  for (const entry of map.entries) {
    if (isMergeKey(entry)) {
      for (const [name, merged] of mergeSources(entry).flatMap((source) => [...mergedEntries(source)])) {
        if (!written.has(name)) entries.set(name, merged);
      }
    } else if (entry.key.style !== 'complex') {
      entries.set(entry.name, entry);
      written.add(entry.name);
    }
  }
  allEntries.set(map, entries);
  return entries;
}

/** Returns the maps that a merge key names; the entries of later ones replace those of earlier ones. */
function mergeSources({ value }: Entry): YamlNode[] {
  const source = resolved(value);
  return source.kind === 'list' ? source.items.map((item) => item.value).toReversed() : [source];
}

export function walkTree(
  node: YamlNode,
  visit: (node: YamlNode, path: readonly (string | number)[], entry?: Entry) => void,
  path: readonly (string | number)[] = [],
  entry?: Entry,
): void {
  visit(node, path, entry);
  if (node.kind === 'map') {
    for (const one of node.entries) walkTree(one.value, visit, [...path, one.name], one);
  } else if (node.kind === 'list') {
    node.items.forEach((item, index) => {
      walkTree(item.value, visit, [...path, index]);
    });
  }
}
