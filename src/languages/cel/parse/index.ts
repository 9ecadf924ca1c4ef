import type { Expr } from '../ast.ts';
import type { CelIssue } from '../issue.ts';
import { syntaxHint } from './hints.ts';
import { defaultLimits, type ParseLimits, parseTree } from './parser.ts';
import { CelSyntaxError } from './syntax-error.ts';

export type { ParseLimits } from './parser.ts';

/** A parsed expression. */
export interface ParsedExpression {
  readonly source: string;
  readonly root: Expr;
}

export type ParseResult = { ok: true; expression: ParsedExpression } | { ok: false; issue: CelIssue };

/** Parses an expression; stops at the first error, because later ones would depend on it. */
export function parse(source: string, limits: Partial<ParseLimits> = {}): ParseResult {
  try {
    return { ok: true, expression: { source, root: parseTree(source, { ...defaultLimits, ...limits }) } };
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    const hint = syntaxHint(source, error.offset);
    return {
      ok: false,
      issue: { message: error.message, offset: error.offset, ...(hint === undefined ? {} : { hint }) },
    };
  }
}

/**
 * Parses an incomplete expression: missing parts are holes, names or fields that are ''. Returns `undefined` for one
 * that is too deep or too long.
 */
export function parseRecovering(source: string, limits: Partial<ParseLimits> = {}): ParsedExpression | undefined {
  try {
    return { source, root: parseTree(source, { ...defaultLimits, ...limits }, { recovers: true }) };
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return undefined;
  }
}
