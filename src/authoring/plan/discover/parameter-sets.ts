import { get, isMap, mergeMaps, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { rejected } from '../not-rendered.ts';
import { flattened } from './parameters.ts';

/** Returns a parameter with different values in two sets. */
export function differingKey(one: ValueMap, other: ValueMap): string | undefined {
  const known = flattened(one);
  return [...flattened(other)].find(([key, value]) => known.has(key) && known.get(key) !== value)?.[0];
}

/** Groups parameters by the values of some keys. With goTemplate a key is a key of the map, and not a path. */
export function byKeys(
  sets: readonly ValueMap[],
  names: readonly string[],
  goTemplate: boolean,
): Map<string, ValueMap> {
  const found = new Map<string, ValueMap>();
  for (const one of sets) {
    const flat = flattened(one);
    const valueAt = (name: string): Value => (goTemplate ? get(one, name) : flat.get(name)) ?? null;
    const key = toJsonText(names.map(valueAt));
    if (found.has(key)) throw rejected(`two parameter sets of its merge generator have the mergeKeys ${key}`);
    found.set(key, one);
  }
  return found;
}

/** Returns the template of an ApplicationSet merged with that of a generator, whose fields win. */
export function templateFor(generator: Value, template: ValueMap): ValueMap {
  const own = isMap(generator) ? Object.values(generator).map((one) => get(one, 'template')) : [];
  return own.filter(isMap).reduce((whole, one) => mergeMaps(whole, withoutEmpty(one)), template);
}

/** Argo CD treats empty fields as missing. */
function withoutEmpty(map: ValueMap): ValueMap {
  const kept: ValueMap = {};
  for (const [key, value] of Object.entries(map)) {
    if (value === '' || value === false || value === null) continue;
    setKey(kept, key, isMap(value) ? withoutEmpty(value) : value);
  }
  return kept;
}
