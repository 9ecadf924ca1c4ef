import type { Expr } from '../ast.ts';
import { children } from '../ast.ts';
import type { Environment } from '../environment.ts';
import type { CelIssue } from '../issue.ts';
import type { ParsedExpression } from '../parse/index.ts';
import { compileRegex } from '../regex.ts';
import { type CelType, DYN } from '../types.ts';
import { attempt } from '../value/attempt.ts';
import type { CheckedExpression, ResolvedCall } from './checked.ts';
import { type Checker, checkExpr, type Variables } from './checker.ts';
import { formatIssues } from './format-calls.ts';
import { substitutions } from './unify.ts';

export type { CheckedExpression } from './checked.ts';

export type CheckResult = { ok: true; checked: CheckedExpression } | { ok: false; issues: CelIssue[] };

/** Type-checks an expression; reports all errors at once. */
export function check(env: Environment, parsed: ParsedExpression, variables: Variables): CheckResult {
  const checker = run(env, parsed, variables);
  const { types, issues } = checker;
  if (issues.length === 0)
    for (const issue of [...formatIssues(parsed.root, types, env), ...constantIssues(parsed.root, checker.calls)])
      issues.push(issue);
  if (issues.length > 0) return { ok: false, issues: onePerPlace(issues) };
  const { calls, names } = checker;
  return { ok: true, checked: { parsed, type: types.get(parsed.root.id) ?? DYN, types, calls, names } };
}

function run(env: Environment, parsed: ParsedExpression, variables: Variables, loops?: Checker['loops']): Checker {
  const checker: Checker = {
    env,
    variables,
    unify: substitutions(),
    types: new Map(),
    calls: new Map(),
    names: new Map(),
    loops,
    issues: [],
    scope: undefined,
    hadScope: false,
  };
  checkExpr(checker, parsed.root);
  const { types, unify } = checker;
  for (const [id, type] of types) types.set(id, unify.resolve(type, true));
  return checker;
}

/** The known parts of an expression that may be invalid, by node id. */
export interface InspectedExpression {
  readonly parsed: ParsedExpression;
  readonly types: ReadonlyMap<number, CelType>;
  readonly calls: CheckedExpression['calls'];
  readonly names: CheckedExpression['names'];
  /** The variables of each comprehension. */
  readonly loops: ReadonlyMap<number, readonly (readonly [string, CelType])[]>;
}

/** Infers the types of an incomplete expression. */
export function inspect(env: Environment, parsed: ParsedExpression, variables: Variables): InspectedExpression {
  const loops = new Map<number, readonly (readonly [string, CelType])[]>();
  const { types, calls, names, unify } = run(env, parsed, variables, loops);
  for (const [id, variables] of loops) {
    loops.set(
      id,
      variables.map(([name, type]) => [name, unify.resolve(type, true)]),
    );
  }
  return { parsed, types, calls, names, loops };
}

/**
 * Sorts issues by position. The expansion of a macro may have several at one position, of which only the first is kept.
 */
function onePerPlace(issues: readonly CelIssue[]): CelIssue[] {
  const places = new Map<number, CelIssue>();
  for (const issue of issues) if (!places.has(issue.offset)) places.set(issue.offset, issue);
  return [...places.values()].sort((a, b) => a.offset - b.offset);
}

/**
 * Reports constants that cel-go rejects when it plans an expression, whether or not they are reached: patterns of the
 * Kubernetes regex functions that do not compile, and invalid indexes.
 */
function constantIssues(root: Expr, calls: ReadonlyMap<number, ResolvedCall>): CelIssue[] {
  const issues: CelIssue[] = [];
  const visit = (expr: Expr): void => {
    if (expr.kind === 'call') {
      const issue = indexIssue(expr.name, expr.args[1]) ?? patternIssue(calls.get(expr.id), expr.args[0]);
      if (issue !== undefined) issues.push(issue);
    }
    for (const child of children(expr)) visit(child);
  };
  visit(root);
  return issues;
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
  const compiled = literal.type === 'string' ? attempt(() => compileRegex(literal.value)) : undefined;
  return compiled === undefined || compiled.ok ? undefined : { message: compiled.message, offset: pattern.offset };
}
