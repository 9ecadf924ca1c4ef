/**
 * `==` and `+` of lists whose schema says x-kubernetes-list-type set or map: order does not matter, and adding merges
 * (k8s.io/apiserver pkg/cel/common/values.go).
 */
import { isRecord } from '../access.ts';
import { valueSet } from '../library/values/canonical.ts';
import { equalValues } from '../library/values/equal.ts';
import type { ListType } from '../types.ts';
import type { CelValue } from '../values.ts';

type List = readonly CelValue[];

export function equalLists(type: ListType, a: CelValue, b: CelValue): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return equalValues(a, b);
  if (a.length !== b.length) return false;
  if (type.listType === 'set') {
    const items = valueSet(a);
    return b.every((item) => items.has(item));
  }
  const byKey = new Map((a as List).map((item) => [itemKey(type, item), item]));
  return b.every((item) => {
    const other = byKey.get(itemKey(type, item));
    return other !== undefined && equalValues(other, item);
  });
}

/** The places of the first list are kept; of equal items, or items of one key, the later one stays. */
export function addLists(type: ListType, a: List, b: List): List {
  const sum = [...a];
  if (type.listType === 'set') {
    const items = valueSet(a);
    for (const item of b) if (!items.has(item)) sum.push(item);
    return sum;
  }
  const places = new Map(a.map((item, place) => [itemKey(type, item), place]));
  for (const item of b) {
    const place = places.get(itemKey(type, item));
    if (place === undefined) sum.push(item);
    else sum[place] = item;
  }
  return sum;
}

function itemKey(type: ListType, item: CelValue): string {
  const keys = (type.mapKeys ?? []).map((key) => (isRecord(item) && Object.hasOwn(item, key) ? item[key] : null));
  return JSON.stringify(keys.map((key) => `${typeof key} ${String(key)}`));
}
