import { isMap, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';

/** The marker of a pending value: a text that no template contains. */
export const HOLE = '\u0000waits';

/**
 * Returns the value without its holes, and their paths. An element of a list becomes null, so that the others keep
 * their index.
 */
export function withoutHoles(value: Value): { value: Value; holes: readonly Path[] } {
  const holes: Path[] = [];
  return { value: cleared(value, [], holes), holes };
}

function cleared(value: Value, path: Path, holes: Path[]): Value {
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      if (!isHole(item)) return cleared(item, [...path, index], holes);
      holes.push([...path, index]);
      return null;
    });
  }
  if (!isMap(value)) return value;
  const whole: ValueMap = {};
  for (const key of Object.keys(value)) {
    const entry = value[key] as Value;
    if (isHole(entry)) holes.push([...path, key]);
    else setKey(whole, key, cleared(entry, [...path, key], holes));
  }
  return whole;
}

const isHole = (value: Value): boolean => typeof value === 'string' && value.includes(HOLE);

/** Returns the value with null, from which nothing can be read, at a path; unchanged if the path does not exist. */
export function withNull(value: Value, [step, ...rest]: Path): Value {
  if (step === undefined) return null;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? withNull(item, rest) : item));
  if (!isMap(value) || (rest.length > 0 && !Object.hasOwn(value, step))) return value;
  const whole: ValueMap = { ...value };
  setKey(whole, String(step), withNull(value[step] ?? null, rest));
  return whole;
}
