import { equal, get, isMap, setKey, type Value, type ValueMap } from '../model/value.ts';
import { either, type Secrecy, within } from '../secrecy/index.ts';
import type { Reviewed } from './reviewed.ts';

/** Stands for a value of a Secret that both versions have. */
const SAME = '(hidden)';

/** Two versions of an object with texts in the place of secret values, which tell only whether they differ. */
export function masked(before: Reviewed, after: Reviewed): { before: Value; after: Value } {
  const secrecy = either(before.secrecy, after.secrecy);
  const named = before.named.filter((field) => after.named.includes(field));
  const mask = (one: Reviewed, other: Reviewed, which: string): Value =>
    maskedObject(one.object, other.object, { secrecy, named, changed: `(hidden, ${which})` });
  return { before: mask(before, after, 'before'), after: mask(after, before, 'after') };
}

/** An object that has no other version. */
export const maskedAlone = ({ object, secrecy, named }: Reviewed): Value =>
  maskedObject(object, object, { secrecy, named, changed: SAME });

interface Masking {
  secrecy: Secrecy;
  named: readonly string[];
  changed: string;
}

/** The keys of a map that was written by hand are names; those of any other may be values themselves. */
function maskedObject(object: ValueMap, other: Value, { secrecy, named, changed }: Masking): Value {
  const whole = maskedValue(object, other, secrecy, changed);
  if (!isMap(whole)) return whole;
  for (const field of named) {
    const map = object[field];
    if (within(secrecy, [field]) !== true || !isMap(map)) continue;
    const shown: ValueMap = {};
    const beside = get(other, field);
    for (const key of Object.keys(map)) {
      setKey(shown, key, maskedValue(map[key] as Value, get(beside, key), true, changed));
    }
    whole[field] = shown;
  }
  return whole;
}

function maskedValue(value: Value, other: Value | undefined, secrecy: Secrecy, changed: string): Value {
  if (secrecy === false) return value;
  if (secrecy === true) return equal(value, other) ? SAME : changed;
  if (Array.isArray(value)) {
    const items: readonly Value[] = Array.isArray(other) ? other : [];
    return value.map((item, index) => maskedValue(item, items[index], within(secrecy, [index]), changed));
  }
  if (!isMap(value)) return value;
  const whole: ValueMap = {};
  for (const key of Object.keys(value)) {
    setKey(whole, key, maskedValue(value[key] as Value, get(other, key), within(secrecy, [key]), changed));
  }
  return whole;
}
