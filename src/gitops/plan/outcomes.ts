import type { ObjectChange } from '../../compare/diff/index.ts';
import { composeText, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { textAt } from '../../core/model/value.ts';
import { isBelow, normalPath } from '../../core/text/paths.ts';
import { type Application, titleOfApplication } from './application.ts';
import { type Comparison, isPlain, type Pair } from './compare.ts';
import { sourcesOf } from './discover/argocd.ts';
import { applierKey, type Declaration, placeBelow } from './discover/index.ts';
import { linesFor } from './lines.ts';
import type { DeclarationPair, Outcome } from './outcome.ts';
import type { Side } from './side.ts';

/** What an application does with an object that it applies. */
type ParentState = 'applies' | 'unbuilt' | 'failed' | 'gone' | 'self';

interface StatefulParent {
  parent: Application;
  state: ParentState;
}

/** A declaration that is being decided, and what applies it. */
interface Deciding {
  pair: DeclarationPair;
  appliers: readonly DeclarationPair[];
  /** The index of the first one that is not looked at. */
  next: number;
}

export interface OutcomesInput {
  declarations: readonly DeclarationPair[];
  before: Side;
  after: Side;
  /** The paths whose files differ. */
  changed: ReadonlySet<string>;
  /** Compares a pair once. */
  compare: (pair: Pair) => Comparison;
}

/** Decides what becomes of declarations, each once. What applies a declaration is declared itself, or by a person. */
export class Outcomes {
  readonly #before: Side;
  readonly #after: Side;
  readonly #changed: ReadonlySet<string>;
  readonly #compare: (pair: Pair) => Comparison;
  readonly #pairOf: (application: Application) => DeclarationPair | undefined;
  /** The applications whose sync fails. */
  readonly #failures: ReadonlyMap<Application, Text>;
  /** The files that are not applied. */
  readonly #refusedFiles: ReadonlySet<string>;
  readonly #outcomes = new Map<DeclarationPair, Outcome>();
  readonly #lines = new Map<DeclarationPair, readonly Pair[]>();
  readonly #deciding = new Set<DeclarationPair>();
  readonly #unequal = new Map<string, Pair>();
  readonly #changesOfObjects = new WeakMap<readonly ObjectChange[], Map<string, IndexedChange>>();
  readonly #numbers = new Map<Application | undefined, number>();
  readonly #pairsOfParents = new WeakMap<readonly Application[], readonly DeclarationPair[]>();

  constructor({ declarations, before, after, changed, compare }: OutcomesInput) {
    this.#before = before;
    this.#after = after;
    this.#changed = changed;
    this.#compare = compare;
    this.#pairOf = createPairOf(declarations, before, after);
    this.#failures = failuresOf(declarations, after);
    this.#refusedFiles = refusedIn(declarations);
  }

  outcomeOf(pair: DeclarationPair): Outcome {
    const known = this.#outcomes.get(pair);
    if (known !== undefined) return known;
    // What applies a declaration is decided first. A list takes a chain of any length, and the stack does not.
    const open = [this.#begin(pair)];
    try {
      for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
        const next = last.appliers[last.next];
        last.next += 1;
        if (next === undefined) {
          this.#outcomes.set(last.pair, this.#decide(last.pair));
          this.#deciding.delete(last.pair);
          open.pop();
        } else if (!this.#outcomes.has(next)) open.push(this.#begin(next));
      }
    } finally {
      for (const one of open) this.#deciding.delete(one.pair);
    }
    return this.outcomeOf(pair);
  }

  /** Marks a declaration as being decided. One that applies itself, as `flux bootstrap` writes it, is applied. */
  #begin(pair: DeclarationPair): Deciding {
    this.#outcomes.set(pair, { is: 'applied' });
    this.#deciding.add(pair);
    const { old, newer } = pair;
    const after = newer === undefined ? [] : this.#pairsOf(this.#after.parentsOf(newer));
    const before = old === undefined ? [] : this.#pairsOf(this.#before.parentsOf(old));
    return { pair, appliers: [...after, ...before], next: 0 };
  }

  /** Returns the pairs of the declarations of applications, which many declarations share. */
  #pairsOf(parents: readonly Application[]): readonly DeclarationPair[] {
    return getOrCompute(this.#pairsOfParents, parents, () => parents.flatMap((parent) => this.#pairOf(parent) ?? []));
  }

  /** Returns the pairs of applications of a declaration. */
  linesOf(pair: DeclarationPair): readonly Pair[] {
    const known = this.#lines.get(pair);
    if (known !== undefined) return known;
    const lines = linesFor(pair, this.outcomeOf(pair), this.#after);
    const found = lines.map((line) => this.#unique(this.#withFailure(line)));
    if (!this.#deciding.has(pair)) this.#lines.set(pair, found);
    return found;
  }

  #withFailure(line: Pair): Pair {
    const failure = line.newer && this.#failures.get(line.newer);
    return failure === undefined ? line : { ...line, failure };
  }

  /** Returns the first of equal pairs, so that each is compared once, even before its declaration is decided. */
  #unique(line: Pair): Pair {
    const { old, newer, rejected, ...rest } = line;
    const key = JSON.stringify([this.#numberOf(old), this.#numberOf(newer), this.#numberOf(rejected), rest]);
    return getOrCompute(this.#unequal, key, () => line);
  }

  #numberOf(application: Application | undefined): number {
    return getOrCompute(this.#numbers, application, () => this.#numbers.size);
  }

  /** Returns the pair of an application that applies others, if an object declares it. */
  #lineOf(application: Application): Pair | undefined {
    const pair = this.#pairOf(application);
    if (pair === undefined) return undefined;
    return this.linesOf(pair).find(({ old, newer }) => isSame(old, application) || isSame(newer, application));
  }

  #decide({ old, newer }: DeclarationPair): Outcome {
    if (newer === undefined) return old === undefined ? { is: 'nowhere' } : this.#withoutNewer(old);
    if (newer.refused !== undefined) return this.#refused(old, newer, newer.refused);
    const parents = this.#after.parentsOf(newer);
    if (parents.length === 0) {
      if (newer.isPart && (old === undefined || old.isPart)) return { is: 'nowhere' };
      const fault = this.#newFault(old, newer);
      return fault === undefined ? this.#withoutController(old, newer) : kept(newer, fault);
    }
    const byParents = this.#byParents(old, newer, parents);
    // What only a person applies, such as an overlay that nothing deploys, may have been applied by something else.
    const isDecided = byParents.is !== 'applied' || byParents.asWritten !== undefined;
    return isDecided || parents.some(isDeploying) ? byParents : this.#withoutController(old, newer);
  }

  /** Returns the first error of a file that could be read before. */
  #newFault(old: Declaration | undefined, newer: Declaration): Report | undefined {
    if (newer.file === undefined || old === undefined) return undefined;
    const wasBroken = old.file !== undefined && this.#before.broken.has(old.file);
    return wasBroken ? undefined : this.#after.broken.get(newer.file);
  }

  /** Decides about an object that no controller applies now. */
  #withoutController(old: Declaration | undefined, newer: Declaration): Outcome {
    // What remains of something that is not rendered any more declares nothing itself.
    const builtBy = newer.file === undefined ? undefined : this.#before.built.get(newer.file);
    if (builtBy !== undefined && this.#after.unread.has(builtBy)) return { is: 'nowhere' };
    if (old === undefined) return { is: 'applied' };
    // Nobody applies it any more, and it is still in the cluster if nothing deletes it.
    const earlier = this.#before.parentsOf(old).filter(isDeploying);
    const wasApplied = earlier.some(
      (parent) => !isSelf(parent, old) && this.#stateOf(parent, this.#before) === 'applies',
    );
    return wasApplied ? this.#withoutNewer(old) : { is: 'applied' };
  }

  #byParents(old: Declaration | undefined, newer: Declaration, parents: readonly Application[]): Outcome {
    const states: StatefulParent[] = [];
    for (const parent of parents) {
      const state = isSelf(parent, newer) ? 'self' : this.#stateOf(parent, this.#after);
      if (state === 'applies' || state === 'self') return this.#appliedBy(parent, old, newer, parents);
      states.push({ parent, state });
    }
    const unbuilt = states.find(({ state }) => state === 'unbuilt');
    if (unbuilt !== undefined) return unbuiltBy(unbuilt.parent, old);
    if (old === undefined) return { is: 'nowhere' };
    return states.some(({ state }) => state === 'failed') ? { is: 'kept' } : this.#withoutNewer(old);
  }

  #appliedBy(
    parent: Application,
    old: Declaration | undefined,
    newer: Declaration,
    parents: readonly Application[],
  ): Outcome {
    const hidden = this.#hiddenBefore(old, newer, parent);
    if (hidden !== undefined) return { is: 'unknown', reason: hidden };
    const isNew = old !== undefined && parents.every(isOfFlux) && !this.#wasInCluster(old);
    return isNew ? { is: 'new' } : { is: 'applied' };
  }

  #stateOf(parent: Application, side: Side): ParentState {
    if (side.isUnbuilt(parent)) return 'unbuilt';
    const pair = this.#pairOf(parent);
    if (pair === undefined) return side.unread.has(placeBelow(parent)) ? 'failed' : 'applies';
    // Two that apply one another.
    if (this.#deciding.has(pair)) return 'applies';
    if (side === this.#after && this.#failures.has(parent)) return 'failed';
    const line = this.#lineOf(parent);
    if (line === undefined) return 'gone';
    if (side === this.#before) return isSame(line.old, parent) ? 'applies' : 'gone';
    if (line.newer === undefined) return 'gone';
    const { error, isForeign, isUnaffected } = this.#compare(line);
    if (error === undefined || isUnaffected) return 'applies';
    return isForeign ? 'unbuilt' : 'failed';
  }

  /** Returns why it is not known what an application applied before that applies an object now. */
  #hiddenBefore(old: Declaration | undefined, newer: Declaration, parent: Application): Text | undefined {
    const earlier = this.#lineOf(parent)?.old;
    const wasHidden = earlier !== undefined && this.#before.isUnbuilt(earlier);
    const isAsWritten = newer.file !== undefined || (old !== undefined && old.file === undefined);
    if (!wasHidden || isAsWritten) return undefined;
    return composeText`${titleOfApplication(parent)} applies it, and its older version is not rendered`;
  }

  /** Reports whether an older declaration was applied: by a person, or by something that was. */
  #wasInCluster(old: Declaration): boolean {
    const parents = this.#before.parentsOf(old);
    return parents.some((parent) => isSelf(parent, old) || this.#stateOf(parent, this.#before) !== 'gone');
  }

  #refused(old: Declaration | undefined, newer: Declaration, reason: string): Outcome {
    if (old === undefined && newer.isPart && this.#after.parentsOf(newer).length === 0) return { is: 'nowhere' };
    // An object that was rejected before is not in the cluster. Nobody else looks at what it would deploy.
    if (old?.refused !== undefined && !readsAny(newer.object, this.#changed)) return { is: 'applied' };
    const is = old === undefined || old.refused !== undefined ? 'nowhere' : 'kept';
    const [application] = newer.applications;
    if (application === undefined) return { is };
    return { is, problem: { application, message: trusted.error(reason) } };
  }

  /** Decides about an object of the older version alone. */
  #withoutNewer(old: Declaration): Outcome {
    if (old.refused !== undefined) return { is: 'nowhere' };
    const parents = this.#before.parentsOf(old).filter((parent) => !isSelf(parent, old));
    if (parents.length === 0) return old.isPart ? { is: 'nowhere' } : this.#withoutFile(old);
    const fates = parents.map((parent) => this.#fateBy(parent, old));
    return (
      fates.find(({ is }) => is === 'applied') ??
      fates.find(({ is }) => is === 'gone') ??
      fates.find(({ is }) => is === 'unknown') ?? { is: 'kept' }
    );
  }

  /** Decides about an object that a person applied from a file that lacks it now. */
  #withoutFile(old: Declaration): Outcome {
    if (old.file === undefined) return { is: 'gone' };
    if (this.#refusedFiles.has(old.file)) return { is: 'kept' };
    const fault = this.#before.broken.has(old.file) ? undefined : this.#after.broken.get(old.file);
    return fault === undefined ? { is: 'gone' } : kept(old, fault);
  }

  /** Returns what an application that applied an object does with it now. */
  #fateBy(parent: Application, old: Declaration): Outcome {
    const line = this.#lineOf(parent);
    return line === undefined ? this.#fateByMissing(parent) : this.#fateByCompared(line, parent, old);
  }

  /** Returns what becomes of what an application applied that no object declares, or that is gone. */
  #fateByMissing(parent: Application): Outcome {
    if (!this.#after.unread.has(placeBelow(parent))) return { is: 'gone' };
    if (this.#after.isUnbuilt(parent)) return { is: 'gone', asWritten: titleOfApplication(parent) };
    return { is: 'kept' };
  }

  #fateByCompared(line: Pair, parent: Application, old: Declaration): Outcome {
    const title = titleOfApplication(parent);
    const { error, isForeign, isUnaffected, changes, fateIn } = this.#compare(line);
    if (isUnaffected === true || (error !== undefined && isForeign)) {
      if (old.file !== undefined) return { is: 'gone', asWritten: title };
      return { is: 'unknown', reason: composeText`${title} applied it, and is not rendered` };
    }
    if (error !== undefined) return { is: 'kept' };
    const ofObjects = getOrCompute(this.#changesOfObjects, changes, () => changesOfObjects(changes));
    const found = identitiesOf(old.object, parent).flatMap((identity) => ofObjects.get(identity) ?? []);
    const [first] = found.toSorted((a, b) => a.index - b.index);
    const change = first?.change;
    const fate = change && fateIn(change);
    if (fate?.word === 'kept' || fate?.word === 'orphaned') return { is: 'kept' };
    return fate === undefined || isPlain(fate) ? { is: 'gone' } : { is: 'gone', fate };
  }
}

/** A change, and its place among the changes of an application. */
interface IndexedChange {
  change: ObjectChange;
  index: number;
}

/** Returns the first change of each object that an application had, by its identity. */
function changesOfObjects(changes: readonly ObjectChange[]): Map<string, IndexedChange> {
  const found = new Map<string, IndexedChange>();
  for (const [index, change] of changes.entries()) {
    if (change.before === undefined) continue;
    const identity = identityOf(change.before.object);
    if (!found.has(identity)) found.set(identity, { change, index });
  }
  return found;
}

/** Returns what becomes of an object that an application applies that is not rendered. */
function unbuiltBy(parent: Application, old: Declaration | undefined): Outcome {
  const title = titleOfApplication(parent);
  const wasBuilt = old !== undefined && old.file === undefined;
  if (wasBuilt) return { is: 'unknown', reason: composeText`${title} applies it, and is not rendered` };
  return { is: 'applied', asWritten: title };
}

function kept({ applications: [application] }: Declaration, report: Report): Outcome {
  if (application === undefined) return { is: 'kept' };
  return { is: 'kept', problem: { application, message: report.message, report } };
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

/** Reports whether an object of Argo CD or Flux names a folder of this repository with one of these files. */
function readsAny({ spec }: KubeObject, files: ReadonlySet<string>): boolean {
  // A Kustomization of Flux has its path beside its source.
  const folders = [...sourcesOf(spec), spec].map((source) => textAt(source, 'path')).filter((path) => path !== '');
  return folders.some((folder) => [...files].some((file) => isBelow(file, normalPath(folder))));
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

const isDeploying = ({ deployment }: Application): boolean => deployment.controller !== '';

const isOfFlux = ({ deployment: { controller } }: Application): boolean => controller === 'Flux';

/** Reports whether a declaration declares the application that applies it. */
const isSelf = (parent: Application, declaration: Declaration | undefined): boolean =>
  declaration?.applications.some((one) => one === parent || isSame(one, parent)) === true;

const isSame = (one: Application | undefined, other: Application): boolean =>
  one !== undefined && applierKey(one) === applierKey(other);

/** Returns a function that finds the pair of the declaration of an application. */
function createPairOf(
  declarations: readonly DeclarationPair[],
  before: Side,
  after: Side,
): (application: Application) => DeclarationPair | undefined {
  const ofDeclaration = new Map<Declaration, DeclarationPair>();
  for (const pair of declarations) {
    if (pair.old !== undefined) ofDeclaration.set(pair.old, pair);
    if (pair.newer !== undefined) ofDeclaration.set(pair.newer, pair);
  }
  const declaringIn = [createDeclaring(before.declarations), createDeclaring(after.declarations)];
  return (application) => {
    const found = declaringIn.flatMap((declaringOf) => declaringOf(application) ?? []);
    const [exact = found[0]] = found.filter(({ applications }) => applications.includes(application));
    return exact && ofDeclaration.get(exact);
  };
}

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
