import { composeText, isError, joinReports, type Report, trusted } from '../../core/diagnostics/index.ts';
import { type Document, identityOf, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { defaultRenderOptions } from '../../core/model/render.ts';
import { equal, type Value } from '../../core/model/value.ts';
import { changesBetween, type ObjectChange } from '../diff/index.ts';
import type { Reviewed } from '../review/index.ts';
import { type Application, applicationKey, type DiscoverOptions, type Fate } from './application.ts';
import { breakingChanges } from './breaking.ts';
import { createCauses, createGroups, instanceOf } from './causes.ts';
import { type Danger, dangersOf, fateOf } from './dangers/index.ts';
import { deploymentDangers, namesakeDangers } from './deployments.ts';
import { type Declared, discover, placeBelow } from './discover/index.ts';
import { type Files, parentOf, readPath } from './files.ts';
import { filesOf } from './files-of.ts';
import { createImages } from './images.ts';
import type { LoadContext, RunTool } from './load.ts';
import { lossOf } from './losses.ts';
import { inOrder } from './order.ts';
import { type Pair, pairsOf } from './pairs.ts';
import { deployedPolicies } from './policies.ts';
import { createRepositories, indexKinds, type KindIndex, type Repository } from './repository.ts';
import type { Plan, PlannedApplication, PlannedChange, PlannedDanger } from './result.ts';
import { type ApplicationVersion, renderApplication } from './version.ts';

export interface PlanInput {
  before: Files;
  after: Files;
  /** The paths that differ, including added and removed files. */
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

/**
 * Compares everything that is deployed from a repository before and after a change. An application without changed
 * files is not rendered. Pure, except for the tools that `input.run` runs.
 */
export function planChange(input: PlanInput, options: PlanOptions): Plan {
  const open = createRepositories();
  const { settings } = options;
  // Another release of kro is part of the change.
  const older = { ...options, settings: { ...settings, kro: defaultRenderOptions.kro } };
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
    const { changes, kept, fates, ...rest } = found;
    const planned = changes.map((change): FoundChange => {
      images.add(change);
      const cause = causeOf(change, kept);
      const fate = fates.get(change);
      const one = groups.add(change, plannedChange(change, rest.application, fate), cause);
      const dangers = (isTakenOver: boolean): PlannedDanger[] =>
        dangersOf(change, options.holdsData, fate, isTakenOver, denials).map((danger) => ({
          ...{ ...danger, application: rest.application, change: one },
          ...(cause.at && { at: cause.at }),
        }));
      // Only a removed object can be taken over: nothing else has to stay in memory.
      return { planned: one, dangers: one.change === 'removed' ? dangers : known(dangers(false)) };
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
    reports: joinReports([...compared.map(({ reports }) => reports.filter(isError)), policies.reports()], 'files'),
  });
}

interface FoundChange {
  planned: PlannedChange;
  dangers: (isTakenOver: boolean) => readonly PlannedDanger[];
}

const known =
  <T>(value: T): (() => T) =>
  () =>
    value;

/** Returns what the reports show of a change. */
function plannedChange(
  { change, before, after, fields, shown }: ObjectChange,
  application: Application,
  fate: Fate | undefined,
): PlannedChange {
  const loss = after === undefined ? lossOf(shown.before) : composeText``;
  const [old, newer] = [before && identityAlone(before), after && identityAlone(after)];
  return {
    ...{ application, change, fields },
    ...(old && { before: old }),
    ...(newer && { after: equal(old as never, newer as never) ? old : newer }),
    ...(fate && { fate }),
    ...(loss !== '' && { loss }),
  };
}

const identityAlone = ({ object, nameless }: Reviewed): Pick<Reviewed, 'object' | 'nameless'> => ({
  nameless,
  object: {
    ...{ apiVersion: object.apiVersion, kind: object.kind },
    metadata: { namespace: namespaceOf(object), name: nameOf(object) },
  },
});

interface Side extends Declared {
  /** Reports whether something that an object or a render-rgd.yaml declares reads a file. */
  isDeployed: (file: string) => boolean;
  context: LoadContext;
  render: (application: Application) => ApplicationVersion;
}

/** Returns one version of a repository: its applications, and the context of their rendering. */
export function createSide(
  repository: Repository,
  options: PlanOptions,
  run: RunTool | undefined,
  appliesAsIs?: true,
): Side {
  const kinds: KindIndex = indexKinds(repository);
  const context = { repository, kinds, settings: options.settings, run, ...(appliesAsIs && { appliesAsIs }) };
  const versions = new Map<Application, ApplicationVersion>();
  const early = (application: Application): ApplicationVersion => {
    const version = versions.get(application) ?? renderApplication(application, context);
    versions.set(application, version);
    return version;
  };
  const found = discover(repository, kinds, options, early);
  // Only what discovery rendered is rendered twice: nothing else has to stay in memory.
  const render = (application: Application): ApplicationVersion =>
    versions.get(application) ?? renderApplication(application, context);
  return { ...found, context, render };
}

/**
 * Returns the applications of a version that can be compared with the other one: without those of an ApplicationSet or
 * an application that the other version cannot expand, which Argo CD leaves as they are, and without folders that something deploys there.
 */
function comparable(side: Side, other: Side, isNewer: boolean): Application[] {
  const { applications, context, unread, isDeployed } = side;
  const unknown = new Set(
    other.applications.flatMap(({ kind, set }) => (kind === 'ApplicationSet' && set ? [set] : [])),
  );
  const counterparts = new Map(other.applications.map((one) => [placeBelow(one), one]));
  const places = new Set(other.applications.map(({ place }) => place));
  const gone = applications.map(({ place }) => place).filter((place) => place !== '' && !places.has(place));
  // The files of an application that the other version cannot render.
  const lost = new Set(
    applications.flatMap((one) => {
      const below = placeBelow(one);
      const counterpart = counterparts.get(below);
      const isUnread = other.unread.has(below);
      if (!isUnread && (gone.length === 0 || counterpart === undefined)) return [];
      const files = filesOf(one, context.repository, context.kinds);
      const fails = (): boolean => counterpart !== undefined && other.render(counterpart).error !== undefined;
      const declares = gone.some((place) => place === below || files.has(place));
      return isUnread || (declares && fails()) ? [below, ...files] : [];
    }),
  );
  return applications.filter((one) => {
    if (one.set !== undefined && one.kind !== 'ApplicationSet' && unknown.has(one.set)) return false;
    if (other.unread.has(one.place) || lost.has(one.place)) return false;
    if (!isDeployed(one.place) && other.isDeployed(one.place) && isAppliedWith(one.place, other, isNewer)) return false;
    // What remains of an overlay that is not built any more.
    if (unread.has(other.built.get(one.place) ?? '')) return false;
    if (one.kind !== 'folder') return true;
    const files = readPath(context.repository.tree, one.path, context.settings);
    return !files.some(({ file }) => other.isDeployed(file));
  });
}

/**
 * Reports whether what a file declares exists only because an application of a version applies the file: it is deleted
 * with the application, and Flux alone adds it (objects of Argo CD may have been applied before).
 */
const isAppliedWith = (
  file: string,
  { applications, context: { repository, kinds } }: Side,
  isNewer: boolean,
): boolean =>
  applications.some(
    (one) =>
      (isNewer ? one.deployment.onDelete.word === 'deleted' : one.deployment.controller === 'Flux') &&
      one.deployment.controller !== '' &&
      filesOf(one, repository, kinds).has(file),
  );

interface Compared extends Omit<PlannedApplication, 'changes'> {
  changes: readonly FoundChange[];
  deployment: readonly Danger[];
  reports: readonly Report[];
}

interface Comparison extends Omit<Compared, 'changes'> {
  changes: readonly ObjectChange[];
  /** The ids of the instances that both versions have. */
  kept: ReadonlySet<string>;
  fates: ReadonlyMap<ObjectChange, Fate>;
}

interface Sides {
  before: Side;
  after: Side;
  changed: ReadonlySet<string>;
}

const NOTHING: ApplicationVersion = { objects: [], reports: [] };

function compareApplication({ old, newer }: Pair, { before, after, changed }: Sides): Comparison {
  const application = (newer ?? old) as Application;
  const deployment = old === undefined || newer === undefined ? [] : deploymentDangers(old, newer);
  const event = newer === undefined ? ('removed' as const) : old === undefined ? ('added' as const) : undefined;
  const nothing = {
    ...{ application, changes: [], kept: new Set<string>(), fates: new Map(), deployment, reports: [] },
    ...(event && { event }),
  };
  const isAlike = old !== undefined && newer !== undefined && isSame(old, newer);
  const foreign = foreignSource(application, isAlike);
  if (foreign !== undefined) {
    const isUnaffected = isAlike && (foreign.type === 'fails' || foreign.elsewhere !== undefined);
    const reason = newer === undefined ? `it is deleted, and not rendered here: ${foreign.reason}` : foreign.reason;
    return { ...nothing, error: trusted.error(reason), isForeign: true, ...(isUnaffected && { isUnaffected }) };
  }
  if (isAlike && !reads(old, before, changed) && !reads(newer, after, changed)) return nothing;
  const unread = isAlike ? undefined : differingVariables(old, newer);
  if (unread !== undefined) {
    return {
      ...nothing,
      error: composeText`its variables are in the ${trusted.definition(unread)}, which is not read`,
      isForeign: true,
    };
  }
  const was = old === undefined ? NOTHING : before.render(old);
  const is = newer === undefined ? NOTHING : after.render(newer);
  const problem = { ...(is.isForeign || was.isForeign ? { isForeign: true as const } : {}), reports: is.reports };
  if (is.error !== undefined) return { ...nothing, ...problem, error: is.error };
  if (was.error !== undefined) {
    return { ...nothing, ...problem, error: composeText`the older version is not rendered: ${was.error}` };
  }
  const isMoved = old !== undefined && newer !== undefined && old.deployment.cluster !== newer.deployment.cluster;
  const changes = isMoved
    ? [...changesBetween(was.objects, []), ...changesBetween([], is.objects)]
    : changesBetween(was.objects, is.objects);
  const ids = new Set(was.objects.map(({ object }) => instanceOf(object)));
  const kept = new Set(is.objects.map(({ object }) => instanceOf(object)).filter((id) => ids.has(id)));
  return {
    ...nothing,
    changes,
    kept,
    fates: fatesOf(changes, { old, newer }, after.sets, isMoved ? LEFT : undefined),
    reports: is.reports,
  };
}

/** Returns a source that is not rendered here, or that the controller rejected before as it does now. */
const foreignSource = (
  { sources }: Application,
  isAlike: boolean,
): Extract<Application['sources'][number], { type: 'none' | 'fails' }> | undefined => {
  for (const one of sources) if (one.type === 'none' || (isAlike && one.type === 'fails')) return one;
  return undefined;
};

/** Returns an object with variables that only one version refers to, so that its values may change anything. */
function differingVariables(old: Application | undefined, newer: Application | undefined): string | undefined {
  if (old === undefined || newer === undefined) return undefined;
  const [was, is] = [old, newer].map(({ sources }) =>
    sources.flatMap((one) => (one.type === 'kustomize' ? (one.variables?.unread ?? []) : [])),
  ) as [string[], string[]];
  return is.find((one) => !was.includes(one)) ?? was.find((one) => !is.includes(one));
}

/** Objects in the former cluster of an application, of which its controller knows nothing any more. */
const LEFT: Fate = { word: 'orphaned', why: 'its cluster changes' };

const nameOfSet = (set: string): string => (JSON.parse(set) as string[]).slice(0, 2).join('/');

function fatesOf(
  changes: readonly ObjectChange[],
  { old, newer }: Pair,
  sets: ReadonlySet<string>,
  left: Fate | undefined,
): Map<ObjectChange, Fate> {
  const fates = new Map<ObjectChange, Fate>();
  const own = (newer ?? old)?.deployment;
  const isWithSet = newer === undefined && old?.set !== undefined && !sets.has(nameOfSet(old.set));
  const deployment = own && isWithSet && own.onSetDelete ? { ...own, onDelete: own.onSetDelete } : own;
  for (const change of changes) {
    const { before, after } = change;
    const isGone = before !== undefined && (after === undefined || change.change === 'replaced');
    if (deployment === undefined) continue;
    if (isGone) fates.set(change, left ?? fateOf(before.object, deployment, newer === undefined ? 'delete' : 'prune'));
    else if (deployment.onPrune.word === 'suspended') fates.set(change, deployment.onPrune);
  }
  return fates;
}

const isSame = (one: Application, other: Application): boolean =>
  equal(one as unknown as Value, other as unknown as Value);

function reads(application: Application, { context }: Side, changed: ReadonlySet<string>): boolean {
  if (context.settings.kro !== defaultRenderOptions.kro) return true;
  const { repository, kinds } = context;
  for (const file of filesOf(application, repository, kinds)) {
    const real = repository.tree.real(file);
    if (changed.has(file) || changed.has(real)) return true;
    // A folder above it is a link, which may be another one.
    for (let at = real === file ? '' : parentOf(file); at !== ''; at = parentOf(at)) if (changed.has(at)) return true;
  }
  return false;
}

/**
 * Returns a function that reports whether another application takes over an object: one that the same controller applies
 * to the same cluster, and that is not one of several with the same name, of which only one is deployed.
 */
function takeovers(compared: readonly Compared[]): (change: PlannedChange) => boolean {
  const names = new Map<string, number>();
  for (const { application } of compared) {
    names.set(applicationKey(application), (names.get(applicationKey(application)) ?? 0) + 1);
  }
  const keyOf = ({ namespace, deployment: { controller, cluster } }: Application, object: KubeObject): string =>
    JSON.stringify([controller, controller === '' ? '' : namespace, cluster, identityOf(object)]);
  const added = new Set(
    compared.flatMap(({ application, changes }) =>
      names.get(applicationKey(application)) === 1
        ? changes.flatMap(({ planned: { before, after } }) =>
            before === undefined && after ? [keyOf(application, after.object)] : [],
          )
        : [],
    ),
  );
  return ({ application, before, after }) =>
    after === undefined && before !== undefined && added.has(keyOf(application, before.object));
}
