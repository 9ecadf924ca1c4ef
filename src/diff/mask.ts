import { equal, get, isMap, setKey, type Value, type ValueMap } from '../model/value.ts';
import { either, hasNamedValues, isNameOfValue, membersOf, type Secrecy, within } from '../secrecy/index.ts';
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
  const whole = maskedValue(object, { other, secrecy, changed });
  if (!isMap(whole)) return whole;
  for (const field of named) {
    const map = object[field];
    if (within(secrecy, [field]) !== true || !isMap(map)) continue;
    whole[field] = maskedMap(map, { other: get(other, field), secrecy: EACH_SECRET, changed }, true);
  }
  return whole;
}

const EACH_SECRET = membersOf(true);

interface Mask {
  other: Value | undefined;
  secrecy: Secrecy;
  changed: string;
}

function maskedValue(value: Value, { other, secrecy, changed }: Mask, isNamed = false): Value {
  if (secrecy === false) return value;
  if (secrecy === true) return equal(value, other) ? SAME : changed;
  if (Array.isArray(value)) {
    const items: readonly Value[] = Array.isArray(other) ? other : [];
    return value.map((item, index) =>
      maskedValue(item, { other: items[index], secrecy: within(secrecy, [index]), changed }),
    );
  }
  return isMap(value) ? maskedMap(value, { other, secrecy, changed }, isNamed) : value;
}

/** `isNamed` says that the keys are names of values. */
function maskedMap(map: ValueMap, { other, secrecy, changed }: Mask, isNamed: boolean): ValueMap {
  const whole: ValueMap = {};
  for (const [key, value] of Object.entries(map)) {
    const inner = { other: get(other, key), secrecy: within(secrecy, [key]), changed };
    const isShown =
      inner.secrecy !== true || isKnownIn(secrecy, key) || (isNamed ? isNameOfValue(value) : hasNamedValues(key));
    const shown = maskedValue(value, inner, hasNamedValues(key));
    // Of several keys that are not shown one that changed counts.
    if (isShown) setKey(whole, key, shown);
    else if (whole[SAME] !== changed) setKey(whole, SAME, shown);
  }
  return whole;
}

const isKnownIn = (secrecy: Secrecy, key: string): boolean => typeof secrecy !== 'boolean' && secrecy.fields.has(key);
