/** The CEL engine: parse, check, plan, run. */
export * from './analysis/flow.ts';
export { hasNoLiterals, nodeOf, offsetOf, type References, references } from './analysis/references.ts';
export * from './ast.ts';
export * from './budget.ts';
export { type CheckedExpression, check, type InspectedExpression, inspect } from './check/index.ts';
export { toJson } from './convert.ts';
export * from './environment.ts';
export { FORMAT_RULES } from './library/format-rules.ts';
export { parseAddress as parseIpAddress } from './library/ip.ts';
export { CONDITION_STATUSES, CONDITION_TYPE, isOmitted, RUNTIME_TYPE, RUNTIME_VARIABLE } from './library/kro.ts';
export { type Amount, addAmounts, compareAmounts, parseQuantity } from './library/quantity.ts';
export {
  checkUrl,
  escapePart as escapeUrlPart,
  parseReference,
  splitHost,
  unescapePart as unescapeUrlPart,
  urlText,
} from './library/urls.ts';
export type { Library, Overload } from './library.ts';
export { type Token, tokenize } from './parse/lexer.ts';
export { type ParsedExpression, parse, parseRecovering } from './parse/parser.ts';
export { type Program, plan, planPartial, type Trace } from './plan/planner.ts';
export * from './regex.ts';
export { standardLibrary } from './std/standard.ts';
export { parseDuration, parseFieldDuration } from './std/times.ts';
export * from './types.ts';
export { compareText, mapEntries } from './value/order.ts';
export { pathsOfParts, type Results, Unknown, UnknownPart, unknownWithin } from './value/unknown.ts';
export {
  type CelValue,
  EvaluationError,
  fixedFailure,
  isMapValue,
  missing,
  Optional,
  outcomeOf,
} from './value/values.ts';
