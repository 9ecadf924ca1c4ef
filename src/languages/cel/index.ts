/** The CEL engine: parse, check, plan, run. */
import { lazily } from '../../core/model/lazily.ts';
import { children, type Expr, qualifiedName, subExpressions } from './ast.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { kroLibraries, kubernetesLibraries } from './library/index.ts';
import type { ParsedExpression } from './parse/index.ts';

interface NamedAt {
  name: string;
  offset: number;
}

interface References {
  /** Free identifiers, each once, in order of first appearance. */
  identifiers: readonly NamedAt[];
  /** Called functions, each once: `size`, `lists.range`, `.split`, without operators. */
  functions: readonly NamedAt[];
  /** Names and functions with a leading dot, which CEL has for names that a macro's variable hides. */
  dotted: readonly NamedAt[];
}

/** Reports whether a name is a function; decides if `a.b(x)` calls `a.b` or the member `b` of the value `a`. */
type IsFunction = (name: string) => boolean;

/** Matches names that can be written, unlike `_+_` and `cel.@mapInsert`. */
const WRITTEN = /^\.?[A-Za-z][\w.]*$/;

/**
 * Returns the names that an expression uses and calls. Variables of comprehensions and binds hide outer names in their scope
 * only.
 */
function collectReferences(expression: ParsedExpression, isFunction: IsFunction): References {
  const identifiers = new Map<string, number>();
  const functions = new Map<string, number>();
  const dotted: NamedAt[] = [];
  const first = (names: Map<string, number>, name: string, offset: number): void => {
    names.set(name, Math.min(names.get(name) ?? offset, offset));
  };

  const visit = (expr: Expr, bound: ReadonlySet<string>): void => {
    if (expr.kind === 'ident') {
      const { name, offset } = expr;
      // With a leading dot the name is not a variable of a comprehension.
      if (bound.has(name)) return;
      if (name.startsWith('.')) dotted.push({ name, offset });
      first(identifiers, name.replace(/^\./, ''), offset);
      return;
    }
    if (expr.kind === 'comprehension' || expr.kind === 'bind') {
      const names = expr.kind === 'bind' ? [expr.name] : [expr.variable, expr.variable2 ?? expr.variable];
      const [outer, ...parts] = children(expr);
      if (outer !== undefined) visit(outer, bound);
      const inner = new Set([...bound, ...names]);
      for (const part of parts) visit(part, inner);
      return;
    }
    if (expr.kind === 'call') {
      const name = calledName(expr, isFunction);
      if (WRITTEN.test(name)) first(functions, name, expr.offset);
      if (expr.name.startsWith('.')) dotted.push({ name: expr.name, offset: expr.offset });
      if (expr.target !== undefined && !name.startsWith('.')) {
        for (const arg of expr.args) visit(arg, bound);
        return;
      }
    }
    for (const child of children(expr)) visit(child, bound);
  };

  visit(expression.root, new Set());
  const inOrder = (names: Map<string, number>): NamedAt[] =>
    [...names].map(([name, offset]) => ({ name, offset })).sort((a, b) => a.offset - b.offset);
  return { identifiers: inOrder(identifiers), functions: inOrder(functions), dotted };
}

/** Returns the name that a call resolves to: namespaced functions come before members, as in cel-go. */
function calledName(call: Extract<Expr, { kind: 'call' }>, isFunction: IsFunction): string {
  if (call.target === undefined) return call.name;
  const prefix = qualifiedName(call.target);
  const joined = `${prefix}.${call.name}`;
  return prefix !== undefined && isFunction(joined) ? joined : `.${call.name}`;
}

export * from './analysis/flow.ts';
export {
  type Bind,
  type Call,
  type CelIssue,
  type Comprehension,
  children,
  type Expr,
  type MapExpr,
  subExpressions,
} from './ast.ts';
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
export { type CheckedExpression, check, type InspectedExpression, inspect } from './check/index.ts';
export { toJson } from './convert.ts';
export { createEnvironment, type Environment, standardLibrary } from './environment.ts';
export { escapedFieldName } from './field-names.ts';
export { kroLibraries, kubernetesLibraries, type LibraryName, namedLibraries } from './library/index.ts';
export { CONDITION_STATUSES, CONDITION_TYPE, RUNTIME_TYPE, RUNTIME_VARIABLE } from './library/kro/runtime.ts';
export { FORMAT_RULES } from './library/kubernetes/format-rules.ts';
export { parseAddress as parseIpAddress } from './library/kubernetes/ip-address.ts';
export {
  type Amount,
  addAmounts,
  compareAmounts,
  compareQuantities,
  parseQuantity,
} from './library/kubernetes/quantity.ts';
export {
  checkUrl,
  escapePart as escapeUrlPart,
  parseReference,
  splitHost,
  unescapePart as unescapeUrlPart,
  urlText,
} from './library/kubernetes/url-parse.ts';
export type { Library, Overload } from './library.ts';

export { type ParsedExpression, parse, parseRecovering } from './parse/index.ts';
export { type Token, tokenize } from './parse/lexer.ts';
export { type Program, plan, type Trace } from './plan/planner.ts';
export { compileRegex, compileWork, noPatternPaid, type PaidPatterns, patternSize } from './regex.ts';
export {
  type Match,
  matchesOf,
  matchesWhile,
  matchesWithin,
  type Regex,
} from './regex-match.ts';
export { parseDuration, parseFieldDuration } from './std/time-text.ts';
export {
  type CelType,
  DYN,
  describeType,
  ERROR,
  formatType,
  formatTypeWith,
  type ListType,
  listOf,
  type MapType,
  mapOf,
  type ObjectType,
  opaque,
  optionalOf,
  STRING,
  WRITTEN as TYPE_NAMES,
} from './types.ts';
export { type CelValue, EvaluationError, fixedFailure, Optional, outcomeOf, Unreadable } from './value/values.ts';

/** The functions for expressions in a ResourceGraphDefinition; a shared instance. */
export const kroEnvironment = lazily(() => createEnvironment(kroLibraries));

/** The functions for `x-kubernetes-validations` rules; a shared instance. */
export const kubernetesEnvironment = lazily(() =>
  createEnvironment(kubernetesLibraries, { typeNames: true, crossTypeComparisons: true, formatsAsVersion2: true }),
);

/** Returns the names that an expression uses and calls, whether or not it type-checks. */
export function references(expression: ParsedExpression, env: Environment = kroEnvironment()): References {
  return collectReferences(expression, (name) => env.functions(name).length > 0);
}

/** Returns the position of a node in the source, for the `nodeId` of an `EvaluationError`. */
export const offsetOf = (expression: ParsedExpression, nodeId: number | undefined): number | undefined =>
  nodeOf(expression, nodeId)?.offset;

export function nodeOf(expression: ParsedExpression, nodeId: number | undefined): Expr | undefined {
  for (const part of nodeId === undefined ? [] : subExpressions(expression.root)) if (part.id === nodeId) return part;
  return undefined;
}

/**
 * Reports whether an expression only has names and calls. The text of a Secret may look like an expression by chance,
 * and an expression in a Secret may contain a value.
 */
export const hasNoLiterals = (expression: Expr): boolean =>
  expression.kind === 'literal'
    ? expression.literal.type === 'bool' || expression.literal.type === 'null'
    : children(expression).every(hasNoLiterals);

/** Returns the literals of an expression, except empty strings, booleans and null. */
export function literalTexts(expression: Expr): string[] {
  if (expression.kind !== 'literal') return children(expression).flatMap(literalTexts);
  const { type, value } = expression.literal;
  if (type === 'bool' || type === 'null') return [];
  const text = type === 'bytes' ? new TextDecoder().decode(value) : String(value);
  return text === '' ? [] : [text];
}
