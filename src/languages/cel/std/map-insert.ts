/** The expansions of `transformMap` and `transformMapEntry` (cel-go ext.TwoVarComprehensions). */
import { keyOf } from '../access.ts';
import { fn, type Library } from '../library.ts';
import { mapOf, param } from '../types.ts';
import { kindOf } from '../value/kind.ts';
import { mapEntries, mapFrom, mapGet } from '../value/maps.ts';
import { type CelKey, type CelMap, type CelRecord, type CelValue, failure } from '../value/values.ts';

type MapValue = CelRecord | CelMap;
type Entry = readonly [CelKey, CelValue];

const MAP = mapOf(param('K'), param('V'));

function insert(map: MapValue, added: readonly Entry[]): MapValue {
  for (const [key] of added) {
    if (mapGet(map, key) !== undefined) throw failure(insertFailed(key));
  }
  return mapFrom([...mapEntries(map), ...added]);
}

export const insertFailed = (key: CelKey): string =>
  `insert failed: key ${typeof key === 'object' ? key.value : key} already exists`;

function insertOne(map: MapValue, key: CelValue, value: CelValue): MapValue {
  const known = keyOf(key);
  if (known === undefined) throw failure(`unsupported key type: ${kindOf(key)}`);
  return insert(map, [[known, value]]);
}

export const mapInsert: Library = {
  name: 'cel-go ext.TwoVarComprehensions',
  overloads: [
    fn('cel.@mapInsert', [MAP, param('K'), param('V')], MAP, insertOne),
    fn('cel.@mapInsert', [MAP, MAP], MAP, (map: MapValue, added: MapValue) => insert(map, mapEntries(added))),
  ],
};
