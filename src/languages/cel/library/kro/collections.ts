/** kro's functions of lists and maps, which return a changed copy (pkg/cel/library/lists.go and maps.go). */
import { ENTRY } from '../../budget.ts';
import { fn, type Library, method } from '../../library.ts';
import { DYN, INT, listOf, mapOf, param } from '../../types.ts';
import { isMapValue } from '../../value/kind.ts';
import { mapEntries, mapFrom, mapGet, mapSize } from '../../value/maps.ts';
import { writtenSize } from '../../value/size.ts';
import { type CelMap, type CelRecord, type CelValue, failure, fixedFailure } from '../../value/values.ts';

type List = readonly CelValue[];

const T = param('T');
const LIST = listOf(T);

/** Checks the index of an item, or of the position after the last if `bracket` is ']'. */
function within(name: string, list: List, index: bigint, bracket: ')' | ']'): number {
  const last = BigInt(list.length) - (bracket === ')' ? 1n : 0n);
  if (index < 0n || index > last) {
    throw failure(`lists.${name}: index ${index} out of bounds [0, ${list.length}${bracket}`);
  }
  return Number(index);
}

const setAtIndex = (list: List, index: bigint, value: CelValue): List =>
  list.with(within('setAtIndex', list, index, ')'), value);

const insertAtIndex = (list: List, index: bigint, value: CelValue): List =>
  list.toSpliced(within('insertAtIndex', list, index, ']'), 0, value);

const removeAtIndex = (list: List, index: bigint): List => list.toSpliced(within('removeAtIndex', list, index, ')'), 1);

const grown = (list: List): number => list.length + 1;

export const kroLists: Library = {
  name: 'kro lists',
  overloads: [
    fn('lists.setAtIndex', [LIST, INT, T], LIST, setAtIndex, { size: grown }),
    fn('lists.insertAtIndex', [LIST, INT, T], LIST, insertAtIndex, { size: grown }),
    fn('lists.removeAtIndex', [LIST, INT], LIST, removeAtIndex, { size: grown }),
  ],
};

type MapValue = CelRecord | CelMap;

const MAP = mapOf(param('K'), param('V'));

/** Returns the entries of both maps, the second one wins. */
const merge = (map: MapValue, other: MapValue): MapValue => mapFrom([...mapEntries(map), ...mapEntries(other)]);

/** As `merge`, but maps with the same key are merged recursively. */
function deepMerge(map: CelValue, other: CelValue): MapValue {
  if (!isMapValue(map) || !isMapValue(other)) throw fixedFailure('no such overload');
  if (mapSize(other) === 0) return map;
  if (mapSize(map) === 0) return other;
  const merged = mapEntries(other).map(([key, value]) => {
    const own = mapGet(map, key);
    const both = own !== undefined && isMapValue(own) && isMapValue(value);
    return [key, both ? deepMerge(own, value) : value] as const;
  });
  return mapFrom([...mapEntries(map), ...merged]);
}

export const maps: Library = {
  name: 'kro maps',
  overloads: [
    method('merge', [MAP, MAP], MAP, merge, {
      size: (map, other) => (mapSize(map) + mapSize(other)) * ENTRY,
    }),
    method('deepMerge', [DYN, DYN], DYN, deepMerge, {
      size: (map, other) => Math.min(writtenSize(map), writtenSize(other)) + (topSize(map) + topSize(other)) * ENTRY,
    }),
  ],
};

const topSize = (value: CelValue): number => (isMapValue(value) ? mapSize(value) : 0);
