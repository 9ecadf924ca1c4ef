import { type Collector, phrase, reporterFor } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type InputObject, type KubeObject } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import { createBudget } from '../../languages/cel/index.ts';
import type { Graph, Graphs } from '../compile/index.ts';
import { createKindSuggester, describedBy } from './kind-suggester.ts';
import { isEmpty, poolExceeded, spendFromPool, startPool } from './pool.ts';
import { type Undefined, undefinedKindReporter } from './undefined-kind.ts';

export { withDefaults } from './defaults.ts';
export { isOfProject } from './kind-suggester.ts';
export { instancesOfBroken, poolExceeded, spendFromPool, startPool } from './pool.ts';
export { addTrace, toBeRendered } from './undefined-kind.ts';

/** An admitted instance: defaults applied, unknown fields and invalid values rejected. */
export interface AdmittedInstance {
  graph: Graph;
  object: KubeObject;
  input: InputObject;
}

/** Returns the graph that defines the kind of an object, in any version. */
export const graphOf = (object: KubeObject, graphs: Graphs): Graph | undefined =>
  graphs.get(groupKind(groupVersionKind(object)));

/**
 * Admits every instance of a package as an API server would. All errors are reported, and so are objects that were
 * probably intended as instances.
 */
export function admitInstances(
  objects: readonly InputObject[],
  graphs: Graphs,
  kinds: KindRegistry,
  { options: limits, ...given }: Pick<Undefined, 'traceFor' | 'undescribed'> & { options: RenderOptions },
  reports: Collector,
): AdmittedInstance[] {
  const isDescribed = describedBy(kinds);
  const suggestionFor = createKindSuggester(graphs, isDescribed);
  const known = { graphs, suggestionFor, isDescribed, options: limits, ...given };
  const reportUndefinedKind = undefinedKindReporter(known, reports);
  const pool = startPool(objects.length, limits);
  return objects.flatMap((input) => {
    if (isEmpty(pool)) return [];
    const graph = graphOf(input.object, graphs);
    if (graph === undefined) {
      reportUndefinedKind(input);
      return [];
    }
    const reporter = reporterFor(input, reports);
    const { version } = groupVersionKind(input.object);
    if (version !== graph.version) {
      const message = phrase`the version '${version}' is not served, the RGD '${graph.name}' defines '${graph.version}'`;
      reporter.report({
        code: 'version-not-served',
        message,
        path: ['apiVersion'],
        hint: phrase`did you mean '${graph.group}/${graph.version}'?`,
      });
      return [];
    }
    const budget = createBudget(limits);
    const { object, problems } = graph.admission.admit(input.object, budget, !reports.limitReached);
    for (const problem of problems) reporter.report(problem);
    if (!spendFromPool(pool, budget)) reporter.report(poolExceeded);
    return problems.length === 0 ? [{ graph, object, input }] : [];
  });
}
