/** The functions of cel-go's optional types (cel.OptionalTypes, version 2). The planner runs `or` and `orValue`. */
import { fn, type Library, method } from '../library.ts';
import { ZERO_TIME } from '../std/times.ts';
import { storedType } from '../stored.ts';
import { BOOL, listOf, optionalOf, param } from '../types.ts';
import { mapSize } from '../value/order.ts';
import {
  type CelValue,
  Duration,
  failure,
  fixedFailure,
  isList,
  isMapValue,
  kindOf,
  Optional,
  Timestamp,
  Uint,
} from '../value/values.ts';

type List = readonly CelValue[];

const V = param('V');
const OPTIONAL = optionalOf(V);

/** Lists, maps and objects that were read are never zero: kro's have no zero value. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (typeof value === 'object' && value !== null && storedType(value) !== undefined) return false;
  if (isList(value)) return value.length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === ZERO_TIME;
  return isMapValue(value) && mapSize(value) === 0;
}

function held(optional: Optional): CelValue {
  if (optional.value === undefined) throw fixedFailure('optional.none() dereference');
  return optional.value;
}

function unwrap(list: List): List {
  const values: CelValue[] = [];
  for (const item of list) {
    if (!(item instanceof Optional)) throw failure(`value of type ${kindOf(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return values;
}

const at = (list: List, index: number): Optional => {
  const item = list.at(index);
  return item === undefined ? Optional.none : Optional.of(item);
};

export const optionals: Library = [
  fn('optional.of', [V], OPTIONAL, Optional.of, { size: () => 1 }),
  fn('optional.ofNonZeroValue', [V], OPTIONAL, (value) => (isZero(value) ? Optional.none : Optional.of(value))),
  fn('optional.none', [], OPTIONAL, () => Optional.none),
  method('value', [OPTIONAL], V, held),
  method('hasValue', [OPTIONAL], BOOL, (optional) => optional.value !== undefined),
  method('or', [OPTIONAL, OPTIONAL], OPTIONAL, (a, b) => (a.value === undefined ? b : a)),
  method('orValue', [OPTIONAL, V], V, (optional, other) => (optional.value === undefined ? other : optional.value)),
  method('first', [listOf(V)], OPTIONAL, (list) => at(list, 0)),
  method('last', [listOf(V)], OPTIONAL, (list) => at(list, -1)),
  fn('optional.unwrap', [listOf(OPTIONAL)], listOf(V), unwrap),
  method('unwrapOpt', [listOf(OPTIONAL)], listOf(V), unwrap),
];
