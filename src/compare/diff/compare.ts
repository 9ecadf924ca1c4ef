import {
  compilePolicies,
  denialText,
  isPolicy,
  Undecided,
  type UserOptions,
  userOf,
} from '../../check/policies/index.ts';
import {
  Collector,
  composeText,
  counted,
  format,
  fullTitle,
  HIDDEN,
  hasErrors,
  isError,
  joinReports,
  phrase,
  type Report,
  shown,
  type Text,
} from '../../core/diagnostics/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import { groupVersionKind, type InputObject, identityOf, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Entry, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal, isMap, type ValueMap } from '../../core/model/value.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { enumerated } from '../../core/text/clip.ts';
import { visible } from '../../core/text/visible.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { kindsOf } from '../../kubernetes/schema/index.ts';
import { isForCluster } from '../../kubernetes/select/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { hiddenTitleOfReviewed, type Reviewed, renderVersion, type Version } from '../review/index.ts';
import {
  type ChangeWarning,
  fieldChanges,
  masked,
  maskedAlone,
  type ObjectChange,
  titleOfReviewed,
} from './changes.ts';
import { instanceWarnings, warningsOf } from './warnings.ts';

export interface Comparison {
  changes: readonly ObjectChange[];
  warnings: readonly ChangeWarning[];
  counts: Readonly<Record<ObjectChange['change'] | 'unchanged', number>>;
  /** The titles of changed objects that nothing renders, which are compared only with `all`. */
  uncompared: readonly Text[];
}

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
  return { changes, warnings, counts, uncompared: [] };
}

/** Returns the objects of both versions that nothing renders, and that are not equal in both. */
function changedPlainObjects(before: readonly Entry[], after: readonly Entry[]): Text[] {
  const old = plainObjects(before);
  const newer = plainObjects(after);
  const changed = [...old].filter(([key, { object }]) => !equal(object, newer.get(key)?.object));
  const added = [...newer].filter(([key]) => !old.has(key));
  return [...changed, ...added].map(([, input]) => fullTitle(input.object, input.secret === 'name'));
}

/** Returns the objects for a cluster that are not rendered, by identity. */
function plainObjects(entries: readonly Entry[]): Map<string, InputObject> {
  const plain = entries.filter((entry) => isForCluster(entry) && !entry.passedThrough && entry.rendered.length === 0);
  return new Map(plain.map(({ input }) => [identityOf(input.object), input]));
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
  return changes
    .map((change) => ({ change, key: sortKey(change) }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ change }) => change);
}

const byIdentity = (objects: readonly Reviewed[]): Map<string, Reviewed> =>
  new Map(objects.map((one) => [identityOf(one.object), one]));

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
function keyOf({ object, nameless, secrecy, place }: Reviewed): string {
  const { metadata } = object;
  const hidden = nameless && hiddenTitleOfReviewed({ nameless, secrecy });
  const kind = hidden === 'everything' ? '' : object.kind;
  if (nameless) return ['', kind, place?.node ?? ''].join('\u0000');
  const named: ValueMap = isMap(metadata) ? metadata : {};
  return [named.namespace ?? '', kind, named.name ?? '', identityOf(object)].join('\u0000');
}

/** Returns a comparison as JSON, with its changed fields. Possible values of a Secret are replaced by a text. */
export function comparisonJson({ counts, warnings, changes, uncompared }: Comparison): string {
  const value = {
    counts: Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, BigInt(count)])),
    warnings: warnings.map(({ kind, message }) => ({ kind, message })),
    ...(uncompared.length > 0 && { uncompared: [...uncompared] }),
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
export function sideValue({ object, nameless, secrecy, place }: Reviewed): ValueMap {
  const isKindHidden = hiddenTitleOfReviewed({ nameless, secrecy }) === 'everything';
  const gvk = isKindHidden ? { group: '', version: '', kind: HIDDEN } : groupVersionKind(object);
  const named: ValueMap = nameless ? { hidden: true } : { namespace: namespaceOf(object), name: nameOf(object) };
  const origin = place && { instance: place.instance, instanceNamespace: place.namespace, node: place.node };
  return { ...gvk, ...named, ...origin };
}

export interface DiffOptions extends RenderOptions, UserOptions {
  all: boolean;
  /** Further kinds that lose data when their objects are deleted, as `Kind.group`. */
  holdsData?: readonly string[];
}

/**
 * Renders two versions of a package, and compares them. If the older one does not render, all objects are added, with a
 * warning; with `strict` it is an error. `ofBefore` are the reports of reading it. Pure.
 */
export function diffPackages(
  before: RenderInput,
  after: RenderInput,
  options: DiffOptions,
  frontEnds = FRONT_ENDS,
  ofBefore: readonly Report[] = [],
): { comparison: Comparison; reports: readonly Report[] } {
  const render = (input: RenderInput): Version => renderVersion(input, options, undefined, frontEnds);
  const old = hasErrors(ofBefore) ? undefined : render(before);
  const newer = render(after);
  const found = [...ofBefore, ...(old?.reports ?? [])];
  const isBroken = hasErrors(found);
  const objects = isBroken || old === undefined ? [] : old.objects;
  const comparison = compareVersions(objects, newer.objects, options.holdsData);
  const denials = denialsBy(aroundOf(after, newer), completeOf(after), options);
  const denied = comparison.changes.flatMap((change) => denials?.of(change) ?? []);
  const instances = isBroken ? [] : instanceWarnings(old?.expansion, newer.expansion);
  const older = isBroken && !options.strict ? [...found.map(asWarning), BROKEN] : found;
  const refusals = denied.map((message) => ({ kind: 'denied', message }) as const);
  const uncompared = options.all ? [] : changedPlainObjects(isBroken ? [] : (old?.entries ?? []), newer.entries);
  const unseen = options.strict && uncompared.length > 0 ? [notCompared(uncompared)] : [];
  return {
    comparison: { ...comparison, warnings: [...comparison.warnings, ...instances, ...refusals], uncompared },
    reports: joinReports([older, [...newer.reports, ...(denials?.reports() ?? []), ...unseen]], 'versions'),
  };
}

const notCompared = (titles: readonly Text[]): Report => ({
  code: 'not-compared',
  message: composeText`${counted(titles.length, 'changed object')} not compared, because nothing renders them: ${enumerated(titles, 5)}`,
  path: [],
  hint: composeText`--all compares them too`,
});

/** Returns what the newer version has for policies: its own objects, and those beside it. */
const aroundOf = (after: RenderInput, { objects, entries }: Version): InputObject[] => [
  ...completeOf(after),
  ...objectsIn(after.definitions ?? []),
  ...entries.map(({ input }) => input),
  ...objects.map(inputOfReviewed),
];

export const inputOfReviewed = ({ object, secrecy, nameless }: Reviewed): InputObject => ({
  object,
  ...(isSecret(secrecy) && { secret: nameless ? 'name' : 'values' }),
});

const completeOf = ({ policies = [], observed = [] }: RenderInput): InputObject[] =>
  objectsIn([...policies, ...observed]);

const BROKEN: Report = {
  code: 'older-version-broken',
  message: composeText`the older version cannot be rendered, so all objects of the newer version are shown as added`,
  path: [],
  severity: 'warning',
};

const asWarning = (report: Report): Report => (isError(report) ? { ...report, severity: 'warning' } : report);

export interface Denials {
  /** Returns a text for each denial: an added object is created, a changed one updated, a removed one deleted. */
  of(change: Pick<ObjectChange, 'change' | 'before' | 'after'>): Text[];
  /** Returns what is wrong with the policies, and what they did not decide of the changes so far. */
  reports(): readonly Report[];
}

/** `around` has the policies, parameters and namespaces; of the kinds of `complete` there are no others. */
export function denialsBy(
  around: readonly InputObject[],
  complete: readonly InputObject[],
  options: Limits & UserOptions & Pick<RenderOptions, 'namespace' | 'unknownSecrets'>,
): Denials | undefined {
  const policies = around.filter(isPolicy);
  if (policies.length === 0) return undefined;
  const crds = around.filter(({ object }) => roleOf(object) === 'crd');
  const reports = new Collector();
  const undecided = new Undecided();
  const { decide } = compilePolicies(
    {
      policies,
      known: around,
      complete,
      crds: crds.map(({ object }) => object),
      kinds: kindsOf(crds, undefined, new Collector()),
      user: userOf(options),
      limits: options,
      namespace: options.namespace,
      unknownSecrets: options.unknownSecrets,
    },
    around.length,
    reports,
  );
  const textsOf = (older: Reviewed | undefined, newer: Reviewed | undefined): Text[] => {
    const one = newer ?? older;
    if (one === undefined) return [];
    const verb = older === undefined ? 'creation' : newer === undefined ? 'deletion' : 'update';
    const title = titleOfReviewed(one);
    const operation = { ...(newer && { object: newer.object }), ...(older && { oldObject: older.object }) };
    const texts = decide(operation).flatMap((decision) => {
      if ('skipped' in decision) {
        undecided.skip(decision, phrase`${shown(title)}`);
        return [];
      }
      if ('undecided' in decision) undecided.add(decision, phrase`${shown(title)}`, one.object);
      if ('undecided' in decision || decision.action === 'Audit') return [];
      const isHidden = decision.usesSecret || [older, newer].some((version) => version && isSecret(version.secrecy));
      const text = denialText(decision);
      const words = decision.action === 'Deny' ? 'is denied by' : 'gets a warning of';
      const { title: policy } = decision.policy;
      return [
        composeText`${title}: the ${verb} ${words} the policy '${policy}': ${format(isHidden ? text.hide() : text)}`,
      ];
    });
    // Several bindings of a policy deny alike.
    return [...new Set(texts)];
  };
  return {
    of: ({ change, before, after }) =>
      change === 'changed' ? textsOf(before, after) : [...textsOf(before, undefined), ...textsOf(undefined, after)],
    reports: () => {
      const all = new Collector();
      for (const report of reports.all) all.add(asWarning(report));
      undecided.report(all);
      return all.all;
    },
  };
}
