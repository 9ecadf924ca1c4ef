import type { ObjectChange } from '../../compare/diff/index.ts';
import { hiddenTitleOfReviewed, type Reviewed } from '../../compare/review/index.ts';
import {
  composeText,
  counted,
  HIDDEN,
  isError,
  joinReports,
  joinTexts,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { type Document, identityOf, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { equal, get, getAt, isMap, type Value } from '../../core/model/value.ts';
import { defaultRenderOptions } from '../../render/options/index.ts';
import type { Plan, PlannedApplication, PlannedChange, PlannedDanger } from './application.ts';
import { type Application, applicationKey, DANGERS, type DiscoverOptions, type Fate } from './application.ts';
import { compareApplication, createCauses, createGroups, isPatch, isPlain, pairsOf } from './compare.ts';
import { breakingChanges, createImages, dangersOf, imagesIn, namesakeDangers } from './dangers/index.ts';
import type { Files } from './files.ts';
import type { RunTool } from './load.ts';
import { deployedPolicies } from './policies.ts';
import { createRepositories } from './repository.ts';
import { comparable, createSide, type Side } from './side.ts';

export interface PlanInput {
  before: Files;
  after: Files;
  changed: ReadonlySet<string>;
  /** Runs kustomize and helm in the files of a version; undefined if no tool may run. */
  run?: { before: RunTool; after: RunTool } | undefined;
  /** Admission policies that are applied beside what the repository deploys, with their parameters and namespaces. */
  policies?: readonly Document[];
}

export interface PlanOptions extends DiscoverOptions {
  /** Further kinds whose objects lose data when they are deleted, as `Kind.group`. */
  holdsData: readonly string[];
}

/** An application without changed files is not rendered. Pure, except for the tools that `input.run` runs. */
export function planChange(input: PlanInput, options: PlanOptions): Plan {
  const open = createRepositories();
  const { settings } = options;
  // Another release of kro is part of the change.
  const isUpgrade = settings.kro !== defaultRenderOptions.kro;
  const earlier = { ...settings, kro: defaultRenderOptions.kro, comparesReleases: true };
  const older = isUpgrade ? { ...options, settings: earlier } : options;
  const [before, after] = (['before', 'after'] as const).map((side) =>
    createSide(open(input[side]), side === 'before' ? older : options, input.run?.[side]),
  ) as [Side, Side];
  const pairs = pairsOf(comparable(before, after, false), comparable(after, before, true));
  const causeOf = createCauses(before.context, after.context);
  const groups = createGroups();
  const images = createImages();
  const sides = { before, after, changed: input.changed };
  const policies = deployedPolicies(after, input.policies ?? [], settings);
  const compared = pairs.map((pair): Compared => {
    const found = compareApplication(pair, sides);
    const denials = policies.of(found.application);
    const { changes, kept, fateIn, ...rest } = found;
    const planned = changes.map((change): FoundChange => {
      images.add(change);
      const cause = causeOf(change, kept);
      const fate = fateIn(change);
      const one = groups.add(change, plannedChange(change, rest.application, fate), cause);
      const dangers = (isTakenOver: boolean): PlannedDanger[] =>
        dangersOf(change, options.holdsData, fate, isTakenOver, () => denials?.of(change) ?? []).map((danger) => ({
          ...danger,
          application: rest.application,
          change: one,
          ...(cause.at && { at: cause.at }),
        }));
      // Only a removed object can be taken over: nothing else has to stay in memory.
      if (one.change === 'removed') return { planned: one, dangers };
      const found = dangers(false);
      return { planned: one, dangers: () => found };
    });
    return { ...rest, changes: planned };
  });
  const isTakenOver = takeovers(compared);
  const dangers = compared.flatMap(({ application, changes, deployment }) => [
    ...deployment.map((danger) => ({ ...danger, application })),
    ...changes.flatMap((one) => one.dangers(isTakenOver(one.planned))),
  ]);
  const shown = compared.filter(
    ({ changes, error, deployment }) => changes.length > 0 || error !== undefined || deployment.length > 0,
  );
  const all: readonly PlannedDanger[] = [
    ...dangers,
    ...namesakeDangers(before.applications, after.applications),
    ...breakingChanges(before.context, after.context, input.changed),
  ];
  return inOrder({
    applications: shown.map(({ reports: _, deployment: __, changes, ...one }) => ({
      ...one,
      changes: changes.map(({ planned }) => planned),
    })),
    found: pairs.length,
    compared: compared.filter(({ error }) => error === undefined).length,
    groups: groups.all(),
    dangers: all,
    images: images.all(),
    reports: joinReports(
      [...compared.map(({ reports }) => reports.filter((one) => isError(one) || isPatch(one))), policies.reports()],
      'files',
    ),
  });
}

interface FoundChange {
  planned: PlannedChange;
  dangers: (isTakenOver: boolean) => readonly PlannedDanger[];
}

function plannedChange(
  { change, before, after, fields, shown }: ObjectChange,
  application: Application,
  fate: Fate | undefined,
): PlannedChange {
  const loss = after === undefined ? lossOf(shown.before) : composeText``;
  const old = before && identityAlone(before);
  const newer = after && identityAlone(after);
  return {
    application,
    change,
    fields,
    ...(old && { before: old }),
    ...(newer && { after: equal(old as never, newer as never) ? old : newer }),
    ...(fate && { fate }),
    ...(loss !== '' && { loss }),
  };
}

function identityAlone({ object, nameless, secrecy }: Reviewed): Pick<Reviewed, 'object' | 'nameless'> {
  const isKindHidden = hiddenTitleOfReviewed({ nameless, secrecy }) === 'everything';
  const apiVersion = isKindHidden ? HIDDEN : object.apiVersion;
  const kind = isKindHidden ? HIDDEN : object.kind;
  return { nameless, object: { apiVersion, kind, metadata: { namespace: namespaceOf(object), name: nameOf(object) } } };
}

interface Compared extends Omit<ReturnType<typeof compareApplication>, 'changes' | 'kept' | 'fateIn'> {
  changes: readonly FoundChange[];
}

/** One that the same controller applies to the same cluster, unless only one of several with its name is deployed. */
function takeovers(compared: readonly Compared[]): (change: PlannedChange) => boolean {
  const alike = groupBy(compared, ({ application }) => applicationKey(application));
  const keyOf = ({ namespace, deployment: { controller, cluster } }: Application, object: KubeObject): string =>
    JSON.stringify([controller, controller === '' ? '' : namespace, cluster, identityOf(object)]);
  const added = new Set(
    compared.flatMap(({ application, changes }) =>
      alike.get(applicationKey(application))?.length === 1
        ? changes.flatMap(({ planned: { before, after } }) =>
            before === undefined && after ? [keyOf(application, after.object)] : [],
          )
        : [],
    ),
  );
  return ({ application, before, after }) =>
    after === undefined && before !== undefined && added.has(keyOf(application, before.object));
}

/** Returns in a few words what is lost with an object, of its redacted version: `2 replicas, nginx:1.27`; '' if little. */
function lossOf(object: Value | undefined) {
  const at = (...path: (string | number)[]): Value | undefined => getAt(object, path);
  const replicas = at('spec', 'replicas');
  const storage = at('spec', 'resources', 'requests', 'storage') ?? at('spec', 'capacity', 'storage');
  const rules = at('spec', 'rules');
  const hosts = Array.isArray(rules) ? rules.map((rule) => get(rule, 'host')) : [];
  const data = ['data', 'binaryData', 'stringData'].map((field) => at(field));
  const keys = data.reduce<number>((sum, map) => sum + (isMap(map) ? Object.keys(map).length : 0), 0);
  const type = at('spec', 'type');
  const parts = [
    ...(typeof replicas === 'bigint' ? [counted(Number(replicas), 'replica')] : []),
    ...new Set(imagesIn(object ?? null).values()),
    ...(typeof storage === 'string' ? [storage] : []),
    ...hosts.filter((host) => typeof host === 'string'),
    ...(keys > 0 ? [counted(keys, 'key')] : []),
    ...(get(object, 'kind') === 'Service' && typeof type === 'string' ? [type] : []),
  ];
  return joinTexts(
    parts.map((part) => trusted.redacted(part)),
    ', ',
  );
}

/** Sorts a plan: errors come first, then what loses most, and last what is not rendered. Equal ones keep their order. */
function inOrder(plan: Plan): Plan {
  const severity = new Map<unknown, number>();
  for (const { code, change, application } of plan.dangers) {
    for (const one of [change, application]) {
      severity.set(one, Math.min(severity.get(one) ?? 1, DANGERS.indexOf(code) / DANGERS.length));
    }
  }
  const rankOf = (change: PlannedChange): number =>
    severity.get(change) ?? CHANGES.findIndex((fits) => fits(change)) + 1;
  const worst = (changes: readonly PlannedChange[]): number =>
    changes.reduce((least, change) => Math.min(least, rankOf(change)), MOST);
  const applicationRank = ({ error, isForeign, event, application, changes }: PlannedApplication): number => {
    if (error !== undefined) return isForeign ? MOST : 0;
    if (event === 'removed') return 1;
    const danger = severity.get(application);
    return danger === undefined ? 3 + worst(changes) : 2 + danger;
  };
  return {
    ...plan,
    dangers: sortedBy(plan.dangers, ({ code }) => DANGERS.indexOf(code)),
    applications: sortedBy(plan.applications, applicationRank),
    groups: sortedBy(
      plan.groups.map((group) => ({ ...group, changes: sortedBy(group.changes, rankOf) })),
      ({ changes }) => worst(changes),
    ),
  };
}

const MOST = 10;

/** The kinds of changes, the most destructive first; a removed object may stay in the cluster. */
const CHANGES: readonly ((change: PlannedChange) => boolean)[] = [
  ({ change, fate }) => change === 'removed' && (fate === undefined || isPlain(fate) || fate.word === 'deleted'),
  ({ change }) => change === 'replaced',
  ({ change }) => change === 'removed',
  ({ change }) => change === 'changed',
  ({ change }) => change === 'added',
];

function sortedBy<T>(items: readonly T[], rank: (item: T) => number): T[] {
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
