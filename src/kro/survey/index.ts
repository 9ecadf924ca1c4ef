import { composeText, isError, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { addTo, groupBy } from '../../core/model/group-by.ts';
import { parseSelector } from '../../core/model/label-selector.ts';
import { identityOf, type KubeObject } from '../../core/model/object.ts';
import { addField, EACH, leadsTo, type NeededFields, noFields, type Step, trimmed } from '../../core/model/read.ts';
import { equal, get, getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import type { LiveReads, Surveyed } from '../../kubernetes/front-end/index.ts';
import { createBudget } from '../../languages/cel/index.ts';
import { nodeReads } from '../compile/index.ts';
import {
  type DefaultNamespace,
  type Expansion,
  inNamespace,
  type NodeRun,
  namespaceFor,
  nodeRun,
  type PendingReport,
  titleOfRun,
} from '../expand/index.ts';
import { awaitedByNodes, surveyRuns } from './survey.ts';
import {
  keyOf,
  type ReadTarget,
  type ResolvedRead,
  referencedReadTarget,
  resolveRead,
  type Survey,
  type SurveyedNode,
} from './targets.ts';

/** Surveys what the instances of a package read of a cluster: the pending values, and the fields of live objects. */

export function surveyed(expansion: Expansion, observedNamespace: DefaultNamespace): Surveyed {
  const survey = surveyRuns(expansion, observedNamespace);
  return { pending: () => awaitedByNodes(survey), reads: () => liveReads(survey) };
}

/** Replaces references to what a pending node will render by a count at the first cause; in a cycle there is none. */
export function reportFirstCauses(
  expansion: Expansion,
  defaultNamespace: DefaultNamespace,
  reports: readonly Report[],
): readonly Report[] {
  const { pending } = expansion.world;
  if (!pending.some(({ object, report }) => object !== undefined && isError(report))) return reports;
  const byNode = groupBy(pending, placeOf);
  const { expected: makers } = surveyRuns(expansion, defaultNamespace);
  const known = new Map<string, Report | undefined>();
  const behind = new Map<Report, number>();
  const gone = new Set<Report>();
  const added = new Map<Report, Text>();
  const add = (report: Report, words: Text): void => {
    added.set(report, composeText`${added.get(report) ?? ''}${words}`);
  };
  for (const one of pending) {
    const maker = one.object === undefined ? undefined : makers.get(one.object);
    if (maker === undefined || !isError(one.report)) continue;
    const cause = firstCause(maker, { pending: byNode, makers, known });
    if (cause !== undefined) {
      gone.add(one.report);
      behind.set(cause, (behind.get(cause) ?? 0) + 1);
    } else {
      const id = trusted.definition(maker.node.id);
      add(one.report, composeText`: node ${id} of ${titleOfRun(maker.run)} renders it, which is pending itself`);
    }
  }
  for (const [cause, count] of behind) {
    add(cause, composeText`; ${count} ${count === 1 ? 'reference depends' : 'references depend'} on it`);
  }
  const reported = new Map(
    [...added].map(([report, words]) => [report, { ...report, message: composeText`${report.message}${words}` }]),
  );
  for (const each of pending) each.report = reported.get(each.report) ?? each.report;
  return reports.flatMap((report) => (gone.has(report) ? [] : (reported.get(report) ?? report)));
}

const placeOf = ({ run, node }: NodeRun): string => `${run.id}/${node.index}`;

interface Search {
  pending: ReadonlyMap<string, readonly PendingReport[]>;
  makers: ReadonlyMap<string, NodeRun>;
  known: Map<string, Report | undefined>;
}

/**
 * Returns the report that must be fixed before a node renders; undefined in a cycle. Any number of instances wait for one
 * another, so that what was found for one is remembered for all on the way to it.
 */
function firstCause(first: NodeRun, { pending, makers, known }: Search): Report | undefined {
  const seen = new Set<string>();
  const next: (NodeRun | Report)[] = [first];
  let cause: Report | undefined;
  for (let at = next.pop(); at !== undefined && cause === undefined; at = next.pop()) {
    if (!('run' in at)) {
      cause = at;
      break;
    }
    const key = placeOf(at);
    if (seen.has(key)) continue;
    if (known.has(key)) {
      cause = known.get(key);
      continue;
    }
    seen.add(key);
    // The last one is looked at first, with everything behind it.
    for (const behind of behindOf(at, pending.get(key) ?? [], makers).reverse()) next.push(behind);
  }
  for (const key of seen) known.set(key, cause);
  return cause;
}

/** Returns what a node waits for: other nodes, and reports of what nobody renders. */
function behindOf(
  { run, node }: NodeRun,
  pending: readonly PendingReport[],
  makers: Search['makers'],
): (NodeRun | Report)[] {
  const behind = pending.map(
    ({ object, report }): NodeRun | Report => (object === undefined ? undefined : makers.get(object)) ?? report,
  );
  for (const dependency of node.dependencies) {
    if (run.states[dependency] === 'pending') behind.push(nodeRun(run, dependency));
  }
  return behind;
}

/** What a package reads of one object beyond what it renders itself. */
interface Need {
  target: ReadTarget;
  /** The fields read of an object that is rendered here, from the live object under it. */
  under: NeededFields | undefined;
  /** The fields read through references, for which a live object replaces the package's object. */
  instead: NeededFields | undefined;
}

function liveReads(survey: Survey): LiveReads {
  const { observed } = survey.world;
  const keyOfLive = (live: KubeObject): string => identityOf(inNamespace(live, survey.observedNamespace));
  const byLive = new Map<string, Need[]>();
  const missing: ReadTarget[] = [];
  for (const [key, need] of needsOf(survey)) {
    const live = observed.find(key);
    if (live === undefined) {
      missing.push(need.target);
      continue;
    }
    // A live object may match several objects of the package.
    addTo(byLive, identityOf(live), need);
  }
  return {
    identityOf: keyOfLive,
    missing,
    of(live) {
      const needs = byLive.get(keyOfLive(live));
      return needs?.[0] && { needed: needs.flatMap((need) => neededIn(live, need)), as: needs[0].target };
    },
  };
}

/** A reference needs a live object only if it reads more of it than of the package's object. */
function neededIn(live: KubeObject, { target: { own }, under, instead }: Need): NeededFields[] {
  const rendered = under === undefined ? [] : [under];
  if (instead === undefined) return rendered;
  const seen = trimmed(withoutBookkeeping(live), [instead]);
  return own !== undefined && equal(seen, trimmed(own, [instead])) ? rendered : [...rendered, instead];
}

/** What is read of objects, by identity. */
type Needs = Map<string, Need>;

/** Returns everything that a package reads of objects. Objects with a pending identity are omitted. */
function needsOf(survey: Survey): Needs {
  const needs: Needs = new Map();
  for (const nodes of survey.runs.values()) {
    for (const node of nodes) noteNeedsOf(node, survey, needs);
  }
  return needs;
}

function noteNeedsOf(node: SurveyedNode, survey: Survey, needs: Needs): void {
  for (const { target, path, whole } of resolvedReads(node, survey)) {
    if (target !== undefined) noteNeed(needs, target, path, whole);
  }
  if (!node.skipped) noteReferences(needs, node);
}

function noteNeed(needs: Needs, target: ReadTarget, path: readonly Step[], whole: boolean): void {
  const key = keyOf(target);
  if (key === undefined) return;
  const need = needs.get(key) ?? { target, under: undefined, instead: undefined };
  needs.set(key, need);
  if (target.referenced) {
    need.instead ??= noFields();
    addField(need.instead, path, whole);
  } else if (!isCovered(target, path, whole)) {
    need.under ??= noFields();
    addField(need.under, path, whole);
  }
}

function noteReferences(needs: Needs, node: SurveyedNode): void {
  const { targets, labels } = referencedBy(node);
  for (const target of targets) {
    // A reference first reads that the object exists.
    noteNeed(needs, target, [], false);
    for (const label of labels) noteNeed(needs, target, ['metadata', 'labels', label], true);
  }
}

const resolvedReads = ({ run, node, skipped }: SurveyedNode, survey: Survey): ResolvedRead[] =>
  nodeReads(node)
    .filter(({ part }) => part === 'includeWhen' || !skipped)
    .flatMap(({ reads }) => reads.flatMap((read) => resolveRead(read, run, survey)));

/** Rendered values win over observed ones, except for maps; so do those that will be rendered. */
function isCovered({ own, holes }: ReadTarget, path: readonly Step[], whole: boolean): boolean {
  if (holes.some((hole) => leadsTo(hole, path))) return true;
  let value: Value | undefined = own;
  for (const step of path) {
    if (value === undefined) return false;
    if (!isMap(value)) return true;
    if (step === EACH) return false;
    value = getAt(value, [step]);
  }
  return value !== undefined && !(whole && isMap(value));
}

/** Returns the objects of the reference of a node, with the labels that select them. */
function referencedBy(surveyed: SurveyedNode): { targets: readonly ReadTarget[]; labels: readonly string[] } {
  const { run, node, targets = [], isPending } = surveyed;
  const { world } = run;
  if (node.kind === 'external') return { targets, labels: [] };
  if (node.kind !== 'externalCollection' || isPending) return { targets: [], labels: [] };
  const reference = node.template({ frame: run.frame, budget: createBudget(world.options), failures: [] });
  const metadata = get(reference, 'metadata') as ValueMap;
  const { selector, faults } = parseSelector(metadata.selector ?? null);
  if (faults.length > 0) return { targets: [], labels: [] };
  // Observed objects that are not selected, but replace objects of the package that would be.
  const { group, kind } = node.gvk;
  const wanted = world.plainCandidates(group, kind).select(selector, namespaceFor(node, metadata, run));
  const hidden = wanted.flatMap(({ object }) => {
    const seen = world.observed.find(identityOf(object));
    return seen === undefined ? [] : [referencedReadTarget(seen, node.gvk, world)];
  });
  return { targets: [...targets, ...hidden], labels: selector.map(({ key }) => key) };
}
