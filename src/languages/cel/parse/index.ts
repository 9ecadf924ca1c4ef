import type { Expr } from '../ast.ts';
import type { CelIssue } from '../issue.ts';
import { syntaxHint } from './hints.ts';
import { defaultLimits, type ParseLimits, parseTree } from './parser.ts';
import { CelSyntaxError } from './syntax-error.ts';

export type { ParseLimits } from './parser.ts';

/** An expression whose syntax is right. */
export interface ParsedExpression {
  readonly source: string;
  readonly root: Expr;
}

export type ParseResult = { ok: true; expression: ParsedExpression } | { ok: false; issue: CelIssue };

/** Reads an expression; the first fault ends it, since what follows a syntax error is guesswork. */
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
 * Reads what somebody is writing: what is missing is a hole, a name or a field that is ''. `undefined` for what is too
 * deep or too long to be read.
 */
export function parseRecovering(source: string, limits: Partial<ParseLimits> = {}): ParsedExpression | undefined {
  try {
    return { source, root: parseTree(source, { ...defaultLimits, ...limits }, true) };
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return undefined;
  }
}
