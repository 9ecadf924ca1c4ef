import { EVENT_ID, SCALAR_STYLE } from 'js-yaml';
import type { KubeObject } from '../../core/model/object.ts';
import { equal, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { toYaml } from '../emit/index.ts';
import { parseDocument } from '../parse/index.ts';
import { type Edit, withEdits } from './edits.ts';
import { addEntries, blockLines, isJson, removeEntries } from './entries.ts';
import { flowText } from './flow.ts';
import { columnOf, isLineStart, lineBreakOf, nextLine } from './lines.ts';
import { Nodes, type TextEntry, type TextNode } from './nodes.ts';

/**
 * Returns the text of a document with another value: comments, order and style of unchanged parts are kept. Returns
 * `undefined` if the text cannot be edited, for example because of anchors. The caller reads the result again to verify
 * the value.
 */
export function textWithValue(text: string, before: ValueMap, after: ValueMap): string | undefined {
  const parsed = parseDocument(text);
  if ('message' in parsed) return undefined;
  const nodes = new Nodes({ text, ...parsed });
  const edits = mapEdits(nodes, nodes.root(), before, after);
  return edits && withEdits(text, edits).join('');
}

function mapEdits(nodes: Nodes, map: TextNode, before: ValueMap, after: ValueMap): Edit[] | undefined {
  if (!nodes.isMap(map)) return undefined;
  const entries = nodes.entries(map);
  const common = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  if (common.length === 0 || entries.length !== Object.keys(before).length) return undefined;
  const isGone = ({ name }: TextEntry): boolean => name !== undefined && !Object.hasOwn(after, name);
  const added = Object.entries(after).filter(([key]) => !Object.hasOwn(before, key));
  const parts: (Edit[] | undefined)[] = [
    entries.some(isGone) ? removeEntries(nodes, map, isGone) : [],
    added.length === 0 ? [] : addEntries(nodes, map, Object.fromEntries(added)),
    ...entries.map((entry) => {
      const name = entry.name ?? '';
      const [old, current] = [before[name], after[name]];
      if (entry.name === undefined || current === undefined || equal(old, current)) return [];
      return valueEdits(nodes, entry.value, old, current) ?? wholeEntry(nodes, map, entry, current);
    }),
  ];
  return joined(parts);
}

const joined = (parts: readonly (Edit[] | undefined)[]): Edit[] | undefined =>
  parts.every((part) => part !== undefined) ? parts.flat() : undefined;

function valueEdits(nodes: Nodes, node: TextNode, before: Value | undefined, after: Value): Edit[] | undefined {
  if (isMap(before) && isMap(after)) return mapEdits(nodes, node, before, after);
  if (Array.isArray(before) && Array.isArray(after)) return listEdits(nodes, node, before, after);
  const event = nodes.event(node);
  const isLong = [before, after].some((value) => typeof value === 'object' && value !== null);
  if (isLong || event.type !== EVENT_ID.SCALAR || event.valueStart < 0) return undefined;
  if (event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK) return undefined;
  if (typeof after === 'string' && after.includes('\n')) return undefined;
  return [{ start: node.start, end: node.end, text: scalarIn(nodes.document.text, after) }];
}

/** Returns the text of a scalar on one line. */
function scalarIn(text: string, value: Value): string {
  if (isJson(text)) return flowText(value, true);
  return toYaml([{ value } as unknown as KubeObject])
    .replace(/^value: /, '')
    .replace(/\n$/, '');
}

/** Returns edits of items that keep their index, and of items added or removed at the end. */
function listEdits(
  nodes: Nodes,
  list: TextNode,
  before: readonly Value[],
  after: readonly Value[],
): Edit[] | undefined {
  const { text } = nodes.document;
  const items = nodes.isList(list) ? nodes.items(list) : [];
  if (items.length !== before.length || items.length === 0 || after.length === 0) return undefined;
  const parts = items.map((item, index) => {
    const now = after[index];
    return now === undefined || equal(before[index], now) ? [] : valueEdits(nodes, item, before[index], now);
  });
  if (before.length === after.length) return joined(parts);
  if (list.flow) return undefined;
  const endOf = (item: TextNode | undefined): number =>
    item === undefined ? list.end : isLineStart(text, item.end) ? item.end : nextLine(text, item.end);
  const last = items.at(-1);
  if (after.length > before.length && last !== undefined) {
    const more = toYaml([{ items: after.slice(before.length) } as unknown as KubeObject]).replace(/^items:\n/, '');
    const column = columnOf(text, last.dash);
    const lines = more.replace(/^(?=[^\n])/gm, ' '.repeat(column)).replaceAll('\n', lineBreakOf(text));
    return joined([...parts, [{ start: endOf(last), end: endOf(last), text: lines }]]);
  }
  return joined([...parts, [{ start: endOf(items[after.length - 1]), end: endOf(last), text: '' }]]);
}

/** Replaces a whole entry. */
function wholeEntry(nodes: Nodes, map: TextNode, { name = '', key, value }: TextEntry, after: Value): Edit[] {
  const { text } = nodes.document;
  if (map.flow) return [{ start: value.start, end: value.end, text: flowText(after, isJson(text)) }];
  const end = isLineStart(text, value.end) ? value.end : nextLine(text, value.end);
  const lines = blockLines({ [name]: after }, columnOf(text, key.start), lineBreakOf(text)).trimStart();
  return [{ start: key.start, end, text: lines }];
}
