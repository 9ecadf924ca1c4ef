import type { EvaluationError } from '../cel/values.ts';
import type { Graph, GraphNode } from '../compile/graph.ts';
import { codes } from '../diagnostics/codes.ts';
import type { Problem } from '../diagnostics/diagnostic.ts';

/** Codes whose messages quote values that expressions yielded. */
const QUOTES_VALUES = /^(?:computed-reserved-key|object-.*|instance-.*)$/;
/** Reasons that hold nothing of a value. */
const FIXED =
  /^(?:division by zero|modulus by zero|(?:integer|unsigned integer|duration|timestamp) overflow|no such overload.*)$/;
/** Reasons that hold a key, field or index. */
const NAMES_KEY = /^(?:no such key|no such attribute\(s\)|index out of bounds): (.*)$/s;

export const UNSAID = 'the reason is not shown: a Secret is involved';

/** The problem without what may be a value of a Secret: values are never printed, whatever was computed from them. */
export function withoutSecretValues(problem: Problem, node: GraphNode, graph: Graph): Problem {
  if (!QUOTES_VALUES.test(problem.code) || !readsSecret(node, graph)) return problem;
  const message = `${codes[problem.code].meaning.replace(/\.$/, '')} (${UNSAID})`;
  // Keys may be computed too; the fields of metadata are where they come from in the end.
  const end = problem.path.indexOf('metadata', node.path.length);
  const { hint: _, ...rest } = problem;
  return { ...rest, message, path: end < 0 ? problem.path : problem.path.slice(0, end + 2) };
}

/** Whether the reason of a failure holds nothing but what the expression spells out. */
export function tellsNoValue({ kind, message }: EvaluationError, source: string): boolean {
  if (kind === 'budget' || FIXED.test(message)) return true;
  const [, key] = NAMES_KEY.exec(message) ?? [];
  return key !== undefined && source.includes(key);
}

/** Whether expressions of a node handle values of a Secret: it is one, or reads one. */
export const handlesSecret = (node: GraphNode, graph: Graph): boolean => isSecret(node) || readsSecret(node, graph);

const isSecret = ({ gvk }: GraphNode): boolean => gvk.kind === 'Secret' && gvk.group === '';

/** Whether a node reads a Secret, be it through others. */
function readsSecret(node: GraphNode, graph: Graph, seen = new Set<number>()): boolean {
  return node.dependencies.some((index) => {
    const dependency = graph.nodes[index];
    if (dependency === undefined || seen.has(index)) return false;
    seen.add(index);
    return isSecret(dependency) || readsSecret(dependency, graph, seen);
  });
}
