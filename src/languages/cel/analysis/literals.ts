import { children, type Expr } from '../ast.ts';

/**
 * Whether an expression is nothing but names and calls. The text of a Secret may look like an expression by chance, and
 * an expression in a Secret may spell out what it keeps.
 */
export const spellsOutNothing = (expression: Expr): boolean =>
  expression.kind === 'literal'
    ? expression.literal.type === 'bool' || expression.literal.type === 'null'
    : children(expression).every(spellsOutNothing);

/** What the literals of an expression spell out, but for empty texts, booleans and null. */
export function literalTexts(expression: Expr): string[] {
  if (expression.kind !== 'literal') return children(expression).flatMap(literalTexts);
  const { type, value } = expression.literal;
  if (type === 'bool' || type === 'null') return [];
  const text = type === 'bytes' ? new TextDecoder().decode(value) : String(value);
  return text === '' ? [] : [text];
}
