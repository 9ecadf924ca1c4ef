export { admissionOf } from './admission.ts';
export { checkAlphaFields } from './alpha-fields.ts';
export { booleanKeyHint, celReserved, idFault, unknownKindProblem } from './check-definition.ts';
export { guardClusterReads, setStatusInCluster } from './cluster-reads.ts';
export { declaredType } from './declared-type.ts';
export { type ExpressionDetails, forbiddenFunctions, omitScope } from './expression.ts';
export * from './graph.ts';
export {
  type ExpressionReads,
  iteratedLists,
  nodeReads,
  originOf,
  readsOf,
  statusExpressions,
  statusReadsOf,
} from './graph.ts';
export {
  isNamespaced,
  isOrchestratorKey,
  isReservedKey,
  type KindContext,
  type OnExpression,
  type ResolvedNode,
  resolveNode,
} from './kinds-of-nodes.ts';
export { compileNode, type NodeContext, variableTypeOf } from './node.ts';
export { compileRgds, type Graphs, kindsOfGraphs, reachedFrom } from './package.ts';
export { readingOf, type Scopes, scopesIn, scopesOf } from './rgd.ts';
export { checkForApiServer, compileRules } from './rules.ts';
export { isExpression, loosePartsOf, type Part, partsOf } from './scan.ts';
export { bytesProblem } from './template.ts';
export type { CompiledExpression, Evaluation, EvaluationFailure, TemplateField } from './template-program.ts';
