import { type Call, type CelIssue, children, type Expr, subExpressions } from '../ast.ts';
import type { Environment } from '../environment.ts';
import { checkFormat, VERSION_2_TYPES } from '../library/format.ts';
import type { Overload } from '../library.ts';
import type { ParsedExpression } from '../parse/parser.ts';
import { compileRegex } from '../regex.ts';
import { type CelType, DYN } from '../types.ts';
import { EvaluationError, outcomeOf } from '../value/values.ts';
import { type Substitutions, substitutions } from './calls.ts';
import { checkExpr } from './checker.ts';

type CheckResult = { ok: true; checked: CheckedExpression } | { ok: false; issues: CelIssue[] };

/** Type-checks an expression; reports all errors at once. */
export function check(env: Environment, parsed: ParsedExpression, variables: Variables): CheckResult {
  const checked = inspect(env, parsed, variables);
  const issues = checked.issues.length > 0 ? checked.issues : constantIssues(checked, env);
  return issues.length > 0 ? { ok: false, issues: onePerPlace(issues) } : { ok: true, checked };
}

/** The variables that an expression may read, with their types. */
export type Variables = Pick<ReadonlyMap<string, CelType>, 'get'> & { keys(): Iterable<string> };

/** The state of a check: what is known of each node of the expression, by its id. */
export interface Checker {
  readonly env: Environment;
  readonly variables: Variables;
  /** What the type parameters of the calls stand for. */
  readonly unify: Substitutions;
  readonly types: Map<number, CelType>;
  readonly calls: Map<number, ResolvedCall>;
  readonly names: Map<number, Resolved>;
  /** The variables of each comprehension. */
  readonly loops: Map<number, readonly (readonly [string, CelType])[]>;
  readonly issues: CelIssue[];
  /** Variables of comprehensions and binds. */
  scope: ReadonlyMap<string, CelType>;
  /** After a scope cel-go compares numbers of two types, whatever the environment (checker/env.go, exitScope). */
  hadScope: boolean;
}

const newChecker = (env: Environment, variables: Variables): Checker => ({
  env,
  variables,
  unify: substitutions(),
  types: new Map(),
  calls: new Map(),
  names: new Map(),
  loops: new Map(),
  issues: [],
  scope: new Map(),
  hadScope: false,
});

/** What is known of an expression that may be incomplete or invalid. */
export interface InspectedExpression extends CheckedExpression {
  /** The variables of each comprehension. */
  readonly loops: ReadonlyMap<number, readonly (readonly [string, CelType])[]>;
  readonly issues: readonly CelIssue[];
}

/** Infers the types of an expression. */
export function inspect(env: Environment, parsed: ParsedExpression, variables: Variables): InspectedExpression {
  const checker = newChecker(env, variables);
  checkExpr(checker, parsed.root);
  const { types, calls, names, loops, issues, unify } = checker;
  const resolved = (type: CelType): CelType => unify.resolve(type, true);
  for (const [id, type] of types) types.set(id, resolved(type));
  for (const [id, found] of loops) {
    const variables = found.map(([name, type]) => [name, resolved(type)] as const);
    loops.set(id, variables);
  }
  return { parsed, type: types.get(parsed.root.id) ?? DYN, types, calls, names, loops, issues };
}

/** Sorts issues by position, and keeps the first of each: the expansion of a macro may have several. */
function onePerPlace(issues: readonly CelIssue[]): CelIssue[] {
  const places = new Map<number, CelIssue>();
  for (const issue of issues) if (!places.has(issue.offset)) places.set(issue.offset, issue);
  return [...places.values()].sort((a, b) => a.offset - b.offset);
}

/** Reports what cel-go rejects when it plans an expression: constant formats, patterns and indexes that are invalid. */
const constantIssues = (checked: CheckedExpression, env: Environment): CelIssue[] =>
  [...subExpressions(checked.parsed.root)].flatMap((expr) => {
    if (expr.kind !== 'call') return [];
    const { name, args, id } = expr;
    const issue = formatIssue(expr, checked, env) ?? indexIssue(name, args[1]);
    return issue ?? patternIssue(checked.calls.get(id), args[0]) ?? [];
  });

/** Checks `"...".format([...])` of two literals, as the validator of cel-go's strings library does. */
function formatIssue(
  { name, args, target, offset }: Call,
  { types }: CheckedExpression,
  env: Environment,
): CelIssue | undefined {
  const [list] = args;
  if (name !== 'format' || target?.kind !== 'literal' || target.literal.type !== 'string' || list?.kind !== 'list')
    return undefined;
  const typeOf = (value: Expr): CelType => types.get(value.id) ?? DYN;
  const rules = env.formatsAsVersion2 ? VERSION_2_TYPES : undefined;
  const fault = checkFormat(target.literal.value, children(list), typeOf, rules);
  return fault && { message: fault.message, offset: fault.offset ?? offset, mayQuoteLiteral: true };
}

function indexIssue(name: string, index: Expr | undefined): CelIssue | undefined {
  if ((name !== '_[_]' && name !== '_[?_]') || index?.kind !== 'literal') return undefined;
  const { type } = index.literal;
  if (type !== 'null' && type !== 'bytes') return undefined;
  return { message: `a value of type ${type} cannot be an index`, offset: index.offset };
}

const WITH_PATTERN = new Set(['find', 'findAll']);

function patternIssue(call: ResolvedCall | undefined, pattern: Expr | undefined): CelIssue | undefined {
  if (call === undefined || !WITH_PATTERN.has(call.name) || pattern?.kind !== 'literal') return undefined;
  const { literal } = pattern;
  const compiled = literal.type === 'string' ? outcomeOf(() => compileRegex(literal.value)) : undefined;
  if (!(compiled instanceof EvaluationError)) return undefined;
  return { message: compiled.message, offset: pattern.offset, mayQuoteLiteral: true };
}

type Resolved = { kind: 'variable'; name: string } | { kind: 'type'; type: CelType };

/** A type-checked expression, with the results for each node, by node id. */
export interface CheckedExpression {
  readonly parsed: ParsedExpression;
  readonly type: CelType;
  readonly types: ReadonlyMap<number, CelType>;
  /** The possible overloads of a call: one, unless dyn arguments leave several. */
  readonly calls: ReadonlyMap<number, ResolvedCall>;
  /** Identifiers, and selections that form a qualified name. */
  readonly names: ReadonlyMap<number, Resolved>;
}

export interface ResolvedCall {
  readonly name: string;
  /** The target is a namespace (`lists` in `lists.range(3)`), not an argument. */
  readonly namespaced: boolean;
  readonly overloads: readonly Overload[];
}
