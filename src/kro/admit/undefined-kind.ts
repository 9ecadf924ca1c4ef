import { type Collector, type Problem, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { isPassthrough } from '../../core/model/annotations.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { type GroupVersionKind, groupVersionKind, type InputObject } from '../../core/model/object.ts';
import type { Graph, Graphs } from '../compile/index.ts';
import { groupKind } from '../definition/index.ts';
import type { SuggestedKind } from './kind-suggester.ts';

/**
 * Reports objects that are not instances but were probably intended as such: if they were ignored, their earlier
 * rendered objects would be deleted. Of doubtful kinds, only the first object is reported.
 */
export function undefinedKindReporter(
  graphs: Graphs,
  suggestionFor: (gvk: GroupVersionKind) => SuggestedKind | undefined,
  isDescribed: (gvk: GroupVersionKind) => boolean,
  reports: Collector,
): (input: InputObject) => void {
  const reported = new Set<string>();
  const kindsByGroup = groupBy([...graphs.values()], ({ group }) => group);
  const stranger = (gvk: GroupVersionKind, input: InputObject): Problem | undefined => {
    const defined = kindsByGroup.get(gvk.group);
    return defined === undefined || isDescribed(gvk) ? undefined : ofGroup(gvk, input, defined);
  };
  return (input) => {
    const gvk = groupVersionKind(input.object);
    if (isPassthrough(input.object)) return;
    const intended = suggestionFor(gvk);
    const problem = intended === undefined ? (ofKro(gvk) ?? stranger(gvk, input)) : slip(input, gvk, intended);
    if (problem === undefined || (intended?.doubtful && reported.has(groupKind(gvk)))) return;
    reported.add(groupKind(gvk));
    reporterFor(input, reports).report(problem);
  };
}

function slip({ object }: InputObject, { kind }: GroupVersionKind, { graph, field, doubtful }: SuggestedKind): Problem {
  const defined = `${graph.group}/${graph.version}`;
  const isOther = 'if it is something else, add its CustomResourceDefinition';
  const message = phrase`no RGD in the input defines ${kind} of ${object.apiVersion}, so it is not rendered; the RGD '${graph.name}' defines ${graph.kind} of ${defined}`;
  const wanted = field === 'kind' ? graph.kind : defined;
  const problem: Problem = {
    code: 'undefined-kind',
    message,
    path: [field],
    hint: phrase`did you mean '${wanted}'? ${shown(isOther)}`,
  };
  return doubtful ? { ...problem, severity: 'warning' } : problem;
}

/** Returns the problem of an object in a group of RGDs whose kind none of them defines. */
function ofGroup({ group, kind }: GroupVersionKind, { object }: InputObject, graphs: readonly Graph[]): Problem {
  const kinds = graphs.slice(0, 5).map((one) => one.kind);
  const shown = `${kinds.join(', ')}${graphs.length > 5 ? ` and ${graphs.length - 5} more` : ''}`;
  return {
    code: 'undefined-kind',
    message: phrase`no RGD in the input defines ${kind} of ${object.apiVersion}, so it is not rendered; RGDs define ${shown} of ${group}`,
    path: ['kind'],
    severity: 'warning',
    hint: phrase`add its RGD to the input, or name its folder with --definitions; if it is something else, add its CustomResourceDefinition`,
    alike: groupKind({ group, kind }),
  };
}

/** A Graph of kro 0.10 is both a definition and an instance, and has no RGD. */
const graph: Problem = {
  code: 'graph-kind',
  message: phrase`a Graph of kro 0.10 (alpha) is not rendered: it is for a kro controller`,
  path: ['kind'],
  severity: 'warning',
  hint: phrase`--all prints it unchanged; only instances of RGDs are rendered`,
};

/** Returns the problem of an undefined object in kro's group: probably an instance without its RGD. */
function ofKro({ group, kind }: GroupVersionKind): Problem | undefined {
  if (group !== 'kro.run' || kind === 'ResourceGraphDefinition') return undefined;
  if (kind === 'Graph') return graph;
  return {
    code: 'undefined-kind',
    message: phrase`no RGD in the input defines ${kind}, so it is not rendered`,
    path: ['kind'],
    severity: 'warning',
    hint: phrase`add its RGD to the input, or name its folder with --definitions`,
  };
}
