import { type Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { MODE } from '../../core/model/keys.ts';
import { annotationOf, groupKind, type InputObject } from '../../core/model/object.ts';
import type { OnPending } from '../../core/model/render.ts';
import type { AdmittedInstance } from '../admit/index.ts';
import type { Graph, Graphs } from '../compile/index.ts';
import type { ExpandedInstance } from '../expand/index.ts';

/** An instance is left to a controller if it, its RGD or an RGD that it uses has `render-rgd.dev/mode: passthrough`. */
export function leftByAnnotation(
  instances: readonly AdmittedInstance[],
  graphs: Graphs,
  reports: Collector,
): Set<InputObject> {
  const checked = new Set<InputObject>();
  const asks = (input: InputObject): boolean => {
    const mode = annotationOf(input.object, MODE);
    if (mode !== undefined && mode !== 'passthrough' && !checked.has(input)) {
      const message = phrase`the annotation ${shown(MODE)} has the value '${mode}', only 'passthrough' is known`;
      const path = ['metadata', 'annotations', MODE];
      reporterFor(input, reports).report({ code: 'unresolved-mode', message, path });
    }
    checked.add(input);
    return mode === 'passthrough';
  };
  const left = instances.filter(({ graph, input }) => {
    const reached = [...reachedGraphs(graph, graphs)].map((one) => asks(one.input));
    return asks(input) || reached.includes(true);
  });
  for (const { input } of left) reportLeft(input, `${MODE} asks for it`, reports);
  return new Set(left.map(({ input }) => input));
}

/** Returns the instances that are left to a controller because they have pending nodes. */
export function leftPending(
  expanded: readonly ExpandedInstance[],
  onPending: OnPending,
  reports: Collector,
): Set<InputObject> {
  if (onPending !== 'passthrough') return new Set();
  const left = expanded.filter(({ pending }) => pending.length > 0);
  for (const { input } of left) reportLeft(input, 'one of its nodes is pending', reports);
  return new Set(left.map(({ input }) => input));
}

function reportLeft(input: InputObject, reason: string, reports: Collector): void {
  const message = phrase`left to a kro controller, with every RGD that it reaches: ${reason}`;
  reporterFor(input, reports).report({ code: 'passed-through', message, path: [], severity: 'info' });
}

/** Returns the objects that are printed unchanged: the instances and every RGD that they use. */
export function passedThrough(
  left: ReadonlySet<InputObject>,
  instances: readonly AdmittedInstance[],
  graphs: Graphs,
): Set<InputObject> {
  const passed = new Set(left);
  for (const { graph, input } of instances) {
    if (!left.has(input)) continue;
    for (const reached of reachedGraphs(graph, graphs)) passed.add(reached.input);
  }
  return passed;
}

/** Returns a graph and all graphs whose kinds it renders, directly or through others. */
function reachedGraphs(graph: Graph, graphs: Graphs, found = new Set<Graph>()): Set<Graph> {
  if (found.has(graph)) return found;
  found.add(graph);
  for (const { gvk } of graph.nodes) {
    const next = graphs.get(groupKind(gvk));
    if (next !== undefined) reachedGraphs(next, graphs, found);
  }
  return found;
}
