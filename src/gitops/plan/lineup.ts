import { composeText, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { groupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { type Application, applicationKey, type Fate, titleOfApplication } from './application.ts';
import type { Comparison, Pair } from './compare.ts';
import { applierKey, type Declaration, declarationKey, placeBelow } from './discover/index.ts';
import { readPath } from './files.ts';
import { pairGroup } from './pairs.ts';
import type { Side } from './side.ts';

/** A declaration of both versions; one of them is missing if it is added or removed. */
interface DeclarationPair {
  old: Declaration | undefined;
  newer: Declaration | undefined;
}

/** What becomes of a declaration in the cluster. */
type Outcome =
  /** The newer one is applied. */
  | { is: 'applied'; asWritten?: Text }
  /** The older one stays as it is, and follows its source. */
  | { is: 'kept'; problem?: Problem }
  /** It is gone, with what it applied, as `fate` says. */
  | { is: 'gone'; fate?: Fate; asWritten?: Text }
  /** It was not in the cluster before. */
  | { is: 'new' }
  /** Nobody knows: what applies it is not built. */
  | { is: 'unknown'; reason: Text }
  /** It is in neither cluster. */
  | { is: 'nowhere'; problem?: Problem };

/** Why the newer version of a declaration is not applied. */
export interface Problem {
  application: Application;
  message: Text;
  report?: Report;
}

interface Lineup {
  pairs: readonly Pair[];
  problems: readonly Problem[];
}

/**
 * Pairs the applications of two versions as the controllers have them in the cluster. What declares an application is an
 * object that others apply: if they fail, it keeps its old spec, and if they no longer have it, its fate decides.
 * `compare` compares a pair once.
 */
export function lineUp(before: Side, after: Side, compare: (pair: Pair) => Comparison): Lineup {
  const declarations = pairDeclarations(before.declarations, after.declarations);
  const ofDeclaration = new Map<Declaration, DeclarationPair>();
  for (const pair of declarations) {
    for (const one of [pair.old, pair.newer]) if (one !== undefined) ofDeclaration.set(one, pair);
  }
  const declaringIn = [before, after].map(({ declarations: all }) => createDeclaring(all));
  const failures = failuresOf(declarations, after);
  const refusedFiles = refusedIn(declarations);
  const outcomes = new Map<DeclarationPair, Outcome>();
  const lines = new Map<DeclarationPair, readonly Pair[]>();

  const outcomeOf = (pair: DeclarationPair): Outcome => {
    const known = outcomes.get(pair);
    if (known !== undefined) return known;
    // A declaration that applies itself, as `flux bootstrap` writes it, is applied.
    outcomes.set(pair, { is: 'applied' });
    const outcome = decide(pair);
    outcomes.set(pair, outcome);
    return outcome;
  };
  const linesOf = (pair: DeclarationPair): readonly Pair[] => {
    const known = lines.get(pair);
    if (known !== undefined) return known;
    const found = linesFor(pair, outcomeOf(pair), after).map((line): Pair => {
      const failure = line.newer && failures.get(line.newer);
      return failure === undefined ? line : { ...line, failure };
    });
    if (!isDeciding.has(pair)) lines.set(pair, found);
    return found;
  };
  const pairOf = (application: Application): DeclarationPair | undefined => {
    const found = declaringIn.flatMap((declaringOf) => declaringOf(application) ?? []);
    const [exact = found[0]] = found.filter(({ applications }) => applications.includes(application));
    return exact && ofDeclaration.get(exact);
  };
  /** Returns the pair of an application that applies others, if an object declares it. */
  const lineOf = (application: Application): Pair | undefined => {
    const pair = pairOf(application);
    if (pair === undefined) return undefined;
    return linesOf(pair).find(({ old, newer }) => isSame(old, application) || isSame(newer, application));
  };
  const stateOf = (parent: Application, side: Side): ParentState => {
    if (side.isUnbuilt(parent)) return 'unbuilt';
    const pair = pairOf(parent);
    if (pair === undefined) return side.unread.has(placeBelow(parent)) ? 'failed' : 'applies';
    // Two that apply one another.
    if (isDeciding.has(pair)) return 'applies';
    if (side === after && failures.has(parent)) return 'failed';
    const line = lineOf(parent);
    if (line === undefined) return 'gone';
    if (side === before) return isSame(line.old, parent) ? 'applies' : 'gone';
    if (line.newer === undefined) return 'gone';
    const { error, isForeign, isUnaffected } = compare(line);
    if (error === undefined || isUnaffected) return 'applies';
    return isForeign ? 'unbuilt' : 'failed';
  };
  const isDeciding = new Set<DeclarationPair>();
  const decide = (pair: DeclarationPair): Outcome => {
    isDeciding.add(pair);
    try {
      return decideOpen(pair);
    } finally {
      isDeciding.delete(pair);
    }
  };
  const decideOpen = ({ old, newer }: DeclarationPair): Outcome => {
    if (newer === undefined) return old === undefined ? { is: 'nowhere' } : withoutNewer(old);
    const parents = after.parentsOf(newer);
    if (newer.refused !== undefined) return refused(old, newer, newer.refused);
    if (newer.isPart && parents.length === 0 && (old === undefined || old.isPart)) return { is: 'nowhere' };
    const fault = newer.file === undefined ? undefined : after.broken.get(newer.file);
    const wasBroken = old?.file !== undefined && before.broken.has(old.file);
    if (fault !== undefined && parents.length === 0 && old !== undefined && !wasBroken) return kept(newer, fault);
    const byParent = parents.length === 0 ? undefined : byParents(old, newer, parents);
    const isDeployed = parents.some(isDeploying);
    // What only a person applies, such as an overlay that nothing deploys, may have been applied by something else.
    if (byParent !== undefined && (isDeployed || byParent.is !== 'applied' || byParent.asWritten)) return byParent;
    // What remains of something that is not rendered any more declares nothing itself.
    const builtBy = newer.file === undefined ? undefined : before.built.get(newer.file);
    if (builtBy !== undefined && after.unread.has(builtBy)) return { is: 'nowhere' };
    // Nobody applies it any more, and it is still in the cluster if nothing deletes it.
    const earlier = old === undefined ? [] : before.parentsOf(old).filter(isDeploying);
    const wasApplied = earlier.some((parent) => !isSelf(parent, old) && stateOf(parent, before) === 'applies');
    return old !== undefined && wasApplied ? withoutNewer(old) : { is: 'applied' };
  };
  const byParents = (old: Declaration | undefined, newer: Declaration, parents: readonly Application[]): Outcome => {
    const states = parents.map((parent) => ({
      parent,
      state: isSelf(parent, newer) ? 'self' : stateOf(parent, after),
    }));
    const unbuilt = states.find(({ state }) => state === 'unbuilt');
    const applies = states.find(({ state }) => state === 'applies' || state === 'self');
    if (applies !== undefined) {
      const hidden = hiddenBefore(old, newer, applies.parent);
      if (hidden !== undefined) return { is: 'unknown', reason: hidden };
      const isNew = old !== undefined && parents.every(isOfFlux) && !wasInCluster(old);
      return isNew ? { is: 'new' } : { is: 'applied' };
    }
    if (unbuilt !== undefined) {
      const title = titleOfApplication(unbuilt.parent);
      const wasBuilt = old !== undefined && old.file === undefined;
      if (wasBuilt) return { is: 'unknown', reason: composeText`${title} applies it, and is not rendered` };
      return { is: 'applied', asWritten: title };
    }
    if (states.some(({ state }) => state === 'failed')) return old === undefined ? { is: 'nowhere' } : { is: 'kept' };
    return old === undefined ? { is: 'nowhere' } : withoutNewer(old);
  };
  /** Returns why it is not known what an application applied before that applies an object now. */
  const hiddenBefore = (old: Declaration | undefined, newer: Declaration, parent: Application): Text | undefined => {
    const earlier = lineOf(parent)?.old;
    const wasHidden = earlier !== undefined && before.isUnbuilt(earlier);
    const isAsWritten =
      old === undefined ? newer.file !== undefined : newer.file !== undefined || old.file === undefined;
    if (!wasHidden || isAsWritten) return undefined;
    return composeText`${titleOfApplication(parent)} applies it, and its older version is not rendered`;
  };
  /** Reports whether an older declaration was applied: by a person, or by something that was. */
  const wasInCluster = (old: Declaration): boolean => {
    const parents = before.parentsOf(old);
    return parents.some((parent) => isSelf(parent, old) || stateOf(parent, before) !== 'gone');
  };
  const refused = (old: Declaration | undefined, newer: Declaration, reason: string): Outcome => {
    if (old === undefined && newer.isPart && after.parentsOf(newer).length === 0) return { is: 'nowhere' };
    const [application] = newer.applications;
    const problem = application && { application, message: trusted.error(reason) };
    // An object that was rejected before is not in the cluster.
    if (old?.refused !== undefined) return { is: 'applied' };
    return { is: old === undefined ? 'nowhere' : 'kept', ...(problem && { problem }) };
  };
  const withoutNewer = (old: Declaration): Outcome => {
    const parents = before.parentsOf(old).filter((parent) => !isSelf(parent, old));
    const fault = old.file === undefined ? undefined : after.broken.get(old.file);
    if (old.refused !== undefined || (old.isPart && parents.length === 0)) return { is: 'nowhere' };
    if (parents.length === 0) {
      if (refusedFiles.has(old.file ?? '')) return { is: 'kept' };
      if (fault !== undefined && !before.broken.has(old.file ?? '')) return kept(old, fault);
      return { is: 'gone' };
    }
    const fates = parents.map((parent) => fateBy(parent, old));
    return (
      fates.find(({ is }) => is === 'applied') ??
      fates.find(({ is }) => is === 'gone') ??
      fates.find(({ is }) => is === 'unknown') ?? { is: 'kept' }
    );
  };
  /** What an application that applied an object does with it now. */
  const fateBy = (parent: Application, old: Declaration): Outcome => {
    const title = titleOfApplication(parent);
    const line = lineOf(parent);
    if (line === undefined) {
      const place = placeBelow(parent);
      if (!after.unread.has(place)) return { is: 'gone' };
      return after.isUnbuilt(parent) ? { is: 'gone', asWritten: title } : { is: 'kept' };
    }
    const { error, isForeign, isUnaffected, changes, fateIn } = compare(line);
    if (isUnaffected === true || (error !== undefined && isForeign)) {
      const reason = composeText`${title} applied it, and is not rendered`;
      return old.file === undefined ? { is: 'unknown', reason } : { is: 'gone', asWritten: title };
    }
    if (error !== undefined) return { is: 'kept' };
    const wanted = identitiesOf(old.object, parent);
    const change = changes.find((one) => one.before !== undefined && wanted.includes(identityOf(one.before.object)));
    const fate = change && fateIn(change);
    if (fate?.word === 'kept' || fate?.word === 'orphaned') return { is: 'kept' };
    return fate?.word === 'suspended' ? { is: 'gone', fate } : { is: 'gone' };
  };
  const kept = (of: Declaration, report: Report): Outcome => {
    const [application] = of.applications;
    const message = report.message;
    return { is: 'kept', ...(application && { problem: { application, message, report } }) };
  };

  const pairs = declarations.flatMap((pair) => {
    outcomeOf(pair);
    return linesOf(pair);
  });
  const problems = declarations.flatMap((pair) => {
    const outcome = outcomeOf(pair);
    const own = 'problem' in outcome && outcome.problem !== undefined ? [outcome.problem] : [];
    const ofGenerated = linesOf(pair).flatMap(({ rejected }) => (rejected === undefined ? [] : problemOf(rejected)));
    return [...own, ...ofGenerated];
  });
  return { pairs, problems };
}

/** Returns the applications whose sync fails, because the API server rejects an object that they apply. */
function failuresOf(declarations: readonly DeclarationPair[], after: Side): Map<Application, Text> {
  const failures = new Map<Application, Text>();
  for (const { old, newer } of declarations) {
    if (newer?.refused === undefined || old?.refused !== undefined) continue;
    for (const parent of after.parentsOf(newer)) {
      const title = titleOfApplication({ kind: newer.object.kind, name: nameOf(newer.object) });
      failures.set(parent, composeText`its sync fails: ${title}: ${trusted.error(newer.refused)}`);
    }
  }
  return failures;
}

/** Returns the files with an object that the API server rejects now: nothing of such a file is applied. */
function refusedIn(declarations: readonly DeclarationPair[]): ReadonlySet<string> {
  const files = declarations.flatMap(({ old, newer }) =>
    newer?.refused !== undefined && newer.file !== undefined && old?.refused === undefined && !newer.isPart
      ? [newer.file]
      : [],
  );
  return new Set(files);
}

function problemOf(application: Application): Problem[] {
  const faults = application.sources.flatMap((source) => (source.type === 'fails' ? [source.reason] : []));
  return faults.slice(0, 1).map((fault) => ({ application, message: trusted.error(fault) }));
}

type ParentState = 'applies' | 'unbuilt' | 'failed' | 'gone' | 'self';

const isDeploying = ({ deployment }: Application): boolean => deployment.controller !== '';

const isOfFlux = ({ deployment: { controller } }: Application): boolean => controller === 'Flux';

/** Reports whether a declaration declares the application that applies it. */
const isSelf = (parent: Application, declaration: Declaration | undefined): boolean =>
  declaration?.applications.some((one) => one === parent || isSame(one, parent)) === true;

const isSame = (one: Application | undefined, other: Application): boolean =>
  one !== undefined && applierKey(one) === applierKey(other);

/** Returns a function that finds the declaration of an application. */
function createDeclaring(declarations: readonly Declaration[]): (application: Application) => Declaration | undefined {
  const known = new Map<string, Declaration>();
  const exact = new Map<Application, Declaration>();
  for (const one of declarations) {
    for (const application of one.applications) {
      exact.set(application, one);
      const key = applierKey(application);
      if (!known.has(key)) known.set(key, one);
    }
  }
  return (application) => exact.get(application) ?? known.get(applierKey(application));
}

/** The identities of an object in what a parent applies: Argo CD adds the namespace of its destination. */
function identitiesOf(object: KubeObject, { deployment }: Application): string[] {
  const { group, kind } = groupVersionKind(object);
  const namespaces = new Set([namespaceOf(object), deployment.namespace, '']);
  return [...namespaces].map((namespace) => `${group}/${kind}/${namespace}/${nameOf(object)}`);
}

/** Returns the pairs of applications of a declaration, by what becomes of it. */
function linesFor({ old, newer }: DeclarationPair, outcome: Outcome, after: Side): readonly Pair[] {
  const before = old?.applications ?? [];
  const now = newer?.applications ?? [];
  switch (outcome.is) {
    case 'nowhere':
      return [];
    case 'new':
      return pairApplications([], now, {});
    case 'unknown':
      return pairApplications(before, now, { unknown: outcome.reason });
    case 'gone': {
      const { fate, asWritten } = outcome;
      return pairApplications(before, [], { isSetGone: true, ...(fate && { fate }), ...(asWritten && { asWritten }) });
    }
    case 'kept':
      return old === undefined ? [] : keptLines(old, after);
    case 'applied': {
      const { asWritten } = outcome;
      return old === undefined || newer === undefined
        ? pairApplications(before, now, asWritten === undefined ? {} : { asWritten })
        : appliedLines(old, newer, after, asWritten);
    }
  }
}

/** The applications of an object that stays as it is, in the newer version of the repository. */
function keptLines(old: Declaration, after: Side): readonly Pair[] {
  const { object, place, file, parent, cluster } = old;
  const origin = { place, cluster, ...(file !== undefined && { file }), ...(parent && { parent }) };
  const again = after.read(object, origin).flatMap((one) => one.applications);
  return pairApplications(old.applications, again, {});
}

/** A set that fails leaves its Applications as they are, and one that is not expanded here hides them. */
function appliedLines(old: Declaration, newer: Declaration, after: Side, asWritten: Text | undefined): readonly Pair[] {
  const isItself = ({ applications: [first] }: Declaration): boolean => first?.kind === 'ApplicationSet';
  const more = asWritten === undefined ? {} : { asWritten };
  if (!isItself(newer)) {
    if (isItself(old)) {
      // Nobody knows which of its Applications are new.
      const [set] = old.applications;
      const reasons = set?.sources.flatMap((source) => ('reason' in source ? [source.reason] : [])) ?? [];
      const unknown = composeText`the older version is not rendered: ${trusted.error(reasons.join(', '))}`;
      return [{ old: set, newer: set, unknown }];
    }
    return pairApplications(old.applications, newer.applications, more).map((pair) => withoutRefused(pair, old, after));
  }
  const [itself] = newer.applications;
  const isRejected = itself?.sources.some(({ type }) => type === 'fails') === true;
  const ofSet: Pair = { old: isItself(old) ? old.applications[0] : undefined, newer: itself };
  if (isItself(old) || !isRejected) return [ofSet];
  return [ofSet, ...old.applications.map((one) => ({ old: one, newer: againIn(after, old, one) }))];
}

/** Replaces an Application that its controller rejects by the one in the cluster. */
function withoutRefused(pair: Pair, old: Declaration, after: Side): Pair {
  if (pair.newer?.refused !== true || pair.old === undefined || pair.old.refused) return pair;
  const again = againIn(after, old, pair.old);
  return again === undefined ? pair : { ...pair, newer: again, rejected: pair.newer };
}

/** Returns a generated Application as it is in the cluster, in the newer version of the repository. */
function againIn(after: Side, set: Declaration, application: Application): Application | undefined {
  const object = set.generated?.get(application.name);
  if (object === undefined) return undefined;
  const { place, cluster } = set;
  const [found] = after.read(object, { place, cluster }).flatMap((one) => one.applications);
  return (
    found && { ...found, place: application.place, ...(application.set !== undefined && { set: application.set }) }
  );
}

type PairNotes = Omit<Pair, 'old' | 'newer' | 'rejected'>;

function pairApplications(before: readonly Application[], now: readonly Application[], notes: PairNotes): Pair[] {
  const old = groupBy(before, applicationKey);
  const newer = groupBy(now, applicationKey);
  const keys = [...new Set([...old.keys(), ...newer.keys()])].sort();
  return keys.flatMap((key) =>
    pairGroup(old.get(key) ?? [], newer.get(key) ?? []).map((pair) => ({ ...pair, ...notes })),
  );
}

/** Pairs declarations of one kind, namespace and name by their place; one that is unique in both versions may move. */
function pairDeclarations(before: readonly Declaration[], after: readonly Declaration[]): DeclarationPair[] {
  const old = groupBy(before, declarationKey);
  const newer = groupBy(after, declarationKey);
  const keys = [...new Set([...old.keys(), ...newer.keys()])].sort();
  return keys.flatMap((key) => pairGroup(old.get(key) ?? [], newer.get(key) ?? []));
}

/** The applications that no object declares; without folders that something deploys in the other version. */
export function undeclared(side: Side, other: Side): Application[] {
  const declared = new Set(side.declarations.flatMap(({ applications }) => applications));
  return side.applications.filter((one) => {
    if (declared.has(one)) return false;
    if (one.kind !== 'folder') return true;
    const files = readPath(side.context.repository.tree, one.path, side.context.settings);
    return !files.some(({ file }) => other.isDeployed(file));
  });
}
