import { HIDDEN, hasErrors, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal, get, isMap, listOf, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { either, hasNamedValues, isNameOfValue, membersOf, type Secrecy, within } from '../../core/redaction/index.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { type Reviewed, renderVersion } from '../review/index.ts';
import { otherVersions } from './items.ts';

/** The replacement for a value of a Secret that both versions have. */
const SAME = HIDDEN;

export const isMasked = (text: string): boolean => /^\(hidden(, (before|after))?\)$/.test(text);

/** Returns two versions of an object with replaced secret values, which only show whether they differ. */
export function masked(before: Reviewed, after: Reviewed): { before: Value; after: Value } {
  const secrecy = either(before.secrecy, after.secrecy);
  const named = before.named.filter((field) => after.named.includes(field));
  const schema = after.schema ?? before.schema;
  const mask = (one: Reviewed, other: Reviewed, which: string): Value =>
    maskedObject(one.object, { other: other.object, secrecy, schema, changed: `(hidden, ${which})` }, named);
  return { before: mask(before, after, 'before'), after: mask(after, before, 'after') };
}

/** Returns an object without another version, redacted. */
export const maskedAlone = ({ object, secrecy, named, schema }: Reviewed): Value =>
  maskedObject(object, { other: object, secrecy, schema, changed: SAME }, named);

interface Mask {
  other: Value | undefined;
  secrecy: Secrecy;
  schema: Schema | undefined;
  changed: string;
}

/** Redacts an object: keys of a map that was written by hand are names; others may be values. */
function maskedObject(object: ValueMap, mask: Mask, named: readonly string[]): Value {
  const whole = maskedValue(object, mask);
  if (!isMap(whole)) return whole;
  for (const field of named) {
    const map = object[field];
    const inner = memberMask(mask, field);
    if (inner.secrecy === true && isMap(map)) whole[field] = maskedMap(map, { ...inner, secrecy: EACH_SECRET }, true);
  }
  return whole;
}

const EACH_SECRET = membersOf(true);

const memberMask = ({ other, secrecy, schema, changed }: Mask, key: string): Mask => ({
  other: get(other, key),
  secrecy: within(secrecy, [key]),
  schema: memberSchema(schema, key),
  changed,
});

function maskedValue(value: Value, { other, secrecy, schema, changed }: Mask, isNamed = false): Value {
  if (secrecy === false) return value;
  if (secrecy === true) return equal(value, other) ? SAME : changed;
  if (Array.isArray(value)) {
    const others = otherVersions(value, listOf(other), schema);
    return value.map((item, index) =>
      maskedValue(item, { other: others[index], secrecy: within(secrecy, [index]), schema: schema?.items, changed }),
    );
  }
  return isMap(value) ? maskedMap(value, { other, secrecy, schema, changed }, isNamed) : value;
}

/** `isNamed` means that the keys are names of values. */
function maskedMap(map: ValueMap, mask: Mask, isNamed: boolean): ValueMap {
  const whole: ValueMap = {};
  for (const [key, value] of Object.entries(map)) {
    const inner = memberMask(mask, key);
    const isShown =
      inner.secrecy !== true || isKnownIn(mask.secrecy, key) || (isNamed ? isNameOfValue(value) : hasNamedValues(key));
    const shown = maskedValue(value, inner, hasNamedValues(key));
    // Of several hidden keys a changed one counts.
    if (isShown) setKey(whole, key, shown);
    else if (whole[SAME] !== mask.changed) setKey(whole, SAME, shown);
  }
  return whole;
}

const isKnownIn = (secrecy: Secrecy, key: string): boolean => typeof secrecy !== 'boolean' && secrecy.fields.has(key);

/** Returns a path up to keys that may be values of Secrets. */
export function shownPath(path: Path, ...secrecies: readonly Secrecy[]): Text {
  const isHidden = (length: number): boolean =>
    secrecies.some((secrecy) => within(secrecy, path.slice(0, length)) === true);
  const end = path.findIndex((_, index) => index > 0 && isHidden(index));
  return trusted.field(end < 0 ? path : path.slice(0, end));
}

/** Returns the objects that `render` would print, redacted. */
export function maskedObjects(
  input: RenderInput,
  options: RenderOptions & { all: boolean },
): { objects: KubeObject[]; reports: readonly Report[] } {
  const { objects, reports } = renderVersion(input, options);
  return { objects: hasErrors(reports) ? [] : objects.map((one) => maskedAlone(one) as KubeObject), reports };
}
