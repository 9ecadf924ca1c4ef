import { getOrCompute } from '../../../core/model/lazily.ts';
import { setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import {
  type CelKey,
  CelMap,
  type CelRecord,
  type CelValue,
  Duration,
  EvaluationError,
  failure,
  fixedFailure,
  isList,
  isMapValue,
  keyText,
  kindOf,
  Optional,
  outcomeOf,
  overBudget,
  Timestamp,
  Uint,
} from './values.ts';

export type Order = -1 | 0 | 1;

const order = <T>(a: T, b: T): Order => (a < b ? -1 : a > b ? 1 : 0);

/** Maps UTF-16 units to code point order: surrogates are above all other units. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Compares strings by code point, which is Go's byte order of UTF-8; JavaScript's `<` compares UTF-16 units. */
export function compareText(a: string, b: string): Order {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return order(rank(x), rank(y));
  }
  return order(a.length, b.length);
}

function compareBytes(a: Uint8Array, b: Uint8Array): Order {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const step = order(a[i] as number, b[i] as number);
    if (step !== 0) return step;
  }
  return order(a.length, b.length);
}

/** The number for a comparison: with a double, an integer may lose digits (cel-go: common/types/compare.go). */
export const numeric = (value: CelValue): number | bigint | undefined =>
  value instanceof Uint ? value.value : typeof value === 'bigint' || typeof value === 'number' ? value : undefined;

/** Compares as cel-go's list functions do: values that cannot be compared (NaN, values of two types) are equal. */
export function compareLoosely(a: CelValue, b: CelValue): Order {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  const compared = outcomeOf(() => compareValues(a, b));
  return compared instanceof EvaluationError ? 0 : compared;
}

/** Compares values with an order, numbers across types. @throws EvaluationError (failure) for NaN and for others */
export function compareValues(a: CelValue, b: CelValue): Order {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined) {
    if (Number.isNaN(x) || Number.isNaN(y)) throw failure('NaN values cannot be ordered');
    return typeof x === typeof y ? order<number | bigint>(x, y) : order(Number(x), Number(y));
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return order(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Duration && b instanceof Duration) return order(a.nanos, b.nanos);
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanos, b.nanos);
  throw fixedFailure('no such overload');
}

/** Returns the steps of comparing each of some values with another one. */
export function orderWork(values: readonly CelValue[]): number {
  let work = values.length;
  for (const value of values) if (typeof value === 'string' || value instanceof Uint8Array) work += value.length >> 4;
  return work;
}

const COMPARABLE = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
]);

export const isComparable = (value: CelValue): boolean => COMPARABLE.has(kindOf(value));

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

function isRecordInOrder(entries: readonly (readonly [CelKey, CelValue])[]): boolean {
  let before: string | undefined;
  for (const [key] of entries) {
    if (typeof key !== 'string' || (before !== undefined && compareText(before, key) >= 0)) return false;
    before = key;
  }
  return true;
}

export function recordFrom(entries: Iterable<readonly [CelKey, CelValue]>): CelRecord {
  const record: Record<string, CelValue> = {};
  for (const [key, value] of entries) setKey(record as ValueMap, String(key), value as Value);
  return record;
}

/** Key order: booleans, then integers by value, then strings by code point. */
function compareKeys(a: CelKey, b: CelKey): number {
  const x = rankOf(a);
  const y = rankOf(b);
  if (x !== y) return x - y;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const left = numberOf(a);
  const right = numberOf(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

const rankOf = (key: CelKey): number => (typeof key === 'boolean' ? 0 : typeof key === 'string' ? 2 : 1);
const numberOf = (key: CelKey): bigint => (key instanceof Uint ? key.value : BigInt(key));

/** More characters than any number, duration or timestamp has. */
const SCALAR = 340;

/** Returns the size of a written value. A repeated part counts each time but is visited once, so that this is fast. */
export function writtenSize(value: CelValue, seen = new Map<unknown, number>()): number {
  if (typeof value === 'string') return value.length + 2;
  if (value instanceof Uint8Array) return value.length * 2 + 4;
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? SCALAR : 20;
  return getOrCompute(seen, value, () => partsSize(value, seen));
}

function partsSize(value: CelValue, seen: Map<unknown, number>): number {
  let size = 2;
  if (isList(value)) {
    for (const item of value) size += writtenSize(item, seen) + 1;
  } else if (isMapValue(value)) {
    for (const [key, item] of mapEntries(value)) size += writtenSize(key, seen) + writtenSize(item, seen) + 2;
  } else if (value instanceof Optional) {
    size += value.value === undefined ? 0 : writtenSize(value.value, seen);
  } else {
    size += SCALAR;
  }
  return size;
}

/** The cost of calls beyond the length of their arguments, in steps. */

/** For calls with a constant cost: those that take many times as long as an addition. */
export const fixedWork =
  (steps: number): (() => number) =>
  () =>
    steps;

/** For functions that process a text character by character instead of in one native call. */
export const characterWork = (text: { readonly length: number }): number => text.length >> 2;

/** For finding a position, which counts code points. */
export const pointWork = (text: string): number => text.length >> 3;

/** For searching one text in another: the worst case compares all of the part at every position. */
export const searchWork = (text: string, part: string): number => (text.length * part.length) / 64;

const MAX_WORD = 100_000;
/** The cost of creating and catching an error. */
const ATTEMPT = 200;

/** For a function that parses a word, and catches the error of a malformed one. @throws EvaluationError (budget) */
export function attemptWork(text: string): number {
  if (text.length <= MAX_WORD) return ATTEMPT + characterWork(text);
  throw overBudget(`a text of more than ${MAX_WORD} characters is not a number, address or version`);
}

/** Strings counted in code points, as in CEL; texts without surrogates use a fast path. */

const SURROGATE = /[\uD800-\uDFFF]/;

const isNarrow = (text: string): boolean => !SURROGATE.test(text);

export function pointCount(text: string): number {
  if (isNarrow(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Returns the UTF-16 position of the code point at an index; the length of the text for the index after the last. */
export function unitOf(text: string, index: number): number {
  if (isNarrow(text)) return index;
  let unit = 0;
  for (let point = 0; point < index; point++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

/** Returns the code points from `start` up to, not including, `end`. */
export const slicePoints = (text: string, start: number, end: number): string =>
  text.slice(unitOf(text, start), unitOf(text, end));

/** Returns the number of code points before a UTF-16 position. */
export const pointOf = (text: string, unit: number): number => pointCount(text.slice(0, unit));
