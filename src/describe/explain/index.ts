/** Explains the state of nodes in an instance, and the origin of rendered fields. */

export { type ExplainedField, type Explanation, explainField, explainPackage, type Question } from './ask.ts';

export {
  type ExpressionAnswer,
  explainInRun,
  expressionsAt,
} from './expression.ts';
export { addressable, type Origin, originOfField } from './field.ts';
export type { Evaluated, ExplainedExpression } from './node.ts';
export {
  type ExplainedInstance,
  type ExplainedNode,
  explainInstance,
  explainNode,
  type Verdict,
  verdictOf,
} from './node.ts';
export { type Explainable, explainable, type Location, locationText, type Other, othersIn } from './package.ts';
export { parseFieldPath, parsePath, type WrittenPath } from './path.ts';
export type { ExplainedSet } from './set.ts';
export { explanationText, instanceText, nodeText } from './text.ts';
