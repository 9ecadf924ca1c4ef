/**
 * `==` and `+` of lists with the x-kubernetes-list-type set or map: order is ignored, and adding merges (kro:
 * pkg/cel/unstructured, after k8s.io/apiserver pkg/cel/common/values.go).
 */
import { storedType, withType } from '../stored.ts';
import type { ListType } from '../types.ts';
import { textAsKey } from './canonical-text.ts';
import { isMapValue } from './kind.ts';
import type { CelRecord, CelValue } from './values.ts';

type List = readonly CelValue[];

/** Returns the type of a list that is a set or keyed, `undefined` for others. */
export function keyedListType(list: List): ListType | undefined {
  const type = storedType(list);
  return type?.kind === 'list' && type.listType !== undefined ? type : undefined;
}

/** Reports whether two lists of one length have the same items, in any order; `equal` compares items of one key. */
export function sameItems(type: ListType, a: List, b: List, equal: (x: CelValue, y: CelValue) => boolean): boolean {
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
