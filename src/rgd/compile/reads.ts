import { allReads, type Flow, into, type Read, readsIn } from '../../cel/index.ts';
import { EACH } from '../../model/path.ts';
import type { GraphNode } from './graph.ts';
import type { CompiledExpression } from './template-field.ts';

const known = new WeakMap<CompiledExpression, readonly Read[]>();

/**
 * Everything that the value of an expression depends on. An iterator of `node` stands for the elements of its list,
 * and for all that the list is computed from.
 */
export function readsOf(expression: CompiledExpression, node: GraphNode | undefined): readonly Read[] {
  const before = known.get(expression);
  if (before !== undefined) return before;
  const scope = new Map<string, Flow>();
  const computed: Read[] = [];
  for (const dimension of node?.forEach ?? []) {
    // Iterators cannot read each other.
    if (!expression.names.includes(dimension.name) || dimension.expression === expression) continue;
    const { reads, value } = readsIn(dimension.expression.parsed.root, new Map());
    scope.set(dimension.name, into(value, EACH, false));
    computed.push(...reads);
  }
  const reads = [...computed, ...allReads(readsIn(expression.parsed.root, scope))];
  known.set(expression, reads);
  return reads;
}
