import { getOrCompute } from '../../../core/model/lazily.ts';
import { keyedListType, withType } from '../stored.ts';
import type { ListType } from '../types.ts';
import { readable } from '../value/values.ts';
import { mapEntries, mapGet, mapSize, numeric, writtenSize } from './order.ts';
import {
  type CelMap,
  CelObject,
  type CelRecord,
  type CelValue,
  Duration,
  EvaluationError,
  fixedFailure,
  isList,
  isMapValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  Unreadable,
} from './values.ts';

// `==` and `+` of lists with the x-kubernetes-list-type set or map: order is ignored, and adding merges (kro:
// pkg/cel/unstructured, after k8s.io/apiserver pkg/cel/common/values.go).

type List = readonly CelValue[];

/** Reports whether two lists of one length have the same items, in any order; `equal` compares items of one key. */
function sameItems(type: ListType, a: List, b: List, equal: (x: CelValue, y: CelValue) => boolean): boolean {
  const key = keyOf(type);
  const items = new Map(a.map((item) => [key(item), item]));
  return b.every((item) => {
    const other = items.get(key(item));
    return other !== undefined && (type.listType === 'set' || equal(other, item));
  });
}

/** Merges lists in the order of the first; of equal items, or items of one key, the later one wins. */
export function mergedLists(type: ListType, a: List, b: List): List {
  const key = keyOf(type);
  const sum = [...a];
  const places = new Map(a.map((item, place) => [key(item), place]));
  for (const item of b) {
    const name = key(item);
    const place = places.get(name);
    if (type.listType === 'map' && place !== undefined) sum[place] = item;
    else if (place === undefined) sum.push(item);
    // Duplicate items without a key are kept, as are keyed ones of the second list alone.
    if (type.listType === 'set' && place === undefined) places.set(name, sum.length - 1);
  }
  return withType(sum, type);
}

/** Sets contain scalars, which are their own keys. */
function keyOf({ listType, mapKeys = [] }: ListType): (item: CelValue) => string {
  if (listType === 'set') return (item) => textAsKey(item) ?? '';
  return (item) => JSON.stringify(mapKeys.map((key) => keyText(item, key)));
}

function keyText(item: CelValue, key: string): string {
  const record = isMapValue(item) ? (item as CelRecord) : {};
  return Object.hasOwn(record, key) ? (textAsKey(record[key] as CelValue) ?? '') : 'none';
}

/** Called with the steps of a comparison in advance; may throw to stop it. */
export type Spend = (steps: number) => void;

const free: Spend = () => undefined;

/**
 * CEL's `==` on any two values (https://github.com/google/cel-spec/blob/master/doc/langdef.md#equality): numbers
 * compare across types by value, lists and maps by their parts, values of different types are not equal.
 * @throws EvaluationError (failure) if a part of the first one does not match its schema
 */
export function equalValues(a: CelValue, b: CelValue, spend: Spend = free): boolean {
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) spend(a.length >> 6);
  if (a instanceof CelObject && a.type.incomparable !== undefined) throw fixedFailure(a.type.incomparable);
  if (a === b) return typeof a !== 'object' || a === null || equalsItself(a, spend);
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined) return typeof x === typeof y ? x === y : Number(x) === Number(y);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isList(a)) return isList(b) && equalLists(a, b, spend);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b, spend);
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof CelObject) return b instanceof CelObject && equalObjects(a, b, spend);
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b, spend);
  return isMapValue(a) && isMapValue(b) && equalMaps(a, b, spend);
}

/** Returns whether two values are equal, or the invalid part of the first one. */
export function comparison(a: CelValue, b: CelValue, spend?: Spend): boolean | Unreadable {
  try {
    return equalValues(a, b, spend);
  } catch (error) {
    if (error instanceof EvaluationError && error.kind === 'failure') return new Unreadable(error);
    throw error;
  }
}

/** Reports whether two values are equal; one with an invalid part is not. */
export const areEqual = (a: CelValue, b: CelValue, spend?: Spend): boolean => comparison(a, b, spend) === true;

/** Values that are known to equal themselves, with all of their parts. */
const reflexive = new WeakSet<object>();

/** Reports whether a value equals itself: not with NaN in it; an invalid part fails too. */
function equalsItself(value: CelValue & object, spend: Spend): boolean {
  if (reflexive.has(value)) return true;
  const holds = (partsOf(value) ?? []).every((part) => {
    spend(1);
    return equalValues(readable(part), part, spend);
  });
  if (holds) reflexive.add(value);
  return holds;
}

/** Returns the items of a list, the values of a map or the value of an optional. */
function partsOf(value: CelValue & object): readonly CelValue[] | undefined {
  if (isList(value)) return value;
  if (value instanceof Optional) return value.value === undefined ? [] : [value.value];
  return isMapValue(value) ? mapEntries(value).map(([, part]) => part) : undefined;
}

function equalObjects(a: CelObject, b: CelObject, spend: Spend): boolean {
  spend(weightOf(a) + weightOf(b));
  return a.type.name === b.type.name && a.type.equals(a.held, b.held);
}

/** Returns the steps of reading all of a value. */
export const weightOf = ({ type, held }: CelObject): number => type.weight?.(held) ?? 1;

function equalBytes(a: Uint8Array, b: Uint8Array, spend: Spend): boolean {
  if (a.length !== b.length) return false;
  spend(a.length >> 3);
  return a.every((byte, index) => byte === b[index]);
}

function equalLists(a: readonly CelValue[], b: readonly CelValue[], spend: Spend): boolean {
  if (a.length !== b.length) return false;
  const keyed = keyedListType(a);
  if (keyed !== undefined) {
    spend(Math.min(writtenSize(a), writtenSize(b)));
    return sameItems(keyed, a, b, (x, y) => equalValues(x, y, spend));
  }
  return a.every((item, index) => {
    spend(1);
    return equalValues(readable(item), b[index] as CelValue, spend);
  });
}

function equalOptionals(a: Optional, b: Optional, spend: Spend): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  spend(1);
  return equalValues(a.value, b.value, spend);
}

function equalMaps(a: CelMap | CelRecord, b: typeof a, spend: Spend): boolean {
  const size = mapSize(a);
  const other = mapSize(b);
  spend((size + other) * 2);
  if (size !== other) return false;
  return mapEntries(a).every(([key, value]) => {
    spend(1);
    const found = mapGet(b, key);
    return found !== undefined && equalValues(readable(value), found, spend);
  });
}

/** A set of values under CEL equality. */
interface ValueSet {
  has(value: CelValue): boolean;
  add(value: CelValue): void;
}

export function valueSet(values: Iterable<CelValue> = []): ValueSet {
  const texts = new Set<string>();
  const distinct: CelValue[] = [];
  const rest: CelValue[] = [];
  const set: ValueSet = {
    has(value) {
      const text = canonicalText(value);
      const isEqual = (other: CelValue): boolean => areEqual(value, other);
      if (text === undefined) return distinct.some(isEqual) || rest.some(isEqual);
      return texts.has(text) || rest.some(isEqual);
    },
    add(value) {
      const text = canonicalText(value);
      if (text !== undefined) texts.add(text);
      (text === undefined ? rest : distinct).push(value);
    },
  };
  for (const value of values) set.add(value);
  return set;
}

/**
 * Returns a text that equal values share; `undefined` for values without one (NaN, library types, lists without order,
 * doubles that equal several integers). Searches with it are fast.
 */
const canonicalText = (value: CelValue): string | undefined => textOf(value, ofOneInteger);

/** Does the same with integers and doubles distinguished by their digits: the key of an item of a set or a map. */
const textAsKey = (value: CelValue): string | undefined => textOf(value, doubleText);

type OfDouble = (value: number) => string | undefined;

function textOf(value: CelValue, ofDouble: OfDouble): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint) return value.value.toString();
  if (typeof value === 'number') return ofDouble(value);
  if (value === null || typeof value === 'boolean') return `${value}`;
  if (value instanceof Uint8Array) return `b${value.join()}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof Timestamp) return `t${value.nanos}`;
  if (value instanceof TypeValue) return `T${value.name}`;
  if (value instanceof Optional) return partsText('o', value.value === undefined ? [] : [value.value], ofDouble);
  if (isList(value)) return keyedListType(value) ? undefined : partsText('[', value, ofDouble);
  return isMapValue(value) ? partsText('{', mapEntries(value).flat(), ofDouble) : undefined;
}

/** Reports whether a value has a text, without writing it; `known` caches the results of its parts. */
export function hasText(value: CelValue, known = new Map<unknown, boolean>()): boolean {
  if (typeof value === 'number') return ofOneInteger(value) !== undefined;
  if (typeof value !== 'object' || value === null) return true;
  return getOrCompute(known, value, () => {
    const parts = isList(value) && keyedListType(value) ? undefined : partsOf(value);
    return parts === undefined ? canonicalText(value) !== undefined : parts.every((part) => hasText(part, known));
  });
}

/** From 2^53 on a double equals several integers, which do not equal each other. */
const ofOneInteger: OfDouble = (value) =>
  Math.abs(value) < 2 ** 53 || !Number.isFinite(value) ? doubleText(value) : undefined;

function doubleText(value: number): string | undefined {
  if (Number.isNaN(value)) return undefined;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toString();
}

function partsText(open: string, parts: readonly CelValue[], ofDouble: OfDouble): string | undefined {
  let text = open;
  for (const part of parts) {
    const written = textOf(part, ofDouble);
    if (written === undefined) return undefined;
    text += `${written},`;
  }
  return text;
}
