import { createBudget } from '../../cel/index.ts';
import { type Collector, reporterFor } from '../../diagnostics/index.ts';
import type { Limits } from '../../model/limits.ts';
import { groupVersionKind, type InputObject, type KubeObject } from '../../model/object.ts';
import type { KindRegistry } from '../../schema/index.ts';
import type { Graph, Graphs } from '../compile/index.ts';
import { groupKind } from '../definition/index.ts';
import { meantFinder } from './meant.ts';
import { undefinedKindReporter } from './undefined-kind.ts';

/** An instance that passed admission: defaults applied, unknown fields and bad values refused. */
export interface AdmittedInstance {
  graph: Graph;
  object: KubeObject;
  input: InputObject;
}

/** The graph whose kind an object has, whatever its version. */
export const graphOf = (object: KubeObject, graphs: Graphs): Graph | undefined =>
  graphs.get(groupKind(groupVersionKind(object)));

/**
 * Admits every instance of a package as an API server would. All errors are reported, and so are objects that were
 * probably meant as instances.
 */
export function admitInstances(
  objects: readonly InputObject[],
  graphs: Graphs,
  kinds: KindRegistry,
  limits: Limits,
  reports: Collector,
): AdmittedInstance[] {
  const reportUndefinedKind = undefinedKindReporter(meantFinder(graphs, kinds), reports);
  return objects.flatMap((input) => {
    const graph = graphOf(input.object, graphs);
    if (graph === undefined) {
      reportUndefinedKind(input);
      return [];
    }
    const reporter = reporterFor(input, reports);
    const { version } = groupVersionKind(input.object);
    if (version !== graph.version) {
      const message = `the version '${version}' is not served, the RGD '${graph.name}' defines '${graph.version}'`;
      reporter.report({
        code: 'version-not-served',
        message,
        path: ['apiVersion'],
        hint: `did you mean '${graph.group}/${graph.version}'?`,
      });
      return [];
    }
    const { object, problems } = graph.admission.admit(input.object, createBudget(limits), !reports.hasEnough);
    for (const problem of problems) reporter.report(problem);
    return problems.length === 0 ? [{ graph, object, input }] : [];
  });
}
