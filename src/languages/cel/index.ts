/** The CEL engine: parse, check, plan, run. */

import { collectReferences, type References } from './analysis/references.ts';
import { children, type Expr } from './ast.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { kroLibraries, kubernetesLibraries } from './library/index.ts';
import type { ParsedExpression } from './parse/index.ts';

export { allReads, readsIn } from './analysis/flow.ts';
export { literalTexts, spellsOutNothing } from './analysis/literals.ts';
export { type Flow, formatSteps, into, isOptional, type Read } from './analysis/place.ts';
export type { References } from './analysis/references.ts';
export { textsOf } from './analysis/span.ts';
export { type Call, type Comprehension, children, type Expr, type MapExpr, qualifiedName } from './ast.ts';
export {
  type Budget,
  createBudget,
  isExhausted,
  spendObject,
  spendSelection,
  spendValues,
  spendWritten,
  startRun,
  wholeOf,
} from './budget.ts';
export { describeType, ERROR } from './check/describe.ts';
export { type CheckedExpression, check, type InspectedExpression, inspect } from './check/index.ts';
export { toJson } from './convert.ts';
export { createEnvironment, type Environment } from './environment.ts';
export { escapedFieldName } from './field-names.ts';
export type { CelIssue } from './issue.ts';
export { kroLibraries, kubernetesLibraries, type LibraryName, namedLibraries } from './library/index.ts';
export { CONDITION_STATUSES, CONDITION_TYPE, RUNTIME_TYPE, RUNTIME_VARIABLE } from './library/kro/runtime.ts';
export { compareQuantities } from './library/kubernetes/compare-quantities.ts';
export { FORMAT_RULES } from './library/kubernetes/format-rules.ts';
export { parseAddress as parseIpAddress } from './library/kubernetes/ip-address.ts';
export { type Amount, compareAmounts, parseQuantity } from './library/kubernetes/quantity-amount.ts';
export { escapePart as escapeUrlPart, unescapePart as unescapeUrlPart } from './library/kubernetes/url-escape.ts';
export { checkUrl, parseReference, splitHost, urlText } from './library/kubernetes/url-parse.ts';
export type { Library, Overload } from './library.ts';

export { type ParsedExpression, parse, parseRecovering } from './parse/index.ts';
export { type Token, tokenize } from './parse/lexer.ts';
export { type Program, plan, type Trace } from './plan/index.ts';
export { compileRegex, compileWork, noPatternPaid, type PaidPatterns, patternSize } from './regex.ts';
export {
  type Charge,
  type Match,
  matchesOf,
  matchesText,
  matchesWhile,
  matchesWithin,
  type Regex,
} from './regex-match.ts';
export { parseFieldDuration } from './std/field-time.ts';
export { standardLibrary } from './std/index.ts';
export {
  type CelType,
  DYN,
  formatType,
  type ListType,
  listOf,
  type MapType,
  mapOf,
  type ObjectType,
  opaque,
  optionalOf,
  STRING,
} from './types.ts';
export { type CelValue, EvaluationError, fixedFailure, Optional, Unreadable } from './value/values.ts';

let kro: Environment | undefined;
let kubernetes: Environment | undefined;

/** The functions for expressions in a ResourceGraphDefinition; a shared instance. */
export function kroEnvironment(): Environment {
  kro ??= createEnvironment(kroLibraries);
  return kro;
}

/** The functions for `x-kubernetes-validations` rules; a shared instance. */
export function kubernetesEnvironment(): Environment {
  kubernetes ??= createEnvironment(kubernetesLibraries, {
    typeNames: true,
    crossTypeComparisons: true,
    formatsAsVersion2: true,
  });
  return kubernetes;
}

/** Returns the names that an expression uses and calls, whether or not it type-checks. */
export function references(expression: ParsedExpression, env: Environment = kroEnvironment()): References {
  return collectReferences(expression, (name) => env.functions(name).length > 0);
}

/** Returns the position of a node in the source, for the `nodeId` of an `EvaluationError`. */
export const offsetOf = (expression: ParsedExpression, nodeId: number | undefined): number | undefined =>
  nodeOf(expression, nodeId)?.offset;

/** Returns the part of an expression with an id. */
export function nodeOf(expression: ParsedExpression, nodeId: number | undefined): Expr | undefined {
  if (nodeId === undefined) return undefined;
  const search = (expr: Expr): Expr | undefined => {
    if (expr.id === nodeId) return expr;
    for (const child of children(expr)) {
      const found = search(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(expression.root);
}
