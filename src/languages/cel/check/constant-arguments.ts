import { children, type Expr } from '../ast.ts';
import type { CelIssue } from '../issue.ts';
import { compileRegex } from '../regex.ts';
import { attempt } from '../value/attempt.ts';
import type { ResolvedCall } from './checked.ts';

/**
 * Reports constants that cel-go rejects when it plans an expression, whether or not they are reached: patterns of the
 * Kubernetes regex functions that do not compile, and invalid indexes.
 */
export function constantIssues(root: Expr, calls: ReadonlyMap<number, ResolvedCall>): CelIssue[] {
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
