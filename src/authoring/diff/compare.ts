import { groupVersionKind, identityOf, nameOf, namespaceOf } from '../../core/model/object.ts';
import { equal, isMap, type ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { Reviewed } from '../review/index.ts';
import { type ChangeWarning, fieldChanges, type ObjectChange } from './changes.ts';
import { masked, maskedAlone } from './mask.ts';
import { warningsOf } from './warnings.ts';

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
  const counts = { added: 0, removed: 0, changed: 0, replaced: 0, unchanged: byIdentity(before).size };
  for (const { change } of changes) {
    counts[change] += 1;
    if (change !== 'added') counts.unchanged -= 1;
  }
  return { changes, warnings: changes.flatMap((change) => warningsOf(change, holdsData)), counts };
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
  return [before, after].flatMap((one) => (one === undefined ? [] : keyOf(one))).sort()[0] ?? '';
}

/** Objects whose names may come from a Secret come first, by node: their position must not depend on the name. */
function keyOf({ object, nameless, place }: Reviewed): string {
  const { kind, metadata } = object;
  if (nameless) return ['', kind, place?.node ?? ''].join('\u0000');
  const named: ValueMap = isMap(metadata) ? metadata : {};
  return [named.namespace ?? '', kind, named.name ?? '', identityOf(object)].join('\u0000');
}

/**
 * Returns a comparison as JSON: `counts`, `warnings`, and `objects` with the changed fields. Possible values of a Secret
 * are replaced by a text.
 */
export function comparisonJson({ counts, warnings, changes }: Comparison): string {
  const value = {
    counts: Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, BigInt(count)])),
    warnings: warnings.map(({ kind, message }) => ({ kind, message })),
    objects: changes.map(changeValue),
  };
  return visible(`${toJsonText(value, 2)}\n`);
}

const changeValue = ({ change, before, after, shown, fields }: ObjectChange): ValueMap => ({
  change,
  ...(before !== undefined && { before: sideValue(before) }),
  ...(after !== undefined && { after: sideValue(after) }),
  ...(before !== undefined && after !== undefined ? { fields } : { object: shown.after ?? shown.before ?? null }),
});

/** Returns the identity of an object, and the node and the instance that render it. A name that may be a value of a Secret is omitted. */
export function sideValue({ object, nameless, place }: Reviewed): ValueMap {
  const named: ValueMap = nameless ? { hidden: true } : { namespace: namespaceOf(object), name: nameOf(object) };
  const origin = place && { instance: place.instance, instanceNamespace: place.namespace, node: place.node };
  return { ...groupVersionKind(object), ...named, ...origin };
}
