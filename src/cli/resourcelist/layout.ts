import type { KubeObject } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import {
  behindNode,
  blockLines,
  columnOf,
  type Edit,
  Entangled,
  flowText,
  hasQuotes,
  isLineStart,
  lineBreakOf,
  lineStart,
  type Nodes,
  type TextEntry,
  type TextNode,
  withoutFlowParts,
} from '../../yaml/edit/index.ts';
import { itemWriter } from '../../yaml/emit/index.ts';

/** The changes of the items of a list. */
export interface Moves {
  /** The indexes of removed items. */
  removed: ReadonlySet<number>;
  /** The objects to add after an item, by its index. */
  added: ReadonlyMap<number, readonly KubeObject[]>;
}

/** The parts of a ResourceList in its text. */
export interface Layout {
  nodes: Nodes;
  root: TextNode;
  fields: readonly TextEntry[];
  /** The last entry of `items`; `undefined` if the text has none. */
  items: TextEntry | undefined;
  itemNodes: readonly TextNode[];
}

export function layoutOf(nodes: Nodes): Layout {
  const root = nodes.root();
  const fields = nodes.entries(root);
  const items = fields.findLast(({ name }) => name === 'items');
  const itemNodes = items !== undefined && nodes.isList(items.value) ? nodes.items(items.value) : [];
  return { nodes, root, fields, items, itemNodes };
}

/** Removes items and adds objects; everything else keeps its text. */
export function moveItems(layout: Layout, { removed, added }: Moves): Edit[] {
  const { nodes, items, itemNodes } = layout;
  if (items === undefined || (removed.size === 0 && added.size === 0)) return [];
  return items.value.flow
    ? moveInFlow(nodes, items.value, itemNodes, { removed, added })
    : moveInBlock(nodes, items, itemNodes, { removed, added });
}

function moveInBlock(nodes: Nodes, items: TextEntry, itemNodes: readonly TextNode[], moves: Moves): Edit[] {
  const { text } = nodes.document;
  const column = columnOf(text, items.value.start);
  const lineBreak = lineBreakOf(text);
  const write = itemWriter(column, lineBreak);
  const edits: Edit[] = [];
  itemNodes.forEach((node, index) => {
    if (!/^[ \uFEFF]*$/.test(text.slice(lineStart(text, node.dash), node.dash))) {
      throw new Entangled('does not begin a line of its own');
    }
    const behind = behindNode(text, node.end, column);
    const added = moves.added.get(index) ?? [];
    if (added.length > 0) edits.push({ start: behind, end: behind, text: write(added) });
    if (moves.removed.has(index)) edits.push({ start: lineStart(text, node.dash), end: behind, text: '' });
  });
  if (moves.removed.size < itemNodes.length) return edits;
  // Without any item the key would have no value.
  const start = lineStart(text, items.value.start);
  const empty = `${' '.repeat(columnOf(text, items.key.start) + 1)}[]${lineBreak}`;
  return [{ start, end: start, text: empty }, ...edits];
}

function moveInFlow(nodes: Nodes, list: TextNode, itemNodes: readonly TextNode[], { removed, added }: Moves): Edit[] {
  const { text } = nodes.document;
  const edits: Edit[] = [];
  itemNodes.forEach(({ start, end }, index) => {
    const margin = text.slice(lineStart(text, start), start);
    const separator = /^\s*$/.test(margin) ? `,${lineBreakOf(text)}${margin}` : ', ';
    const written = (added.get(index) ?? []).map((object) => separator + flowText(object, true)).join('');
    if (written !== '') edits.push({ start: end, end, text: written });
  });
  if (removed.size < itemNodes.length) return [...edits, ...withoutFlowParts(itemNodes, (index) => removed.has(index))];
  return [{ start: list.start + 1, end: list.end - 1, text: '' }];
}

/** Writes `items: []` if there is no list of items. */
export function completeItems(layout: Layout): Edit[] {
  const { nodes, items } = layout;
  if (items !== undefined && nodes.isList(items.value)) return [];
  if (items === undefined) return [addField(layout, 'items', [])];
  const { start, end } = items.value;
  return [{ start, end, text: start === end ? ' []' : '[]' }];
}

/** Replaces the field `results`; an empty one is removed. */
export function replaceResults(layout: Layout, results: readonly Value[]): Edit[] {
  const { nodes, root, fields: entries } = layout;
  const { text } = nodes.document;
  const isOld = ({ name }: TextEntry): boolean => name === 'results';
  const edits: Edit[] = [];
  if (root.flow) {
    const parts = entries.map(({ key, value }) => ({ start: key.start, end: value.end }));
    for (const edit of withoutFlowParts(parts, (index) => isOld(entries[index] as TextEntry))) edits.push(edit);
  } else {
    const column = columnOf(text, root.start);
    for (const { key, value } of entries.filter(isOld)) {
      edits.push({ start: lineStart(text, key.start), end: behindNode(text, value.end, column), text: '' });
    }
  }
  return results.length === 0 ? edits : [...edits, addField(layout, 'results', results)];
}

/** Adds a field after the others of the whole list. */
function addField({ nodes, root, fields: entries }: Layout, name: string, value: readonly Value[]): Edit {
  const { text } = nodes.document;
  if (!root.flow) {
    const column = columnOf(text, root.start);
    const at = behindNode(text, root.end, column);
    return { start: at, end: at, text: blockLines({ [name]: [...value] }, column, lineBreakOf(text)) };
  }
  const end = entries.at(-1)?.value.end ?? root.start + 1;
  const quoted = entries.some(({ key }) => hasQuotes(nodes, key));
  return { start: end, end, text: `, ${flowText({ [name]: [...value] }, quoted).slice(1, -1)}` };
}

/** Text after a last line without a line break needs one first. */
export function withLastBreak(text: string, edits: readonly Edit[]): Edit[] {
  const end = text.length;
  if (isLineStart(text, end) || !edits.some(({ start, text: added }) => start === end && added !== ''))
    return [...edits];
  return [{ start: end, end, text: lineBreakOf(text) }, ...edits];
}
