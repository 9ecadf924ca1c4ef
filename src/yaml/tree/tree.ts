/** A document with positions, in a text that may be incomplete. Offsets count UTF-16 units of the whole text. */
export type YamlNode = ScalarNode | MapNode | ListNode;

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'alias' | 'empty';

interface Stretch {
  /** The start, including a quote or a bracket; an anchor or a tag is before it. */
  start: number;
  end: number;
}

export interface ScalarNode extends Stretch {
  kind: 'scalar';
  style: ScalarStyle;
  /** The start of the text between the quotes; of a block scalar that of the lines after its header. */
  innerStart: number;
  innerEnd: number;
  /** The indentation of the lines of a block scalar. */
  indent: number;
  /** The chomping indicator of a block scalar. */
  chomp: '' | '-' | '+';
  /** Whether the final quote is missing. */
  unclosed: boolean;
}

export interface MapNode extends Stretch {
  kind: 'map';
  /** The column of its keys, from 0; -1 in brackets. */
  column: number;
  entries: Entry[];
}

export interface Entry {
  key: ScalarNode;
  name: string;
  /** The position of the `:`; -1 for a word without one, which is an incomplete entry. */
  colon: number;
  value: YamlNode;
}

interface ListNode extends Stretch {
  kind: 'list';
  /** The column of its dashes, from 0; -1 in brackets. */
  column: number;
  items: Item[];
}

export interface Item {
  /** The position of its `-`, or of its start in brackets. */
  dash: number;
  value: YamlNode;
}

export interface DocumentTree extends Stretch {
  /** The index in the stream. */
  index: number;
  readonly root: YamlNode;
}

export const emptyNode = (at: number): ScalarNode => ({
  kind: 'scalar',
  style: 'empty',
  start: at,
  end: at,
  innerStart: at,
  innerEnd: at,
  indent: 0,
  chomp: '',
  unclosed: false,
});

/** Returns the entry of a key; the last one of several. */
export const entryOf = (node: YamlNode | undefined, name: string): Entry | undefined =>
  node?.kind === 'map' ? node.entries.findLast((entry) => entry.name === name && entry.colon >= 0) : undefined;

/** Returns the node at a path of keys and indexes. */
export function nodeAt(root: YamlNode | undefined, path: readonly (string | number)[]): YamlNode | undefined {
  let node = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === 'string') node = entryOf(node, step)?.value;
    else node = node.kind === 'list' ? node.items[step]?.value : undefined;
  }
  return node;
}

/** Visits every node with its path. */
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
