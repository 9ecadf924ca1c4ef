/** cel-go ext.Lists (https://pkg.go.dev/github.com/google/cel-go/ext#Lists). */
import { getOrCompute } from '../../../core/model/lazily.ts';
import { fn, type Library, method, type Overload } from '../library.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  param,
  STRING,
  TIMESTAMP,
  UINT,
} from '../types.ts';
import { equalValues, hasText, valueSet } from '../value/equal.ts';
import { compareLoosely, isComparable, orderWork, writtenSize } from '../value/order.ts';
import {
  type CelValue,
  Duration,
  type EvaluationError,
  failure,
  fixedFailure,
  int,
  isList,
  kindOf,
  Uint,
  uint,
} from '../value/values.ts';

type List = readonly CelValue[];

const LIST = listOf(param('T'));
const MAX_RANGE = 1_000_000n;

/** The element types with an order, in the order of the overloads of cel-go. */
const COMPARABLE: readonly CelType[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];

const length = (list: List): number => list.length;

const sliceSize = (list: List, start: bigint, end: bigint): number =>
  Math.max(0, Math.min(list.length, Number(end)) - Math.max(0, Number(start)));

function slice(list: List, start: bigint, end: bigint): List {
  const refuse = (why: string): EvaluationError => failure(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0n || end < 0n) throw refuse('negative indexes not supported');
  if (start > end) throw refuse('start index must be less than or equal to end index');
  if (end > BigInt(list.length)) throw refuse(`list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flatten(list: List, depth = 1n): List {
  if (depth < 0n) throw failure('level must be non-negative');
  const flat: CelValue[] = [];
  for (const item of list) {
    if (!isList(item) || depth === 0n) flat.push(item);
    else for (const inner of flatten(item, depth - 1n)) flat.push(inner);
  }
  return flat;
}

/** Memoizes the count, so that a list nested in itself many times does not take as long as flattening it. */
function flattenSize(list: List, depth = 1n): number {
  const known = new Map<List, Map<bigint, number>>();
  const count = (current: List, left: bigint): number => {
    const byDepth = getOrCompute(known, current, () => new Map<bigint, number>());
    return getOrCompute(byDepth, left, () =>
      current.reduce<number>((size, item) => size + (isList(item) && left > 0n ? count(item, left - 1n) : 1), 0),
    );
  };
  return count(list, depth);
}

/** Each element is compared about log2 times the length of its list. */
const sortWork = (keys: List): number => Math.ceil(orderWork(keys) * Math.log2(keys.length + 1));

const sort = (list: List): List => sortByKeys(list, list);

/** Sorts the first list by the order of the second. The sort is stable. */
function sortByKeys(list: List, keys: List): List {
  if (list.length !== keys.length) {
    throw failure(
      '@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ' +
        `${list.length} and ${keys.length} elements respectively`,
    );
  }
  const [first] = keys;
  if (first === undefined) return list;
  if (!isComparable(first)) throw failure('list elements must be comparable');
  if (keys.some((key) => kindOf(key) !== kindOf(first))) throw failure('list elements must have the same type');
  const order = list.map((_, index) => index);
  order.sort((a, b) => compareLoosely(keys[a] as CelValue, keys[b] as CelValue));
  return order.map((index) => list[index] as CelValue);
}

function range(count: bigint): List {
  if (count < 0n) throw failure(`lists.range: size must be non-negative, got ${count}`);
  if (count > MAX_RANGE) throw failure(`lists.range: size ${count} exceeds maximum allowed (${MAX_RANGE})`);
  const list = new Array<bigint>(Number(count));
  for (let index = 0; index < list.length; index += 1) list[index] = BigInt(index);
  return list;
}

/** Values without a text are compared with all others. */
function distinctWork(list: List): number {
  const known = new Map<unknown, boolean>();
  const withoutText = list.filter((item) => !hasText(item, known)).length;
  return list.length * (1 + withoutText);
}

/** An empty list is unchanged: one that was read keeps the schema of its items, as in cel-go. */
function distinct(list: List): List {
  if (list.length === 0) return list;
  const seen = valueSet();
  return list.filter((item) => {
    if (seen.has(item)) return false;
    seen.add(item);
    return true;
  });
}

export const lists: Library = [
  method('slice', [LIST, INT, INT], LIST, slice, { size: sliceSize }),
  { ...method('flatten', [listOf(LIST)], LIST, flatten, { size: flattenSize }), anyElements: true },
  method('flatten', [listOf(DYN), INT], listOf(DYN), flatten, { size: flattenSize }),
  ...COMPARABLE.map((type) => method('sort', [listOf(type)], listOf(type), sort, { size: length, work: sortWork })),
  ...COMPARABLE.map((key) =>
    method('@sortByAssociatedKeys', [LIST, listOf(key)], LIST, sortByKeys, {
      size: length,
      work: (_, keys) => sortWork(keys),
    }),
  ),
  fn('lists.range', [INT], listOf(INT), range, { size: (count) => Number(count) }),
  method('reverse', [LIST], LIST, (list) => list.toReversed(), { size: length }),
  // The elements are converted to text for the comparison.
  method('distinct', [LIST], LIST, distinct, { size: (list) => writtenSize(list), work: distinctWork }),
];

// cel-go ext.Sets, which validation rules have and kro does not (https://pkg.go.dev/github.com/google/cel-go/ext#Sets).

function contains(list: List, part: List): boolean {
  const set = valueSet(list);
  return part.every((item) => set.has(item));
}

function intersects(a: List, b: List): boolean {
  const set = valueSet(b);
  return a.some((item) => set.has(item));
}

export const sets: Library = [
  fn('sets.contains', [LIST, LIST], BOOL, contains),
  fn('sets.equivalent', [LIST, LIST], BOOL, (a, b) => contains(a, b) && contains(b, a)),
  fn('sets.intersects', [LIST, LIST], BOOL, intersects),
];

/** The Kubernetes list library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-list-library). */

const ANY = param('A');

function plus(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a + b);
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (a instanceof Uint && b instanceof Uint) return uint(a.value + b.value);
  if (a instanceof Duration && b instanceof Duration) return new Duration(int(a.nanos + b.nanos));
  throw fixedFailure('no such overload');
}

const SUMMABLE: readonly (readonly [CelType, CelValue])[] = [
  [INT, 0n],
  [UINT, new Uint(0n)],
  [DOUBLE, 0],
  [DURATION, new Duration(0n)],
];

function isSorted(list: List): boolean {
  return list.every((item, index) => {
    if (!isComparable(item)) throw fixedFailure('no such overload');
    return index === 0 || compareLoosely(list[index - 1] as CelValue, item) !== 1;
  });
}

/** Returns the first of the smallest (or largest) items. */
function extreme(list: List, name: 'min' | 'max'): CelValue {
  let [found, ...rest] = list;
  if (found === undefined) throw fixedFailure(`${name} called on empty list`);
  for (const item of rest) {
    if (!isComparable(item)) throw fixedFailure('no such overload');
    if (compareLoosely(found, item) === (name === 'min' ? 1 : -1)) found = item;
  }
  return found;
}

const indexOf = (list: List, item: CelValue): bigint => BigInt(list.findIndex((other) => equalValues(other, item)));

const lastIndexOf = (list: List, item: CelValue): bigint =>
  BigInt(list.findLastIndex((other) => equalValues(other, item)));

/** Equality visits both values; neither visit is longer than the written value. */
const searchWork = (list: List, item: CelValue): number =>
  list.length + Math.min(list.length * writtenSize(item), writtenSize(list)) / 16;

const ordered = (name: string, element: CelType, result: CelType, call: (list: List) => CelValue): Overload =>
  method(name, [listOf(element)], result, call, { work: orderWork });

export const kubernetesLists: Library = [
  ...COMPARABLE.map((type) => ordered('isSorted', type, BOOL, isSorted)),
  ...SUMMABLE.map(([type, zero]) => method('sum', [listOf(type)], type, (list) => list.reduce(plus, zero))),
  ...COMPARABLE.map((type) => ordered('min', type, type, (list) => extreme(list, 'min'))),
  ...COMPARABLE.map((type) => ordered('max', type, type, (list) => extreme(list, 'max'))),
  method('indexOf', [listOf(ANY), ANY], INT, indexOf, { work: searchWork }),
  method('lastIndexOf', [listOf(ANY), ANY], INT, lastIndexOf, { work: searchWork }),
];
