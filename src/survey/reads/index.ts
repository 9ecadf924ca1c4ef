import { allReads, type Flow, into, type Read, readsIn } from '../../cel/index.ts';
import { EACH } from '../../model/path.ts';
import type { CompiledExpression, GraphNode } from '../../rgd/compile/index.ts';

export { formatSteps, isOptional, type Read } from '../../cel/index.ts';
export { EACH, type Step } from '../../model/path.ts';
export { apiVersionOf, type Carrier, keyOf, referencedCarrier } from './carrier.ts';
export { type Landing, landingsOf } from './landing.ts';
export { type Survey, type SurveyedNode, surveyRuns } from './survey.ts';

export interface ExpressionReads {
  expression: CompiledExpression;
  reads: readonly Read[];
}

/** What the conditions of a node read. */
export const conditionReads = (node: GraphNode): ExpressionReads[] =>
  node.includeWhen.map((expression) => ({ expression, reads: readsOf(expression, new Map()) }));

/** What a node reads to make its objects: its lists, then its template. */
export function templateReads(node: GraphNode): ExpressionReads[] {
  const iterators = new Map<string, Flow>();
  const lists = node.forEach.map(({ name, expression }) => {
    const { reads, value } = readsIn(expression.parsed.root, new Map());
    const element = into(value, EACH, false);
    iterators.set(name, element);
    const shape = element.places.map((place) => ({ ...place, whole: false }));
    return { expression, reads: [...reads, ...shape] };
  });
  const template = node.expressions.map((expression) => ({ expression, reads: readsOf(expression, iterators) }));
  return [...lists, ...template];
}

const readsOf = (expression: CompiledExpression, iterators: ReadonlyMap<string, Flow>): Read[] =>
  allReads(readsIn(expression.parsed.root, iterators));
