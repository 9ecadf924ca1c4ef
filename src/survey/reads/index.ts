/** The objects that the nodes of an expansion stand for, and where in them expressions read. */

export { formatSteps, isOptional, type Read } from '../../cel/index.ts';
export { EACH, type Step } from '../../model/path.ts';
export { conditionReads, type ExpressionReads, templateReads } from '../../rgd/compile/index.ts';
export type { Awaited } from './awaited.ts';
export { apiVersionOf, type Carrier, keyOf, referencedCarrier } from './carrier.ts';
export { type Landing, landingsOf } from './landing.ts';
export { type Survey, type SurveyedNode, surveyRuns } from './survey.ts';
