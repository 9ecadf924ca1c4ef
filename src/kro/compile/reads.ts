import { EACH } from '../../core/model/path.ts';
import type { Read } from '../../core/model/read.ts';
import { allReads, type Flow, into, readsIn } from '../../languages/cel/index.ts';
import type { GraphNode } from './graph.ts';
import type { CompiledExpression } from './template-field.ts';

/** An expression, and its own reads. */
export interface ExpressionReads {
  expression: CompiledExpression;
  reads: readonly Read[];
}

/** A list of a node: its reads, and the meaning of its iterator. */
interface ListReads extends ExpressionReads {
  name: string;
  element: Flow;
}

const lists = new WeakMap<GraphNode['forEach'], readonly ListReads[]>();

/** Iterators cannot read each other. */
function listsOf({ forEach }: GraphNode): readonly ListReads[] {
  const before = lists.get(forEach);
  if (before !== undefined) return before;
  const found = forEach.map(({ name, expression }) => {
    const { reads, value } = readsIn(expression.parsed.root, new Map());
    return { name, expression, reads, element: into(value, EACH, false) };
  });
  lists.set(forEach, found);
  return found;
}

const known = new WeakMap<CompiledExpression, readonly Read[]>();

/**
 * Returns everything that the value of an expression depends on. An iterator of `node` stands for the elements of its
 * list, and for everything that the list is computed from.
 */
export function readsOf(expression: CompiledExpression, node: GraphNode | undefined): readonly Read[] {
  const before = known.get(expression);
  if (before !== undefined) return before;
  const named = node === undefined ? [] : listsOf(node).filter((list) => expression.names.includes(list.name));
  const behind = named.filter((list) => list.expression !== expression);
  const scope = new Map(behind.map(({ name, element }) => [name, element]));
  const reads = [...behind.flatMap((list) => list.reads), ...allReads(readsIn(expression.parsed.root, scope))];
  known.set(expression, reads);
  return reads;
}

/** Returns the reads of each condition of a node. */
export const conditionReads = (node: GraphNode): ExpressionReads[] =>
  node.includeWhen.map((expression) => ({ expression, reads: allReads(readsIn(expression.parsed.root, new Map())) }));

/** Returns the reads of a node for its objects, by expression: its lists, then its template. */
export function templateReads(node: GraphNode): ExpressionReads[] {
  const own = listsOf(node);
  const scope = new Map(own.map(({ name, element }) => [name, element]));
  const ofLists = own.map(({ expression, reads, element }) => {
    const shape = element.sources.map((source) => ({ ...source, whole: false }));
    return { expression, reads: [...reads, ...shape] };
  });
  const ofTemplate = node.expressions.map((expression) => ({
    expression,
    reads: allReads(readsIn(expression.parsed.root, scope)),
  }));
  return [...ofLists, ...ofTemplate];
}

const statusReads = new WeakMap<GraphNode['expressions'], ReadonlySet<string>>();

/** Returns the ids of the nodes whose status, or whole object, a node reads. */
export function statusReadsOf(node: GraphNode): ReadonlySet<string> {
  const before = statusReads.get(node.expressions);
  if (before !== undefined) return before;
  const all = [...conditionReads(node), ...templateReads(node)].flatMap(({ reads }) => reads);
  const found = all.filter(({ path, whole }) => {
    const field = path.find((step) => typeof step === 'string');
    return field === 'status' || (field === undefined && whole);
  });
  const ids = new Set(found.map(({ root }) => root));
  statusReads.set(node.expressions, ids);
  return ids;
}
