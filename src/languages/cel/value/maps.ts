import { setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { compareText } from './order.ts';
import { type CelKey, CelMap, type CelRecord, type CelValue, keyText, Uint } from './values.ts';

type MapValue = CelRecord | CelMap;

export const mapSize = (map: MapValue): number => (map instanceof CelMap ? map.entries.size : Object.keys(map).length);

/** Returns the entries in key order: the order in which Go prints maps, and deterministic. */
export function mapEntries(map: MapValue): (readonly [CelKey, CelValue])[] {
  if (map instanceof CelMap) return [...map.entries.values()];
  const keys = Object.keys(map);
  if (!isAscending(keys)) keys.sort(compareText);
  return keys.map((key) => [key, map[key] as CelValue] as const);
}

/** Most maps are in key order, and checking is faster than sorting. */
function isAscending(keys: readonly string[]): boolean {
  for (let at = 1; at < keys.length; at++) {
    if (compareText(keys[at - 1] as string, keys[at] as string) > 0) return false;
  }
  return true;
}

/** Returns the value of a key, `undefined` if it does not exist. */
export function mapGet(map: MapValue, key: CelKey): CelValue | undefined {
  if (map instanceof CelMap) return map.entries.get(keyText(key))?.[1];
  return typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns a map of these entries, later ones win: an ordinary object if all keys are strings. */
export function mapFrom(entries: readonly (readonly [CelKey, CelValue])[]): MapValue {
  if (isRecordInOrder(entries)) return recordFrom(entries);
  const byText = new Map<string, readonly [CelKey, CelValue]>();
  let plain = true;
  for (const entry of entries) {
    byText.set(keyText(entry[0]), entry);
    plain &&= typeof entry[0] === 'string';
  }
  const sorted = [...byText.values()].sort(([a], [b]) => compareKeys(a, b));
  return plain ? recordFrom(sorted) : new CelMap(new Map(sorted.map((entry) => [keyText(entry[0]), entry])));
}

/** Reports whether all keys are strings in ascending order. */
function isRecordInOrder(entries: readonly (readonly [CelKey, CelValue])[]): boolean {
  let before: string | undefined;
  for (const [key] of entries) {
    if (typeof key !== 'string' || (before !== undefined && compareText(before, key) >= 0)) return false;
    before = key;
  }
  return true;
}

/** Returns an ordinary object with any string keys. */
export function recordFrom(entries: Iterable<readonly [CelKey, CelValue]>): CelRecord {
  const record: Record<string, CelValue> = {};
  for (const [key, value] of entries) setKey(record as ValueMap, String(key), value as Value);
  return record;
}

/** Key order: booleans, then integers by value, then strings by code point. */
function compareKeys(a: CelKey, b: CelKey): number {
  const [x, y] = [rankOf(a), rankOf(b)];
  if (x !== y) return x - y;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const [left, right] = [numberOf(a), numberOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const rankOf = (key: CelKey): number => (typeof key === 'boolean' ? 0 : typeof key === 'string' ? 2 : 1);
const numberOf = (key: CelKey): bigint => (key instanceof Uint ? key.value : BigInt(key));
