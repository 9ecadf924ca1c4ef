import { isError, type Report } from '../../diagnostics/index.ts';
import {
  type DefaultNamespace,
  type Expansion,
  type InstanceRun,
  titleOfRun,
  type Wait,
} from '../../rgd/expand/index.ts';
import { keyOf, surveyRuns } from '../reads/index.ts';

interface Maker {
  run: InstanceRun;
  node: number;
}

/**
 * A reference that waits for what a waiting node of another instance is going to render is no cause of its own: its
 * report goes, and the first cause tells how many wait behind it. In a circle, where there is no first cause, each
 * report says for what it waits, also among the waits of the expansion.
 */
export function tellFirstCauses(
  expansion: Expansion,
  defaultNamespace: DefaultNamespace,
  reports: readonly Report[],
): readonly Report[] {
  const { waits } = expansion.world;
  if (!waits.some(({ object, report }) => object !== undefined && isError(report))) return reports;
  const byNode = new Map<string, Wait[]>();
  for (const wait of waits) byNode.set(placeOf(wait), [...(byNode.get(placeOf(wait)) ?? []), wait]);
  const makers = makersOf(expansion, defaultNamespace);
  const behind = new Map<Report, number>();
  const gone = new Set<Report>();
  const added = new Map<Report, string>();
  const add = (report: Report, words: string): void => {
    added.set(report, (added.get(report) ?? '') + words);
  };
  for (const wait of waits) {
    const maker = wait.object === undefined ? undefined : makers.get(wait.object);
    if (maker === undefined || !isError(wait.report)) continue;
    const cause = firstCause(maker, { waits: byNode, makers, seen: new Set() });
    if (cause !== undefined) {
      gone.add(wait.report);
      behind.set(cause, (behind.get(cause) ?? 0) + 1);
    } else {
      const id = maker.run.graph.nodes[maker.node]?.id;
      add(wait.report, `: node ${id} of ${titleOfRun(maker.run, expansion.world)} renders it, which waits itself`);
    }
  }
  for (const [cause, count] of behind) {
    add(cause, `; ${count} ${count === 1 ? 'reference waits' : 'references wait'} for what comes of it`);
  }
  const told = new Map([...added].map(([report, words]) => [report, { ...report, message: report.message + words }]));
  for (const wait of waits) wait.report = told.get(wait.report) ?? wait.report;
  return reports.flatMap((report) => (gone.has(report) ? [] : (told.get(report) ?? report)));
}

const placeOf = ({ run, node }: Maker): string => `${run.id}/${node}`;

/** The waiting nodes by the identity of what they are going to render. */
function makersOf(expansion: Expansion, defaultNamespace: DefaultNamespace): Map<string, Maker> {
  const makers = new Map<string, Maker>();
  for (const [run, nodes] of surveyRuns(expansion, defaultNamespace).runs) {
    for (const { node, waits, carriers = [] } of nodes) {
      for (const carrier of waits ? carriers : []) {
        const key = keyOf(carrier);
        if (key !== undefined && !carrier.referenced) makers.set(key, { run, node: node.index });
      }
    }
  }
  return makers;
}

interface Search {
  waits: ReadonlyMap<string, readonly Wait[]>;
  makers: ReadonlyMap<string, Maker>;
  seen: Set<string>;
}

/** The report that has to be answered before a node renders; undefined in a circle. */
function firstCause({ run, node }: Maker, search: Search): Report | undefined {
  const key = placeOf({ run, node });
  if (search.seen.has(key)) return undefined;
  search.seen.add(key);
  for (const wait of search.waits.get(key) ?? []) {
    const maker = wait.object === undefined ? undefined : search.makers.get(wait.object);
    const cause = maker === undefined ? wait.report : firstCause(maker, search);
    if (cause !== undefined) return cause;
  }
  for (const dependency of run.graph.nodes[node]?.dependencies ?? []) {
    if (run.states[dependency] !== 'pending') continue;
    const cause = firstCause({ run, node: dependency }, search);
    if (cause !== undefined) return cause;
  }
  return undefined;
}
