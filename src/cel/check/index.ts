import type { Environment } from '../environment.ts';
import type { CelIssue } from '../issue.ts';
import type { ParsedExpression } from '../parse/index.ts';
import { DYN } from '../types.ts';
import type { CheckedExpression } from './checked.ts';
import { type Checker, checkExpr, type Variables } from './checker.ts';
import { constantIssues } from './constant-arguments.ts';
import { formatIssues } from './format-calls.ts';
import { substitutions } from './unify.ts';

export type { CheckedExpression, ResolvedCall } from './checked.ts';

export type CheckResult = { ok: true; checked: CheckedExpression } | { ok: false; issues: CelIssue[] };

/** Finds the types of an expression; all that is wrong with it is reported at once. */
export function check(env: Environment, parsed: ParsedExpression, variables: Variables): CheckResult {
  const checker: Checker = {
    env,
    variables,
    unify: substitutions(),
    types: new Map(),
    calls: new Map(),
    names: new Map(),
    issues: [],
    scope: undefined,
    hadScope: false,
  };
  checkExpr(checker, parsed.root);
  const { types, issues, unify } = checker;
  for (const [id, type] of types) types.set(id, unify.resolve(type, true));
  if (issues.length === 0)
    issues.push(...formatIssues(parsed.root, types), ...constantIssues(parsed.root, checker.calls));
  if (issues.length > 0) return { ok: false, issues: onePerPlace(issues) };
  const { calls, names } = checker;
  return { ok: true, checked: { parsed, type: types.get(parsed.root.id) ?? DYN, types, calls, names } };
}

/** In source order. What a macro expands to may be wrong in several ways at one place; the first one tells it. */
function onePerPlace(issues: readonly CelIssue[]): CelIssue[] {
  const places = new Map<number, CelIssue>();
  for (const issue of issues) if (!places.has(issue.offset)) places.set(issue.offset, issue);
  return [...places.values()].sort((a, b) => a.offset - b.offset);
}
