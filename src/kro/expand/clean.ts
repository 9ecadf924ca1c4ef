import { get, isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';

/** Merges maps; everything else, including lists, is taken from `over` (the desired object over the observed one). */
export function layOver(over: Value, under: Value | undefined): Value {
  if (!isMap(over) || !isMap(under)) return over;
  const merged: ValueMap = { ...under };
  for (const key of Object.keys(over)) {
    setKey(merged, key, layOver(over[key] as Value, get(under, key)));
  }
  return merged;
}
