import { diffArrays } from 'diff';
import { equal, get, isMap, ownValue, type Value } from '../../core/model/value.ts';
import type { Schema } from '../schema/index.ts';

type List = readonly Value[];

/** Two versions of an item of a list; without one of them the item was added or removed. */
interface ItemPair {
  /** The name of the item in a path: its index, or the values of its merge keys. */
  step: number | ItemKey;
  before?: Value;
  after?: Value;
}

export interface Items {
  pairs: readonly ItemPair[];
  /** The items by their keys, in the order of each side, if the order differs. */
  order?: { before: readonly ItemKey[]; after: readonly ItemKey[] };
}

/** Matches items by the merge keys of their schema, or by unique names without a schema, else by equal content. */
export function pairItems(before: List, after: List, schema: Schema | undefined): Items {
  const names = mergeKeys(before, after, schema);
  return names === undefined ? { pairs: byContent(before, after) } : byKeys(before, after, names, schema?.items);
}

const mergeKeys = (before: List, after: List, schema: Schema | undefined): readonly string[] | undefined =>
  listKeys([before, after], schema);

/** Returns the fields that identify the items of each of several lists; `undefined` if there are none. */
export function listKeys(lists: readonly List[], schema: Schema | undefined): readonly string[] | undefined {
  const declared = schema?.['x-kubernetes-list-type'] === 'map' ? schema['x-kubernetes-list-map-keys'] : undefined;
  const names = declared ?? ['name'];
  const isAny = lists.some((list) => list.length > 0);
  return isAny && lists.every((list) => areKeys(list, names, schema)) ? names : undefined;
}

/** Returns a text that identifies an item of a list by its keys. */
export const itemKey = (item: Value, names: readonly string[], schema: Schema | undefined): string =>
  textOf(keyOf(item, names, schema?.items).keys);

/** Reports whether some fields identify the items of a list. */
function areKeys(items: List, names: readonly string[], schema: Schema | undefined): boolean {
  const known = new Set<string>();
  return items.every((item) => {
    const { keys } = keyOf(item, names, schema?.items);
    if (!isMap(item) || keys[0]?.[1] === '' || keys.some(([, value]) => isMap(value) || Array.isArray(value)))
      return false;
    const text = textOf(keys);
    return !known.has(text) && known.add(text);
  });
}

const keyOf = (item: Value, names: readonly string[], schema: Schema | undefined): ItemKey => ({
  keys: names.map((name) => [
    name,
    get(item, name) ?? ownValue(schema?.properties, name)?.default ?? ownValue(IMPLIED, name) ?? '',
  ]),
});

/** The defaults of the API server for merge keys of its own kinds. */
const IMPLIED: Readonly<Record<string, Value>> = { protocol: 'TCP' };

const textOf = (keys: ItemKey['keys']): string => JSON.stringify(keys.map(([, value]) => String(value)));

function byKeys(before: List, after: List, names: readonly string[], schema: Schema | undefined): Items {
  const keyed = (items: List) =>
    new Map(items.map((item) => [textOf(keyOf(item, names, schema).keys), { key: keyOf(item, names, schema), item }]));
  const old = keyed(before);
  const newer = keyed(after);
  const kept = [...old].flatMap(([text, { key, item }]) => {
    const now = newer.get(text);
    return [now === undefined ? { step: key, before: item } : { step: key, before: item, after: now.item }];
  });
  const added = [...newer].flatMap(([text, { key, item }]) => (old.has(text) ? [] : [{ step: key, after: item }]));
  const common = (one: typeof old, other: typeof old): string[] => [...one.keys()].filter((text) => other.has(text));
  const pairs = [...kept, ...added];
  if (equal(common(old, newer), common(newer, old))) return { pairs };
  const order = (side: typeof old): ItemKey[] => [...side.values()].map(({ key }) => key);
  return { pairs, order: { before: order(old), after: order(newer) } };
}

/** Lists with more changed items than this are matched by index. */
const MOST_EDITS = 500;

/** Matches equal items; between those, items by index if the numbers are equal. */
function byContent(before: List, after: List): ItemPair[] {
  if (before.length === after.length) return byPlace(before, after, 0, 0);
  // The choice between equal items does not depend on the direction.
  if (before.length > after.length) return byContent(after, before).map(swapped);
  const options = { comparator: equal, maxEditLength: MOST_EDITS };
  const parts = diffArrays([...before], [...after], options);
  if (parts === undefined) return byPlace(before, after, 0, 0);
  const pairs: ItemPair[] = [];
  let from = 0;
  let to = 0;
  let removed: readonly Value[] = [];
  let added: readonly Value[] = [];
  const endGap = (): void => {
    for (const pair of byPlace(removed, added, from, to)) pairs.push(pair);
    from += removed.length;
    to += added.length;
    removed = [];
    added = [];
  };
  for (const part of parts) {
    if (part.removed) removed = part.value;
    else if (part.added) added = part.value;
    else {
      endGap();
      for (const item of part.value) pairs.push({ step: from++, before: item, after: after[to++] as Value });
    }
  }
  endGap();
  return pairs;
}

const swapped = ({ step, before, after }: ItemPair): ItemPair => ({
  step,
  ...(after === undefined ? {} : { before: after }),
  ...(before === undefined ? {} : { after: before }),
});

function byPlace(before: List, after: List, from: number, to: number): ItemPair[] {
  const removed = before.map((item, index) => ({ step: from + index, before: item }));
  const added = after.map((item, index) => ({ step: to + index, after: item }));
  if (from !== to) return [...removed, ...added];
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => ({ step: from + index, ...removed[index], ...added[index] }));
}

/** Returns the item that a path of a comparison names, and its merge keys; undefined if there is none. */
export function findItem(
  items: List,
  name: string,
  schema: Schema | undefined,
): { place: number; keys: readonly string[] } | undefined {
  const keys = mergeKeys(items, [], schema);
  if (keys === undefined) return undefined;
  const place = items.findIndex((item) => formatKey(keyOf(item, keys, schema?.items)) === name);
  return place < 0 ? undefined : { place, keys };
}

/** Returns for each item of the first list its version in the other one, if it has one. */
export function otherVersions(items: List, others: List, schema: Schema | undefined): (Value | undefined)[] {
  const { pairs } = pairItems(items, others, schema);
  return pairs.flatMap(({ before, after }) => (before === undefined ? [] : [after]));
}

export const otherItems = (items: List, others: List, schema: Schema | undefined): (Value | undefined)[] | undefined =>
  mergeKeys(items, others, schema) && otherVersions(items, others, schema);

export interface ItemKey {
  keys: readonly (readonly [name: string, value: Value])[];
}

/** A path to a field: keys of maps, indexes of lists, and items by their merge keys. */
export type FieldPath = readonly (string | number | ItemKey)[];

const PLAIN = /^[A-Za-z0-9_-]+$/;
/** Cannot be confused with an index, and does not end the brackets. */
const PLAIN_ITEM = /^(?!\d+$)[A-Za-z0-9_(][^[\]"=,\s]*(, \w+\)|\))?$/;

/** `spec.template.spec.containers[web].env[DB_URL].value`, `data["prod.conf"]`, `spec.ports[80,TCP]` */
export function formatFieldPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (typeof step === 'object') text += `[${formatKey(step)}]`;
    else if (!PLAIN.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/** `web`, `80,TCP`, `port=80`, `name="x y"` */
export function formatKey({ keys }: ItemKey): string {
  const texts = keys.map(([, value]) => String(value));
  const isPlain = keys.length > 1 ? texts.every((text) => /^[\w./:-]*$/.test(text)) : PLAIN_ITEM.test(texts[0] ?? '');
  if (isPlain) return texts.join(',');
  return keys
    .map(([name, value]) => `${name}=${typeof value === 'string' ? JSON.stringify(value) : String(value)}`)
    .join(',');
}

/** Returns the key at the end of a path; undefined for an item of a list. */
export function lastKey(path: string): string | undefined {
  const plain = /(?:^|\.)([A-Za-z0-9_-]+)$/.exec(path)?.[1];
  if (plain !== undefined) return plain;
  const quoted = /\[("(?:[^"\\]|\\.)*")\]$/.exec(path)?.[1];
  return quoted === undefined ? undefined : (JSON.parse(quoted) as string);
}
