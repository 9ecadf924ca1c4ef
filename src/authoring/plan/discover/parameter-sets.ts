import { get, isMap, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { flattened } from './parameters.ts';

/** Why the applications of a generator are not known. */
export class GeneratorError extends Error {}

/** A parameter to which two sets give different values. */
export function differingKey(one: ValueMap, other: ValueMap): string | undefined {
  const known = flattened(one);
  return [...flattened(other)].find(([key, value]) => known.has(key) && known.get(key) !== value)?.[0];
}

/** Parameters by the values of some keys. With goTemplate a key is that of the whole map, and no path in it. */
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
    if (found.has(key)) throw new GeneratorError(`two parameter sets of its merge generator have the mergeKeys ${key}`);
    found.set(key, one);
  }
  return found;
}

/** The template of an ApplicationSet with what a generator of its own says: its fields win. */
export function templateFor(generator: Value, template: ValueMap): ValueMap {
  const own = isMap(generator) ? Object.values(generator).map((one) => get(one, 'template')) : [];
  return own.filter(isMap).reduce((whole, one) => merged(whole, withoutEmpty(one)), template);
}

/** Argo CD takes fields that are empty for fields that are missing. */
function withoutEmpty(map: ValueMap): ValueMap {
  const kept: ValueMap = {};
  for (const [key, value] of Object.entries(map)) {
    if (value === '' || value === false || value === null) continue;
    setKey(kept, key, isMap(value) ? withoutEmpty(value) : value);
  }
  return kept;
}

/** Two maps, maps in them too, where `over` wins. */
export function merged(map: ValueMap, over: ValueMap): ValueMap {
  const result: ValueMap = { ...map };
  for (const [key, value] of Object.entries(over)) {
    const known = get(map, key);
    setKey(result, key, isMap(known) && isMap(value) ? merged(known, value) : value);
  }
  return result;
}
