import type { Environment } from '../environment.ts';
import type { CelIssue } from '../issue.ts';
import type { ParsedExpression } from '../parse/index.ts';
import { type CelType, DYN } from '../types.ts';
import type { CheckedExpression } from './checked.ts';
import { type Checker, checkExpr, type Variables } from './checker.ts';
import { constantIssues } from './constant-arguments.ts';
import { formatIssues } from './format-calls.ts';
import { substitutions } from './unify.ts';

export type { CheckedExpression, ResolvedCall } from './checked.ts';

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
