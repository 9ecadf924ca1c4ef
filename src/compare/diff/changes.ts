import {
  composeText,
  fullTitle,
  HIDDEN,
  hasErrors,
  mapText,
  type Report,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { fullTitleOf, type KubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import {
  equal,
  get,
  isMap,
  listOf,
  ownValue,
  type Path,
  setKey,
  type Value,
  type ValueMap,
} from '../../core/model/value.ts';
import { either, hasNamedValues, isNameOfValue, membersOf, type Secrecy, within } from '../../core/redaction/index.ts';
import { type FieldPath, formatFieldPath, formatKey, otherVersions, pairItems } from '../../kubernetes/items/index.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { hiddenTitleOfReviewed, type Reviewed, renderVersion } from '../review/index.ts';

/** A changed field; without `before` it is added, without `after` it is removed. */
export type FieldChange = {
  /** The displayed path: `spec.containers[web].env[DB_URL].value`. */
  path: string;
  /** The items are the same in another order; both sides contain their keys. */
  order?: true;
  before?: Value;
  after?: Value;
};

/** `replaced`: the node renders another identity, so that the old object is deleted and a new one created. */
export interface ObjectChange {
  change: 'added' | 'removed' | 'changed' | 'replaced';
  before?: Reviewed;
  after?: Reviewed;
  shown: { before?: Value; after?: Value };
  fields: FieldChange[];
}

/** Returns the deepest changed fields, sorted by key; items of lists are matched by their merge keys. */
export function fieldChanges(
  before: Value | undefined,
  after: Value | undefined,
  schema: Schema | undefined,
  path: FieldPath = [],
): FieldChange[] {
  if (equal(before, after)) return [];
  if (isMap(before) && isMap(after)) {
    const keys = [...Object.keys(before), ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))].sort();
    return keys.flatMap((key) =>
      fieldChanges(get(before, key), get(after, key), memberSchema(schema, key), [...path, key]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length + after.length > 0) {
    return listChanges(before, after, schema, path);
  }
  return [changeAt(path, before, after)];
}

function listChanges(
  before: readonly Value[],
  after: readonly Value[],
  schema: Schema | undefined,
  path: FieldPath,
): FieldChange[] {
  const { pairs, order } = pairItems(before, after, schema);
  const changes = pairs
    .flatMap((pair) => fieldChanges(pair.before, pair.after, schema?.items, [...path, pair.step]))
    .map((change, index) => ({ change, key: sortKey(change), index }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map(({ change }) => change);
  if (order === undefined) return changes;
  const [was, is] = [order.before, order.after].map((keys) => keys.map((key) => formatKey(key)));
  return [changeAt(path, was, is, true), ...changes];
}

/** Returns a sort key that does not depend on the direction of the comparison; indexes are in numeric order. */
const sortKey = ({ path, before, after }: FieldChange): string =>
  `${path.replace(/\[(\d+)\]/g, (_, place: string) => `[${place.padStart(9, '0')}]`)}\u0000${toJsonText(before ?? after ?? null)}`;

const changeAt = (path: FieldPath, before?: Value, after?: Value, order = false): FieldChange => ({
  path: formatFieldPath(path),
  ...(order && { order }),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

/** `data-loss` is about the data that the objects hold or claim, `denied` about an admission policy. */
export interface ChangeWarning {
  kind: 'data-loss' | 'recreate' | 'denied';
  message: Text;
}

export const DANGER_CODES = {
  'data-loss': 'danger-data-loss',
  recreate: 'danger-immutable-field',
  denied: 'danger-denied',
} as const;

/** `Kind namespace/name`; a name that may be a value of a Secret is hidden. */
export const titleOfReviewed = ({
  object,
  nameless,
  secrecy = false,
}: Pick<Reviewed, 'object' | 'nameless'> & Partial<Pick<Reviewed, 'secrecy'>>): Text =>
  fullTitle(object, hiddenTitleOfReviewed({ nameless, secrecy }));

/** `Website web/blog, node server`, or `ResourceSet web/tenants, spec.resources[0]`; '' for a plain object. */
export function originOfReviewed({ place }: Pick<Reviewed, 'place'>): Text {
  if (place === undefined) return composeText``;
  const part = isTemplate(place) ? place.node : composeText`node ${place.node}`;
  return composeText`${instanceTitle(place)}, ${part}`;
}

/** Returns the instance, or the template of a ResourceSet, that renders an object; '' for others. */
export function instanceOfReviewed({ place }: Pick<Reviewed, 'place'>): Text {
  if (place === undefined) return composeText``;
  return isTemplate(place) ? originOfReviewed({ place }) : instanceTitle(place);
}

type Origin = NonNullable<Reviewed['place']>;

// sentence: a path of a ResourceSet or the id of a node, which has no dot
const isTemplate = ({ node }: Origin): boolean => node.startsWith('spec.');

function instanceTitle({ instance, namespace }: Origin): Text {
  // sentence: writes the parts of a title in another form
  const [kind = '', ...name] = instance.split('/');
  return mapText(instance, () => fullTitleOf({ kind, namespace, name: name.join('/') }));
}

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
    const map = ownValue(object, field);
    const inner = memberMask(mask, field);
    if (inner.secrecy === true && isMap(map))
      setKey(whole, field, maskedMap(map, { ...inner, secrecy: EACH_SECRET }, true));
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
