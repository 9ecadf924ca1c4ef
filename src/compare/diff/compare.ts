import { HIDDEN, type Text } from '../../core/diagnostics/index.ts';
import { type Evidence, entriesOf, type Outcome } from '../../core/ledger/index.ts';
import { lazily } from '../../core/model/lazily.ts';
import { generateNameOf, groupVersionKind, identityOf, nameOf, namespaceOf } from '../../core/model/object.ts';
import { equal, isMap, type ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { hiddenTitleOfReviewed, type Reviewed } from '../review/index.ts';
import { type ChangeWarning, fieldChanges, masked, maskedAlone, type ObjectChange } from './changes.ts';
import { warningsOf } from './warnings.ts';

export interface Comparison {
  changes: readonly ObjectChange[];
  warnings: readonly ChangeWarning[];
  counts: Readonly<Record<ObjectChange['change'] | 'unchanged', number>>;
  gaps: Gaps;
}

/** What a comparison did not look at, by the reason: titles of objects, values and files. */
export interface Gaps {
  /** Changed objects that nothing renders, which are compared only with `all`. */
  uncompared: readonly Text[];
  /** Values that only a cluster has: they are compared by their expressions, or their node is not compared. */
  pending: readonly Text[];
  /** Files that are not read, although they seem to have objects, and that differ. */
  unread: readonly Text[];
  /** Objects that have an error, and files that cannot be read. */
  failed: readonly Text[];
  /** What the user leaves out, as far as it differs. */
  excluded: readonly Text[];
  /** Decisions of admission policies about changed objects that only a cluster makes. */
  undecided: readonly Text[];
}

export const NO_GAPS: Gaps = { uncompared: [], pending: [], unread: [], failed: [], excluded: [], undecided: [] };

/** Returns the titles of what an evidence has not seen. */
export function gapsIn(evidence: Evidence): Gaps {
  const all = entriesOf(evidence);
  const entries = all.filter(({ unit }) => unit !== 'policy');
  const titlesWith = (fits: (outcome: Outcome) => boolean): Text[] =>
    entries.filter(({ outcome }) => fits(outcome)).map(({ title }) => title);
  return {
    uncompared: titlesWith((one) => one.is === 'unseen' && one.why === 'not-rendered'),
    pending: titlesWith((one) => one.is === 'unseen' && one.why === 'pending'),
    unread: titlesWith((one) => one.is === 'unseen' && one.why !== 'pending' && one.why !== 'not-rendered'),
    failed: titlesWith((one) => one.is === 'failed'),
    excluded: titlesWith((one) => one.is === 'irrelevant' && one.why === 'excluded'),
    undecided: all.flatMap(({ unit, outcome, title }) => (unit === 'policy' && outcome.is === 'unseen' ? [title] : [])),
  };
}

/** Reports whether everything was compared that the user does not leave out. */
export const isWhole = ({ excluded: _, undecided: __, ...gaps }: Gaps): boolean =>
  Object.values(gaps).every((titles) => titles.length === 0);

/** Compares by the identity of objects. In the other direction, added and removed, before and after are swapped. */
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
  const warnings = changes.flatMap((change) => warningsOf(change, holdsData));
  return { changes, warnings, counts, gaps: NO_GAPS };
}

export function changesBetween(before: readonly Reviewed[], after: readonly Reviewed[]): ObjectChange[] {
  const old = byIdentity(before);
  const newer = byIdentity(after);
  const removed = [...old].flatMap(([key, one]) => (newer.has(key) ? [] : [one]));
  const added = [...newer].flatMap(([key, one]) => (old.has(key) ? [] : [one]));
  const places = new Map(added.flatMap((one) => (one.place === undefined ? [] : [[one.place.key, one]])));
  const replaced = new Map(removed.map((one) => [one, places.get(one.place?.key ?? '')]));
  const placed = new Set(replaced.values());
  const changes = [
    ...removed.filter((one) => !replaced.get(one)).map((one) => changeOf('removed', one, undefined)),
    ...removed.filter((one) => replaced.get(one)).map((one) => changeOf('replaced', one, replaced.get(one))),
    ...[...old]
      .filter(([key, { object }]) => newer.has(key) && !equal(object, newer.get(key)?.object))
      .map(([key, one]) => changeOf('changed', one, newer.get(key))),
    ...added.filter((one) => !placed.has(one)).map((one) => changeOf('added', undefined, one)),
  ];
  if (changes.length < 2) return changes;
  return changes
    .map((change) => ({ change, key: sortKey(change) }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ change }) => change);
}

/**
 * Returns objects by their identity. An API server gives each object with a `generateName` a name of its own, so that
 * those with one prefix are paired in their order (Argo CD: controller/state.go, DeduplicateTargetObjects).
 */
function byIdentity(objects: readonly Reviewed[]): Map<string, Reviewed> {
  const found = new Map<string, Reviewed>();
  const counts = new Map<string, number>();
  for (const one of objects) {
    const identity = identityOf(one.object);
    const prefix = generateNameOf(one.object);
    if (prefix === '') {
      found.set(identity, one);
      continue;
    }
    const key = `${identity}${prefix}*`;
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    found.set(`${key}${index}`, one);
  }
  return found;
}

function changeOf(
  change: ObjectChange['change'],
  before: Reviewed | undefined,
  after: Reviewed | undefined,
): ObjectChange {
  const shown = lazily(() =>
    before && after
      ? masked(before, after)
      : { ...(before && { before: maskedAlone(before) }), ...(after && { after: maskedAlone(after) }) },
  );
  const fields = lazily(() =>
    before && after ? fieldChanges(shown().before, shown().after, after.schema ?? before.schema) : [],
  );
  // Most of many equal changes are only counted.
  return {
    change,
    ...(before && { before }),
    ...(after && { after }),
    get shown() {
      return shown();
    },
    get fields() {
      return fields();
    },
  };
}

/** Sorts by the lesser identity, so that the order does not depend on the direction. */
function sortKey({ before, after }: ObjectChange): string {
  return [before, after].flatMap((one) => (one === undefined ? [] : keyOf(one))).sort()[0] ?? '';
}

/** Objects whose names may come from a Secret come first, by node: their position must not depend on the name. */
function keyOf({ object, nameless, secrecy, place }: Reviewed): string {
  const { metadata } = object;
  const hidden = nameless && hiddenTitleOfReviewed({ nameless, secrecy });
  const kind = hidden === 'everything' ? '' : object.kind;
  if (nameless) return ['', kind, place?.node ?? ''].join('\u0000');
  const named: ValueMap = isMap(metadata) ? metadata : {};
  return [named.namespace ?? '', kind, named.name ?? '', identityOf(object)].join('\u0000');
}

/** Returns a comparison as JSON, with its changed fields and its ledger. Possible values of a Secret are replaced by a text. */
export function comparisonJson({ counts, warnings, changes, gaps }: Comparison, ledger?: ValueMap): string {
  const value = {
    counts: Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, BigInt(count)])),
    warnings: warnings.map(({ kind, message }) => ({ kind, message })),
    ...gapsValue(gaps),
    objects: changes.map(changeValue),
    ...(ledger !== undefined && { ledger }),
  };
  return visible(`${toJsonText(value, 2)}\n`);
}

/** Returns the gaps without empty lists. */
const gapsValue = (gaps: Gaps): ValueMap =>
  Object.fromEntries(
    Object.entries(gaps).flatMap(([name, titles]) => (titles.length === 0 ? [] : [[name, [...titles]]])),
  );

const changeValue = ({ change, before, after, shown, fields }: ObjectChange): ValueMap => ({
  change,
  ...(before !== undefined && { before: sideValue(before) }),
  ...(after !== undefined && { after: sideValue(after) }),
  ...(before !== undefined && after !== undefined ? { fields } : { object: shown.after ?? shown.before ?? null }),
});

/** Returns the identity of an object, and the node and the instance that render it. A name that may be a value of a Secret is omitted. */
export function sideValue({ object, nameless, secrecy, place }: Reviewed): ValueMap {
  const isKindHidden = hiddenTitleOfReviewed({ nameless, secrecy }) === 'everything';
  const gvk = isKindHidden ? { group: '', version: '', kind: HIDDEN } : groupVersionKind(object);
  const named: ValueMap = nameless ? { hidden: true } : { namespace: namespaceOf(object), name: nameOf(object) };
  const origin = place && { instance: place.instance, instanceNamespace: place.namespace, node: place.node };
  return { ...gvk, ...named, ...origin };
}
