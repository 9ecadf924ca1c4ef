import { children, type Expr } from '../ast.ts';
import type { Environment } from '../environment.ts';
import type { CelIssue } from '../issue.ts';
import { checkFormat, type FormatArgument } from '../library/ext/format-check.ts';
import { type ClauseRules, VERSION_2_TYPES } from '../library/ext/format-clause.ts';
import { type CelType, DYN } from '../types.ts';

/** Checks `"...".format([...])` of two literals, as the validator of cel-go's strings library does. */
export function formatIssues(
  root: Expr,
  types: ReadonlyMap<number, CelType>,
  { formatsAsVersion2 }: Environment,
): CelIssue[] {
  const rules = formatsAsVersion2 ? VERSION_2_TYPES : undefined;
  const issues: CelIssue[] = [];
  const visit = (expr: Expr): void => {
    const issue = formatIssue(expr, types, rules);
    if (issue !== undefined) issues.push(issue);
    for (const child of children(expr)) visit(child);
  };
  visit(root);
  return issues;
}

function formatIssue(
  expr: Expr,
  types: ReadonlyMap<number, CelType>,
  rules: ClauseRules | undefined,
): CelIssue | undefined {
  if (expr.kind !== 'call' || expr.name !== 'format') return undefined;
  const [list] = expr.args;
  const { target } = expr;
  if (target?.kind !== 'literal' || target.literal.type !== 'string' || list?.kind !== 'list') return undefined;
  const offsets = new Map<FormatArgument, number>();
  const argumentOf = (value: Expr): FormatArgument => {
    const type = types.get(value.id) ?? DYN;
    const parts = value.kind === 'list' || value.kind === 'map' ? children(value).map(argumentOf) : undefined;
    const argument = parts === undefined ? { type } : { type, parts };
    offsets.set(argument, value.offset);
    return argument;
  };
  const fault = checkFormat(
    target.literal.value,
    list.elements.map(({ value }) => argumentOf(value)),
    rules,
  );
  if (fault === undefined) return undefined;
  const at = fault.argument === undefined ? undefined : offsets.get(fault.argument);
  return { message: fault.message, offset: at ?? expr.offset };
}
