import type { Graph, GraphNode } from '../compile/graph.ts';
import { codes } from '../diagnostics/codes.ts';
import type { Problem } from '../diagnostics/diagnostic.ts';

/** Codes whose messages quote values that expressions yielded. */
const QUOTES_VALUES = /^(?:evaluation|missing-in-instance|computed-reserved-key|object-.*|instance-.*)$/;

/** The problem without what may be a value of a Secret: values are never printed, whatever was computed from them. */
export function withoutSecretValues(problem: Problem, node: GraphNode, graph: Graph): Problem {
  if (!QUOTES_VALUES.test(problem.code) || !readsSecret(node, graph)) return problem;
  const message = `${codes[problem.code].meaning} (The reason is not shown: this node reads a Secret.)`;
  // Keys may be computed too; the fields of metadata are where they come from in the end.
  const end = problem.path.indexOf('metadata', node.path.length);
  const { hint: _, ...rest } = problem;
  return { ...rest, message, path: end < 0 ? problem.path : problem.path.slice(0, end + 2) };
}

/** Whether a node is a Secret, or needs one, be it through others. */
export function readsSecret(node: GraphNode, graph: Graph, seen = new Set<number>()): boolean {
  if (node.gvk.kind === 'Secret' && node.gvk.group === '') return true;
  if (seen.has(node.index)) return false;
  seen.add(node.index);
  return node.dependencies.some((index) => {
    const dependency = graph.nodes[index];
    return dependency !== undefined && readsSecret(dependency, graph, seen);
  });
}
