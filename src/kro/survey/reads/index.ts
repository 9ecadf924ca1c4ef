/** The objects of the nodes of an expansion, and the fields that expressions read of them. */

export { EACH, type Step } from '../../../core/model/path.ts';
export { formatSteps, isOptional, leadsTo, type Read } from '../../../core/model/read.ts';
export type { PendingValue } from '../../../kubernetes/front-end/index.ts';
export { conditionReads, type ExpressionReads, templateReads } from '../../compile/index.ts';
export { apiVersionOf, keyOf, type ReadTarget, referencedReadTarget } from './read-target.ts';
export { type ResolvedRead, resolveRead } from './resolved-read.ts';
export { type Survey, type SurveyedNode, surveyRuns } from './survey.ts';
