/** kro's map functions (pkg/cel/library/maps.go). */
import { ENTRY } from '../../budget.ts';
import { type Library, method } from '../../library.ts';
import { DYN, mapOf, param } from '../../types.ts';
import { isMapValue } from '../../value/kind.ts';
import { mapEntries, mapFrom, mapGet, mapSize } from '../../value/maps.ts';
import { writtenSize } from '../../value/size.ts';
import { type CelMap, type CelRecord, type CelValue, fixedFailure } from '../../value/values.ts';

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
      size: (map: MapValue, other: MapValue) => (mapSize(map) + mapSize(other)) * ENTRY,
    }),
    method('deepMerge', [DYN, DYN], DYN, deepMerge, {
      size: (map: CelValue, other: CelValue) =>
        Math.min(writtenSize(map), writtenSize(other)) + (topSize(map) + topSize(other)) * ENTRY,
    }),
  ],
};

const topSize = (value: CelValue): number => (isMapValue(value) ? mapSize(value) : 0);
