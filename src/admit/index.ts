import type { Graph } from '../compile/graph.ts';
import type { Graphs } from '../compile/index.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { reporterFor } from '../diagnostics/reporter.ts';
import { groupVersionKind, type InputObject, type KubeObject } from '../model/object.ts';
import { groupKind } from '../parse/definition.ts';

/** An instance that passed admission: defaults applied, unknown fields and bad values refused. */
export interface AdmittedInstance {
  graph: Graph;
  object: KubeObject;
  input: InputObject;
}

/** The graph whose kind an object has, whatever its version. */
export const graphOf = (object: KubeObject, graphs: Graphs): Graph | undefined =>
  graphs.get(groupKind(groupVersionKind(object)));

/** Admits every instance of a package as an API server would. All errors are reported. */
export function admitInstances(objects: readonly InputObject[], graphs: Graphs, reports: Report[]): AdmittedInstance[] {
  return objects.flatMap((input) => {
    const graph = graphOf(input.object, graphs);
    if (graph === undefined) {
      reportUndefinedKind(input, reports);
      return [];
    }
    const reporter = reporterFor(input, reports);
    const { version } = groupVersionKind(input.object);
    if (version !== graph.version) {
      const message = `the version '${version}' is not served, the RGD '${graph.name}' defines '${graph.version}'`;
      reporter.report({ code: 'version-not-served', message, path: ['apiVersion'] });
      return [];
    }
    const { object, problems } = graph.admission.admit(input.object);
    for (const problem of problems) reporter.report(problem);
    return problems.length === 0 ? [{ graph, object, input }] : [];
  });
}

/** A Graph of kro 0.10 is its own definition and its own instance: nobody should look for an RGD. */
function reportGraph(input: InputObject, reports: Report[]): void {
  reporterFor(input, reports).report({
    code: 'graph-kind',
    message: 'a Graph of kro 0.10 (alpha) is not rendered: it is for a kro controller',
    path: ['kind'],
    severity: 'warning',
    hint: '--all prints it as it is; what an RGD and an instance say is rendered',
  });
}

/** An object of kro's own group that nothing defines is most likely an instance whose RGD was forgotten. */
function reportUndefinedKind(input: InputObject, reports: Report[]): void {
  const { group, kind } = groupVersionKind(input.object);
  if (group !== 'kro.run' || kind === 'ResourceGraphDefinition') return;
  if (kind === 'Graph') {
    reportGraph(input, reports);
    return;
  }
  const message = `no RGD in the input defines ${kind}, so it is not rendered`;
  reporterFor(input, reports).report({
    code: 'undefined-kind',
    message,
    path: ['kind'],
    severity: 'warning',
    hint: 'add its RGD to the input, or name its folder with --definitions',
  });
}
