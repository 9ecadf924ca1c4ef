import type { ObjectChange } from '../../compare/diff/index.ts';
import { hiddenTitleOfReviewed, type Reviewed } from '../../compare/review/index.ts';
import {
  composeText,
  counted,
  HIDDEN,
  isError,
  joinReports,
  joinTexts,
  type Report,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { onceFor } from '../../core/model/lazily.ts';
import {
  type Document,
  generateNameOf,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../../core/model/object.ts';
import { equal, get, getAt, isMap, type Value } from '../../core/model/value.ts';
import { defaultRenderOptions } from '../../render/options/index.ts';
import type { Plan, PlannedApplication, PlannedChange, PlannedDanger } from './application.ts';
import {
  type Application,
  applicationKey,
  DANGERS,
  type Deployment,
  type DiscoverOptions,
  type Fate,
  type Takeover,
  titleOfApplication,
} from './application.ts';
import {
  type CauseOf,
  type Comparison,
  compareApplication,
  createCauses,
  createGroups,
  type Groups,
  isPatch,
  isPlain,
  type Pair,
  pairsOf,
} from './compare.ts';
import { Clusters, clusterOf } from './dangers/clusters.ts';
import { Connections } from './dangers/connections.ts';
import { dependencyDangers } from './dangers/dependencies.ts';
import { coversHost } from './dangers/hosts.ts';
import { createImages, dangersOf, type Images, imagesIn, namesakeDangers, schemaDangers } from './dangers/index.ts';
import type { Files } from './files.ts';
import { applicationOutcome, changedFiles } from './ledger.ts';
import { lineUp, undeclared } from './lineup.ts';
import type { RunTool } from './load.ts';
import type { Problem } from './outcome.ts';
import { type DeployedPolicies, deployedPolicies } from './policies.ts';
import { createQualifier } from './qualifier.ts';
import { createRepositories, type Repository } from './repository.ts';
import { unservedReport } from './served.ts';
import { createSide, type Side } from './side.ts';

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
  /** Whether kro compares everything of an RGD (kro 0.10, feature gate ConservativeCRDComparison). */
  conservative?: boolean;
}

/** An application without changed files is not rendered. Pure, except for the tools that `input.run` runs. */
export function planChange(input: PlanInput, options: PlanOptions): Plan {
  const [before, after] = sidesOf(input, options);
  const sides = { before, after, changed: input.changed };
  const qualify = createQualifier(before.applications, after.applications);
  const compareOnce = onceFor((pair: Pair): Comparison => {
    for (const one of [pair.old, pair.newer, pair.rejected]) if (one !== undefined) qualify(one);
    return compareApplication(pair, sides);
  });
  const lineup = lineUp(sides, compareOnce);
  const pairs = sortedPairs([...lineup.pairs, ...pairsOf(undeclared(before, after), undeclared(after, before))]);
  const gathered: Gathered = {
    causeOf: createCauses(before.context, after.context),
    groups: createGroups(),
    images: createImages(),
    policies: deployedPolicies(after, input.policies ?? [], options.settings),
    kinds: after.context.repository.kinds,
    holdsData: options.holdsData,
    connections: new Connections(),
    before: new Clusters(
      before,
      applicationsIn(pairs, ({ old }) => old),
    ),
    after: new Clusters(after, applicationsIn(pairs, deployedBy)),
  };
  const compared = pairs.map((pair) => comparedWith(compareOnce(pair), gathered));
  const refusals = lineup.problems.map(refusalOf);
  const dangers: readonly PlannedDanger[] = [
    ...dangersOfAll(compared),
    ...namesakeDangers(before.applications, after.applications),
    ...dependencyDangers(before, after),
    ...gathered.connections.dangersIn(gathered.before, gathered.after),
    ...schemaDangers(before.context, after.context, input.changed, options.conservative === true),
  ];
  return inOrder({
    applications: [...refusals.map(({ planned }) => planned), ...compared.filter(isShown).map(plannedApplication)],
    found: pairs.length,
    outcomes: [
      ...refusals.map(({ planned }) => applicationOutcome(planned, 0)),
      ...compared.map((one) => applicationOutcome(one, one.changes.length)),
    ],
    policies: gathered.policies.decisions(),
    files: changedFiles(
      input.changed,
      before,
      after,
      pairs.map((pair, index) => ({ pair, comparison: compared[index] ?? {} })),
    ),
    compared: compared.filter(({ error }) => error === undefined).length,
    groups: gathered.groups.all(),
    dangers,
    images: gathered.images.all(),
    reports: joinReports(
      [
        refusals.map(({ report }) => report),
        ...compared.map(({ reports }) => reports.filter((one) => isError(one) || isPatch(one))),
        gathered.policies.reports(),
      ],
      'files',
    ),
  });
}

/** What is gathered of all applications, and what each change is judged with. */
interface Gathered {
  causeOf: CauseOf;
  groups: Groups;
  images: Images;
  policies: DeployedPolicies;
  /** The kinds that the newer version of the repository defines. */
  kinds: Repository['kinds'];
  holdsData: readonly string[];
  connections: Connections;
  /** The objects of the clusters, before and after the change. */
  before: Clusters;
  after: Clusters;
}

/** Returns what is deployed of the newer version; nobody knows what an application has that is not applied. */
const deployedBy = ({ newer, failure, unknown }: Pair): Application | undefined =>
  failure === undefined && unknown === undefined ? newer : undefined;

function applicationsIn(pairs: readonly Pair[], of: (pair: Pair) => Application | undefined): Application[] {
  return [...new Set(pairs.flatMap((pair) => of(pair) ?? []))];
}

/** Returns the changes of an application with their causes, fates and dangers. */
function comparedWith(comparison: Comparison, gathered: Gathered): Compared {
  const { changes, kept, fateIn, appliedOf, releases, ...rest } = comparison;
  const { application, event } = rest;
  const denials = gathered.policies.of(application);
  const cluster = clusterOf(application);
  const isServed = (host: string): boolean =>
    gathered.after.hostsLike(cluster, host).some((one) => coversHost(one, host));
  const dependents = (object: KubeObject): readonly Text[] =>
    gathered.before
      .dependentsOf(cluster, object)
      .filter((one) => applicationKey(one) !== applicationKey(application))
      .map((one) => titleOfApplication(one));
  const unserved: Report[] = [];
  const planned = changes.map((change): FoundChange => {
    gathered.images.add(change);
    const cause = gathered.causeOf(change, kept);
    const problem = unservedReport(change, { releases, kinds: gathered.kinds, at: cause.at });
    if (problem !== undefined) unserved.push(problem);
    const fate = fateIn(change);
    const one = gathered.groups.add(change, plannedChange(change, application, fate), cause);
    const applied = appliedOf(change);
    gathered.connections.add(applied, one, (change.before ?? change.after) as Reviewed);
    const dangers = (takeover: Takeover | undefined): PlannedDanger[] =>
      dangersOf(applied, {
        holdsData: gathered.holdsData,
        fate,
        deployment: application.deployment,
        takeover,
        denied: () => denials?.of(change) ?? [],
        isServed,
        dependents,
      }).map((danger) => ({ ...danger, application, change: one, ...(cause.at && { at: cause.at }) }));
    // Only a removed object can be taken over: nothing else has to stay in memory.
    if (one.change === 'removed') return { planned: one, event, dangers };
    const found = dangers(undefined);
    return { planned: one, event, dangers: () => found };
  });
  return { ...rest, changes: planned, reports: [...rest.reports, ...unserved] };
}

/** Returns the dangers of all changes. An object that another application takes over is not lost. */
function dangersOfAll(compared: readonly Compared[]): PlannedDanger[] {
  const takeoverOf = takeovers(compared);
  return compared.flatMap(({ application, changes, deployment }) => [
    ...deployment.map((danger) => ({ ...danger, application })),
    ...changes.flatMap((one) => one.dangers(takeoverOf(one))),
  ]);
}

const isShown = ({ changes, error, deployment }: Compared): boolean =>
  changes.length > 0 || error !== undefined || deployment.length > 0;

function plannedApplication({ reports: _, deployment: __, older: ___, changes, ...one }: Compared): PlannedApplication {
  return { ...one, changes: changes.map(({ planned }) => planned) };
}

/** Returns the older and the newer version. Another release of kro is part of the change. */
function sidesOf(input: PlanInput, options: PlanOptions): readonly [Side, Side] {
  const open = createRepositories();
  const { settings } = options;
  const isUpgrade = settings.kro !== defaultRenderOptions.kro;
  const earlier = { ...settings, kro: defaultRenderOptions.kro, comparesReleases: true };
  const newer: DiscoverOptions = { ...options, refusals: new Map() };
  const older: DiscoverOptions = isUpgrade ? { ...newer, settings: earlier } : newer;
  const before = createSide(open(input.before), older, input.run?.before);
  return [before, createSide(open(input.after), newer, input.run?.after)];
}

/** Returns a rejected version of an application, as it is shown and reported. */
function refusalOf({ application, message, report }: Problem): { planned: PlannedApplication; report: Report } {
  const object = titleOfApplication(application);
  const [where = '.'] = [application.place, application.path].filter((one) => one !== '');
  const text = composeText`${trusted.file(where)}: ${message}`;
  const own: Report = { code: 'application-fails', message: text, path: [], object };
  return { planned: { application, changes: [], error: message }, report: report ?? own };
}

/** Sorts pairs by their applications, so that the order does not depend on what declares them. */
const sortedPairs = (pairs: readonly Pair[]): Pair[] =>
  pairs
    .map((pair) => ({ pair, key: pairKey(pair) }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ pair }) => pair);

function pairKey({ old, newer }: Pair): string {
  const one = newer ?? old;
  return one === undefined ? '' : applicationKey(one);
}

interface FoundChange {
  planned: PlannedChange;
  event: Comparison['event'] | undefined;
  dangers: (takeover: Takeover | undefined) => readonly PlannedDanger[];
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
  const generateName = generateNameOf(object);
  const metadata = {
    namespace: namespaceOf(object),
    name: nameOf(object),
    ...(generateName !== '' && { generateName }),
  };
  return { nameless, object: { apiVersion, kind, metadata } };
}

interface Compared extends Omit<Comparison, 'changes' | 'kept' | 'fateIn' | 'appliedOf' | 'releases'> {
  changes: readonly FoundChange[];
}

/**
 * Returns what takes a removed object over: an application that the same controller applies to the same cluster, unless
 * only one of several with its name is deployed.
 */
function takeovers(compared: readonly Compared[]): (change: FoundChange) => Takeover | undefined {
  const alike = groupBy(compared, ({ application }) => applicationKey(application));
  const keyOf = ({ namespace, deployment: { controller, cluster } }: Application, object: KubeObject): string =>
    JSON.stringify([controller, controller === '' ? '' : namespace, cluster, identityOf(object)]);
  const added = new Map<string, { by: Application; isWaiting: boolean }>();
  const deployments = new Map<Application, readonly Deployment[]>();
  for (const { application, changes, older } of compared) {
    deployments.set(application, older === undefined ? [application.deployment] : [older, application.deployment]);
    if (alike.get(applicationKey(application))?.length !== 1) continue;
    for (const { planned } of changes) {
      const { before, after, fate } = planned;
      if (before !== undefined || after === undefined) continue;
      // One that is suspended may still apply the change with its older settings, and a sync that waits does not.
      const isWaiting = fate?.word === 'suspended' && application.deployment.onPrune.word !== 'suspended';
      added.set(keyOf(application, after.object), { by: application, isWaiting });
    }
  }
  return ({ planned: { application, before, after, fate }, event }) => {
    const found =
      after === undefined && before !== undefined ? added.get(keyOf(application, before.object)) : undefined;
    if (found === undefined) return undefined;
    const { by, isWaiting } = found;
    const targets = isWaiting ? [] : (deployments.get(by) ?? []);
    const loss = takeoverLoss(deployments.get(application) ?? [], targets, event === 'removed');
    // The new application may be synced before a person confirms the deletion.
    const isConfirmed = fate?.word === 'deleted' && fate.why !== '' && fate.may !== true;
    return { by, loss: isConfirmed && loss === 'happens' ? 'may' : loss };
  };
}

/**
 * Returns whether an object is deleted before its new application has it. Argo CD deletes what has the tracking id of an
 * Application, and Flux what has its labels, so that an object is safe that its new application applied before. While a
 * change is applied, a controller acts with the older settings of an application, or with the newer ones.
 */
function takeoverLoss(
  sources: readonly Deployment[],
  targets: readonly Deployment[],
  isSourceDeleted: boolean,
): Takeover['loss'] {
  if (sources.some(({ controller }) => controller === '')) return 'none';
  // The deletion of an application does not depend on its automated prune.
  const pruning = sources.filter(({ onDelete, prunesItself }) =>
    isSourceDeleted ? onDelete.word !== 'suspended' : prunesItself,
  );
  if (pruning.length === 0) return 'none';
  const isCertain = pruning.length === sources.length && !targets.some(({ syncsItself }) => syncsItself);
  return isCertain ? 'happens' : 'may';
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
