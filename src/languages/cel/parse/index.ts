import { attempt } from '../../../core/model/attempt.ts';
import { oddCharacterHint } from '../../../core/text/odd-character.ts';
import type { CelIssue, Expr } from '../ast.ts';
import { pipeHint } from '../hints.ts';
import { CelSyntaxError } from './lexer.ts';
import type { ParseLimits } from './make.ts';
import { defaultLimits, parseTree } from './parser.ts';

/** Operators of other languages, with those of CEL. */
const OPERATORS: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  not: '!',
  is: '==',
  eq: '==',
  ne: '!=',
  mod: '%',
};

const TERNARY = 'write CONDITION ? VALUE : OTHER';
const LAMBDA = 'write LIST.map(ITEM, VALUE), or LIST.filter(ITEM, CONDITION)';

/** Returns a replacement for text that does not parse; `undefined` if none is obvious. */
function syntaxHint(source: string, offset: number): string | undefined {
  const odd = oddCharacterHint(source[offset] ?? '');
  if (odd !== undefined) return odd;
  const before = source.slice(Math.max(0, offset - 100), offset);
  const rest = source.slice(offset, offset + 100);
  const previous = /([A-Za-z_]\w*)\s*$/.exec(before)?.[1];
  const word = /^[A-Za-z_]\w*/.exec(rest)?.[0];
  for (const one of [word, previous]) {
    if (one === undefined) continue;
    const operator = operatorFor(one);
    if (operator !== undefined) return `write ${operator} in place of '${one}'`;
    if (['if', 'then', 'else', 'elif'].includes(one.toLowerCase())) return TERNARY;
    if (one.toLowerCase() === 'for') return LAMBDA;
  }
  if (rest.startsWith('=>') || (before.endsWith('-') && rest.startsWith('>'))) return LAMBDA;
  if (rest.startsWith('=') && !rest.startsWith('==')) {
    return /[=!]=$/.test(before) ? `write ${before.slice(-2)}: CEL has no ${before.slice(-2)}=` : 'write == to compare';
  }
  if (/^&(?!&)/.test(rest)) return 'write && for a logical and';
  const piped = pipeHint(before, rest);
  if (piped !== undefined) return piped;
  if (/^\s*\{/.test(source) && rest.startsWith('}')) return 'write one pair of braces: ${...}';
  if (/^\|(?!\|)/.test(rest)) return 'write || for a logical or';
  if (before.endsWith('<') && rest.startsWith('>')) return 'write != in place of <>';
  if (before.endsWith('?') && rest.startsWith('?')) return 'write OBJECT.?FIELD.orValue(OTHER) in place of ??';
  if (/\w\?\.[A-Za-z_]/.test(before)) return 'write OBJECT.?FIELD in place of OBJECT?.FIELD';
  if (/\?$/.test(before.trimEnd()) && /^[?:]/.test(rest)) return TERNARY;
  if (rest.trim() === '' && /\?(?!.*:)/.test(before)) return TERNARY;
  if (before.endsWith('[') && rest.startsWith('*]')) return 'write LIST.map(item, item.FIELD)';
  return rest.startsWith('`') ? 'write a text in double quotes' : undefined;
}

const operatorFor = (word: string): string | undefined =>
  Object.hasOwn(OPERATORS, word.toLowerCase()) ? OPERATORS[word.toLowerCase()] : undefined;

export type { ParseLimits } from './make.ts';

export interface ParsedExpression {
  readonly source: string;
  readonly root: Expr;
}

type ParseResult = { ok: true; expression: ParsedExpression } | { ok: false; issue: CelIssue };

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
  const root = attempt(() => parseTree(source, { ...defaultLimits, ...limits }, { recovers: true }), CelSyntaxError);
  return root && { source, root };
}
