import { attempt } from '../../core/model/attempt.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import {
  addEntries,
  behindNode,
  columnOf,
  type Edit,
  Entangled,
  flowText,
  isLineStart,
  lineBreakOf,
  lineStart,
  removeEntries,
  withoutFlowParts,
} from '../../yaml/edit/index.ts';
import { itemWriter } from '../../yaml/emit/index.ts';
import type { Entry, ListNode, MapNode } from '../../yaml/tree/index.ts';
import type { ResourceList } from './report.ts';

export interface Moves {
  removed: ReadonlySet<number>;
  /** The objects to add after an item, by its index. */
  added: ReadonlyMap<number, readonly KubeObject[]>;
}

export interface Layout {
  text: string;
  root: MapNode;
  /** The last entry of `items`; `undefined` if the text has none. */
  items: Entry | undefined;
  list: ListNode | undefined;
}

export function layoutIn({ source: { text }, tree: { root } }: ResourceList): Layout {
  if (root.kind !== 'map') throw new TypeError('a ResourceList is a map');
  const items = root.entries.findLast(({ name }) => name === 'items');
  return { text, root, items, list: items?.value.kind === 'list' ? items.value : undefined };
}

export function moveItems({ text, items, list }: Layout, moves: Moves): Edit[] {
  if (items === undefined || list === undefined || (moves.removed.size === 0 && moves.added.size === 0)) return [];
  return list.flow ? moveInFlow(text, list, moves) : moveInBlock(text, items, list, moves);
}

function moveInBlock(text: string, { key }: Entry, { start: first, items }: ListNode, moves: Moves): Edit[] {
  const column = columnOf(text, first);
  const lineBreak = lineBreakOf(text);
  const write = itemWriter(column, lineBreak);
  const edits: Edit[] = [];
  items.forEach(({ dash, value }, index) => {
    if (!/^[ \uFEFF]*$/.test(text.slice(lineStart(text, dash), dash))) {
      throw new Entangled('does not begin a line of its own');
    }
    const behind = behindNode(text, value.end, column);
    const added = moves.added.get(index) ?? [];
    if (added.length > 0) edits.push({ start: behind, end: behind, text: write(added) });
    if (moves.removed.has(index)) edits.push({ start: lineStart(text, dash), end: behind, text: '' });
  });
  if (moves.removed.size < items.length) return edits;
  // Without any item the key would have no value.
  const start = lineStart(text, first);
  const empty = `${' '.repeat(columnOf(text, key.start) + 1)}[]${lineBreak}`;
  return [{ start, end: start, text: empty }, ...edits];
}

function moveInFlow(text: string, list: ListNode, { removed, added }: Moves): Edit[] {
  const edits: Edit[] = [];
  const parts = list.items.map(({ value }) => value);
  parts.forEach(({ start, end }, index) => {
    const margin = text.slice(lineStart(text, start), start);
    const separator = /^\s*$/.test(margin) ? `,${lineBreakOf(text)}${margin}` : ', ';
    const written = (added.get(index) ?? []).map((object) => separator + flowText(object, true)).join('');
    if (written !== '') edits.push({ start: end, end, text: written });
  });
  if (removed.size < parts.length) return [...edits, ...withoutFlowParts(parts, (index) => removed.has(index))];
  return [{ start: list.start + 1, end: list.end - 1, text: '' }];
}

/** Writes `items: []` if there is no list of items. */
export function completeItems({ text, root, items, list }: Layout): Edit[] {
  if (list !== undefined) return [];
  if (items === undefined) return addEntries(text, root, { items: [] });
  const { start, end } = items.value;
  return [{ start, end, text: start === end ? ' []' : '[]' }];
}

/** Replaces the field `results`; an empty one is removed. */
export function replaceResults({ text, root }: Layout, results: readonly Value[]): Edit[] {
  const removed = attempt(() => removeEntries(text, root, ({ name }) => name === 'results'), Entangled) ?? [];
  return results.length === 0 ? removed : [...removed, ...addEntries(text, root, { results: [...results] })];
}

/** Text after a last line without a line break needs one first. */
export function withLastBreak(text: string, edits: readonly Edit[]): Edit[] {
  const end = text.length;
  if (isLineStart(text, end) || !edits.some(({ start, text: added }) => start === end && added !== ''))
    return [...edits];
  return [{ start: end, end, text: lineBreakOf(text) }, ...edits];
}
