import { type Collector, type Problem, reporterFor } from '../../diagnostics/index.ts';
import { isPassthrough } from '../../model/mode.ts';
import { type GroupVersionKind, groupVersionKind, type InputObject } from '../../model/object.ts';
import { groupKind } from '../definition/index.ts';
import type { Meant } from './meant.ts';

/**
 * Reports objects that are no instances and were probably meant as some: left out, what they rendered to before would be
 * deleted. Of kinds that are doubtful, only the first object is named.
 */
export function undefinedKindReporter(
  meantBy: (gvk: GroupVersionKind) => Meant | undefined,
  reports: Collector,
): (input: InputObject) => void {
  const told = new Set<string>();
  return (input) => {
    const gvk = groupVersionKind(input.object);
    if (isPassthrough(input.object)) return;
    const meant = meantBy(gvk);
    const problem = meant === undefined ? ofKro(gvk) : slip(input, gvk, meant);
    if (problem === undefined || (meant?.doubtful && told.has(groupKind(gvk)))) return;
    told.add(groupKind(gvk));
    reporterFor(input, reports).report(problem);
  };
}

function slip({ object }: InputObject, { kind }: GroupVersionKind, { graph, field, doubtful }: Meant): Problem {
  const defined = `${graph.group}/${graph.version}`;
  const isOther = 'if it is something else, add its CustomResourceDefinition';
  const message = `no RGD in the input defines ${kind} of ${object.apiVersion}, so it is not rendered; the RGD '${graph.name}' defines ${graph.kind} of ${defined}`;
  const wanted = field === 'kind' ? graph.kind : defined;
  const problem: Problem = {
    code: 'undefined-kind',
    message,
    path: [field],
    hint: `did you mean '${wanted}'? ${isOther}`,
  };
  return doubtful ? { ...problem, severity: 'warning' } : problem;
}

/** A Graph of kro 0.10 is its own definition and its own instance: nobody should look for an RGD. */
const graph: Problem = {
  code: 'graph-kind',
  message: 'a Graph of kro 0.10 (alpha) is not rendered: it is for a kro controller',
  path: ['kind'],
  severity: 'warning',
  hint: '--all prints it as it is; what an RGD and an instance say is rendered',
};

/** An object of kro's own group that nothing defines is most likely an instance whose RGD was forgotten. */
function ofKro({ group, kind }: GroupVersionKind): Problem | undefined {
  if (group !== 'kro.run' || kind === 'ResourceGraphDefinition') return undefined;
  if (kind === 'Graph') return graph;
  return {
    code: 'undefined-kind',
    message: `no RGD in the input defines ${kind}, so it is not rendered`,
    path: ['kind'],
    severity: 'warning',
    hint: 'add its RGD to the input, or name its folder with --definitions',
  };
}
