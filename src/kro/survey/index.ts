import { composeText, isError, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import type { Surveyed } from '../../kubernetes/front-end/index.ts';
import {
  type DefaultNamespace,
  type Expansion,
  type NodeRun,
  nodeRun,
  type PendingReport,
  titleOfRun,
} from '../expand/index.ts';
import { liveReads } from './needs.ts';
import { awaitedByNodes } from './pending.ts';
import { surveyRuns } from './survey.ts';

/** Surveys what the instances of a package read of a cluster: the pending values, and the fields of live objects. */

/** Surveys every node of a finished expansion, including those after pending nodes. */
export function surveyed(expansion: Expansion, observedNamespace: DefaultNamespace): Surveyed {
  const survey = surveyRuns(expansion, observedNamespace);
  return { pending: () => awaitedByNodes(survey), reads: () => liveReads(survey) };
}

/**
 * Replaces reports of references to objects that a pending node of another instance is going to render: only the first
 * cause is reported, with the number of its dependants. In a cycle, which has no first cause, each report names its
 * dependencies, including those of the expansion.
 */
export function reportFirstCauses(
  expansion: Expansion,
  defaultNamespace: DefaultNamespace,
  reports: readonly Report[],
): readonly Report[] {
  const { pending } = expansion.world;
  if (!pending.some(({ object, report }) => object !== undefined && isError(report))) return reports;
  const byNode = groupBy(pending, placeOf);
  const { expected: makers } = surveyRuns(expansion, defaultNamespace);
  const behind = new Map<Report, number>();
  const gone = new Set<Report>();
  const added = new Map<Report, Text>();
  const add = (report: Report, words: Text): void => {
    added.set(report, composeText`${added.get(report) ?? ''}${words}`);
  };
  for (const one of pending) {
    const maker = one.object === undefined ? undefined : makers.get(one.object);
    if (maker === undefined || !isError(one.report)) continue;
    const cause = firstCause(maker, { pending: byNode, makers, seen: new Set() });
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
  seen: Set<string>;
}

/** Returns the report that must be fixed before a node renders; undefined in a cycle. */
function firstCause(at: NodeRun, search: Search): Report | undefined {
  const { run, node } = at;
  const key = placeOf(at);
  if (search.seen.has(key)) return undefined;
  search.seen.add(key);
  for (const pendingReport of search.pending.get(key) ?? []) {
    const maker = pendingReport.object === undefined ? undefined : search.makers.get(pendingReport.object);
    const cause = maker === undefined ? pendingReport.report : firstCause(maker, search);
    if (cause !== undefined) return cause;
  }
  for (const dependency of node.dependencies) {
    if (run.states[dependency] !== 'pending') continue;
    const cause = firstCause(nodeRun(run, dependency), search);
    if (cause !== undefined) return cause;
  }
  return undefined;
}
