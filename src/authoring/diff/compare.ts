import type { Text } from '../../core/diagnostics/index.ts';
import { identityOf } from '../../core/model/object.ts';
import { equal, get, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { Reviewed } from '../review/index.ts';
import { type FieldPath, formatFieldPath, formatKey, pairItems } from './items.ts';
import { masked, maskedAlone } from './mask.ts';
import { warningsOf } from './warnings.ts';

/** A changed field; without `before` it is added, without `after` it is removed. */
export type FieldChange = {
  /** The displayed path: `spec.containers[web].env[DB_URL].value`. */
  path: string;
  /** The items are the same in another order; both sides contain their keys. */
  order?: true;
  before?: Value;
  after?: Value;
};

/**
 * The change of an object. `replaced`: the node of the instance renders another identity, so that the old object is
 * deleted and a new one created.
 */
export interface ObjectChange {
  change: 'added' | 'removed' | 'changed' | 'replaced';
  before?: Reviewed;
  after?: Reviewed;
  /** The redacted versions. */
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
    .map((change, index) => ({ change, key: keyOfField(change), index }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map(({ change }) => change);
  if (order === undefined) return changes;
  const [was, is] = [order.before, order.after].map((keys) => keys.map((key) => formatKey(key)));
  return [changeAt(path, was, is, true), ...changes];
}

/** Returns a sort key that does not depend on the direction of the comparison; indexes are in numeric order. */
const keyOfField = ({ path, before, after }: FieldChange): string =>
  `${path.replace(/\[(\d+)\]/g, (_, place: string) => `[${place.padStart(9, '0')}]`)}\u0000${toJsonText(before ?? after ?? null)}`;

const changeAt = (path: FieldPath, before?: Value, after?: Value, order = false): FieldChange => ({
  path: formatFieldPath(path),
  ...(order && { order }),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

/**
 * Something to review before the change is applied. `data-loss` is about the data that the objects hold or claim,
 * `denied` about an admission policy.
 */
export interface ChangeWarning {
  kind: 'data-loss' | 'recreate' | 'denied';
  message: Text;
}

/** The diagnostic codes of the warnings. */
export const DANGER_CODES = {
  'data-loss': 'danger-data-loss',
  recreate: 'danger-immutable-field',
  denied: 'danger-denied',
} as const;

export interface Comparison {
  changes: readonly ObjectChange[];
  warnings: readonly ChangeWarning[];
  counts: Readonly<Record<ObjectChange['change'] | 'unchanged', number>>;
}

/**
 * Compares two renderings by the identity of their objects: group, kind, namespace and name. In the other direction,
 * added and removed are swapped, and so are before and after. `holdsData` names kinds that lose data when deleted.
 */
export function compareVersions(
  before: readonly Reviewed[],
  after: readonly Reviewed[],
  holdsData: readonly string[] = [],
): Comparison {
  const changes = changesBetween(before, after);
  const count = (what: ObjectChange['change']): number => changes.filter(({ change }) => change === what).length;
  const counts = { added: count('added'), removed: count('removed'), changed: count('changed') };
  const replaced = count('replaced');
  const unchanged = byIdentity(before).size - counts.removed - counts.changed - replaced;
  return {
    changes,
    warnings: changes.flatMap((change) => warningsOf(change, holdsData)),
    counts: { ...counts, replaced, unchanged },
  };
}

/** Returns the changed objects of two renderings. */
export function changesBetween(before: readonly Reviewed[], after: readonly Reviewed[]): ObjectChange[] {
  const old = byIdentity(before);
  const newer = byIdentity(after);
  const removed = [...old].flatMap(([key, one]) => (newer.has(key) ? [] : [one]));
  const added = [...newer].flatMap(([key, one]) => (old.has(key) ? [] : [one]));
  const places = new Map(added.flatMap((one) => (one.place === undefined ? [] : [[one.place.key, one]])));
  const replaced = removed.flatMap((one) => pairOf(one, places.get(one.place?.key ?? '')));
  const paired = new Set(replaced.flat());
  const changes = [
    ...removed.filter((one) => !paired.has(one)).map((one) => changeOf('removed', one, undefined)),
    ...replaced.map(([one, other]) => changeOf('replaced', one, other)),
    ...[...old]
      .flatMap(([key, one]) => pairOf(one, newer.get(key)))
      .filter(([one, other]) => !equal(one.object, other.object))
      .map(([one, other]) => changeOf('changed', one, other)),
    ...added.filter((one) => !paired.has(one)).map((one) => changeOf('added', undefined, one)),
  ];
  return changes
    .map((change) => ({ change, key: sortKey(change) }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ change }) => change);
}

const byIdentity = (objects: readonly Reviewed[]): Map<string, Reviewed> =>
  new Map(objects.map((one) => [identityOf(one.object), one]));

const pairOf = (one: Reviewed, other: Reviewed | undefined): [Reviewed, Reviewed][] =>
  other === undefined ? [] : [[one, other]];

function changeOf(
  change: ObjectChange['change'],
  before: Reviewed | undefined,
  after: Reviewed | undefined,
): ObjectChange {
  const shown =
    before && after
      ? masked(before, after)
      : { ...(before && { before: maskedAlone(before) }), ...(after && { after: maskedAlone(after) }) };
  const fields = before && after ? fieldChanges(shown.before, shown.after, after.schema ?? before.schema) : [];
  return { change, ...(before && { before }), ...(after && { after }), shown, fields };
}

/** Sorts by the lesser identity, so that the order does not depend on the direction. */
function sortKey({ before, after }: ObjectChange): string {
  const keys = [before, after].flatMap((one) => (one === undefined ? [] : [keyOf(one)])).sort();
  return keys[0] ?? '';
}

/** Objects whose names may come from a Secret come first, by node: their position must not depend on the name. */
function keyOf({ object, nameless, place }: Reviewed): string {
  const { kind, metadata } = object;
  if (nameless) return ['', kind, place?.node ?? ''].join('\u0000');
  const named: ValueMap = isMap(metadata) ? metadata : {};
  return [named.namespace ?? '', kind, named.name ?? '', identityOf(object)].join('\u0000');
}
