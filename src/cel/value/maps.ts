import { compareText } from './order.ts';
import { type CelKey, CelMap, type CelRecord, type CelValue, keyText, Uint } from './values.ts';

type MapValue = CelRecord | CelMap;

export const mapSize = (map: MapValue): number => (map instanceof CelMap ? map.entries.size : Object.keys(map).length);

/** The entries in key order: the order in which Go prints maps, and the same on every run. */
export function mapEntries(map: MapValue): (readonly [CelKey, CelValue])[] {
  if (map instanceof CelMap) return [...map.entries.values()];
  return Object.keys(map)
    .sort(compareText)
    .map((key) => [key, map[key] as CelValue] as const);
}

/** The value of a key, `undefined` when it is not there. */
export function mapGet(map: MapValue, key: CelKey): CelValue | undefined {
  if (map instanceof CelMap) return map.entries.get(keyText(key))?.[1];
  return typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** A map of these entries, later ones winning: an ordinary object when all keys are strings. */
export function mapFrom(entries: Iterable<readonly [CelKey, CelValue]>): MapValue {
  const byText = new Map<string, readonly [CelKey, CelValue]>();
  let plain = true;
  for (const entry of entries) {
    byText.set(keyText(entry[0]), entry);
    plain &&= typeof entry[0] === 'string';
  }
  const sorted = [...byText.values()].sort(([a], [b]) => compareKeys(a, b));
  return plain ? recordFrom(sorted) : new CelMap(new Map(sorted.map((entry) => [keyText(entry[0]), entry])));
}

/** An ordinary object of string keys, whatever they are called. */
export function recordFrom(entries: Iterable<readonly [CelKey, CelValue]>): CelRecord {
  const record: Record<string, CelValue> = {};
  for (const [key, value] of entries) {
    Object.defineProperty(record, String(key), { value, enumerable: true, configurable: true, writable: true });
  }
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
