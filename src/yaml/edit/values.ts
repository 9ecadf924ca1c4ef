import type { KubeObject } from '../../core/model/object.ts';
import { equal, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { indented, toYaml } from '../emit/index.ts';
import {
  type Entry,
  type Item,
  isAlias,
  isBlockScalar,
  isMergeKey,
  isSyntaxProblem,
  type MapNode,
  parseTree,
  type YamlNode,
} from '../tree/index.ts';
import {
  addEntries,
  blockLines,
  columnOf,
  type Edit,
  flowText,
  isJson,
  lineAfter,
  lineBreakOf,
  removeEntries,
  withEdits,
} from './edits.ts';

/**
 * Returns the text of a document with another value, and the comments, order and style of unchanged parts. Returns
 * `undefined` if it cannot be edited, for example because of anchors. The caller reads the result to verify it.
 */
export function textWithValue(text: string, before: ValueMap, after: ValueMap): string | undefined {
  const tree = parseTree(text);
  if (isSyntaxProblem(tree)) return undefined;
  const edits = mapEdits(text, tree.root, before, after);
  return edits && withEdits(text, edits).join('');
}

function mapEdits(text: string, map: YamlNode, before: ValueMap, after: ValueMap): Edit[] | undefined {
  if (map.kind !== 'map') return undefined;
  const { entries } = map;
  const common = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  if (common.length === 0 || entries.length !== Object.keys(before).length) return undefined;
  const isGone = (entry: Entry): boolean => !isMergeKey(entry) && !Object.hasOwn(after, entry.name);
  const added = Object.entries(after).filter(([key]) => !Object.hasOwn(before, key));
  const parts: (Edit[] | undefined)[] = [
    entries.some(isGone) ? removeEntries(text, map, isGone) : [],
    added.length === 0 ? [] : addEntries(text, map, Object.fromEntries(added)),
    ...entries.map((entry) => {
      const [old, current] = [before[entry.name], after[entry.name]];
      if (isMergeKey(entry) || current === undefined || equal(old, current)) return [];
      return valueEdits(text, entry.value, old, current) ?? wholeEntry(text, map, entry, current);
    }),
  ];
  return joined(parts);
}

const joined = (parts: readonly (Edit[] | undefined)[]): Edit[] | undefined =>
  parts.every((part) => part !== undefined) ? parts.flat() : undefined;

function valueEdits(text: string, node: YamlNode, before: Value | undefined, after: Value): Edit[] | undefined {
  if (isMap(before) && isMap(after)) return mapEdits(text, node, before, after);
  if (Array.isArray(before) && Array.isArray(after)) return listEdits(text, node, before, after);
  const isLong = [before, after].some((value) => typeof value === 'object' && value !== null);
  if (isLong || node.kind !== 'scalar' || node.style === 'empty' || isAlias(node) || isBlockScalar(node))
    return undefined;
  if (typeof after === 'string' && after.includes('\n')) return undefined;
  return [{ start: node.start, end: node.end, text: scalarIn(text, after) }];
}

function scalarIn(text: string, value: Value): string {
  if (isJson(text)) return flowText(value, true);
  return toYaml([{ value } as unknown as KubeObject])
    .replace(/^value: /, '')
    .replace(/\n$/, '');
}

/** Returns edits of items that keep their index, and of items added or removed at the end. */
function listEdits(
  text: string,
  list: YamlNode,
  before: readonly Value[],
  after: readonly Value[],
): Edit[] | undefined {
  if (list.kind !== 'list') return undefined;
  const { items } = list;
  if (items.length !== before.length || items.length === 0 || after.length === 0) return undefined;
  const parts = items.map((item, index) => {
    const now = after[index];
    return now === undefined || equal(before[index], now) ? [] : valueEdits(text, item.value, before[index], now);
  });
  if (before.length === after.length) return joined(parts);
  if (list.flow) return undefined;
  const endOf = (item: Item | undefined): number => (item === undefined ? list.end : lineAfter(text, item.value.end));
  const last = items.at(-1);
  if (after.length > before.length && last !== undefined) {
    const more = toYaml([{ items: after.slice(before.length) } as unknown as KubeObject]).replace(/^items:\n/, '');
    const lines = indented(more, columnOf(text, last.dash), lineBreakOf(text));
    return joined([...parts, [{ start: endOf(last), end: endOf(last), text: lines }]]);
  }
  return joined([...parts, [{ start: endOf(items[after.length - 1]), end: endOf(last), text: '' }]]);
}

function wholeEntry(text: string, map: MapNode, { name, key, value }: Entry, after: Value): Edit[] {
  if (map.flow) return [{ start: value.start, end: value.end, text: flowText(after, isJson(text)) }];
  const lines = blockLines({ [name]: after }, columnOf(text, key.start), lineBreakOf(text)).trimStart();
  return [{ start: key.start, end: lineAfter(text, value.end), text: lines }];
}
