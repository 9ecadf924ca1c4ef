/** The Kubernetes list library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-list-library). */
import { type Library, method, type Overload } from '../../library.ts';
import { BOOL, type CelType, DOUBLE, DURATION, INT, listOf, param, UINT } from '../../types.ts';
import { equalValues } from '../../value/equal.ts';
import { compareLoosely, isComparable, orderWork } from '../../value/order.ts';
import { int, uint } from '../../value/ranges.ts';
import { writtenSize } from '../../value/size.ts';
import { type CelValue, Duration, fixedFailure, Uint } from '../../value/values.ts';
import { COMPARABLE } from '../ext/lists.ts';

type List = readonly CelValue[];

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

export const kubernetesLists: Library = {
  name: 'kubernetes lists',
  overloads: [
    ...COMPARABLE.map((type) => ordered('isSorted', type, BOOL, isSorted)),
    ...SUMMABLE.map(([type, zero]) => method('sum', [listOf(type)], type, (list) => list.reduce(plus, zero))),
    ...COMPARABLE.map((type) => ordered('min', type, type, (list) => extreme(list, 'min'))),
    ...COMPARABLE.map((type) => ordered('max', type, type, (list) => extreme(list, 'max'))),
    method('indexOf', [listOf(ANY), ANY], INT, indexOf, { work: searchWork }),
    method('lastIndexOf', [listOf(ANY), ANY], INT, lastIndexOf, { work: searchWork }),
  ],
};
