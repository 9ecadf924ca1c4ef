import { children, type Expr } from '../ast.ts';

/**
 * Reports whether an expression only has names and calls. The text of a Secret may look like an expression by chance,
 * and an expression in a Secret may contain a value.
 */
export const spellsOutNothing = (expression: Expr): boolean =>
  expression.kind === 'literal'
    ? expression.literal.type === 'bool' || expression.literal.type === 'null'
    : children(expression).every(spellsOutNothing);

/** Returns the literals of an expression, except empty strings, booleans and null. */
export function literalTexts(expression: Expr): string[] {
  if (expression.kind !== 'literal') return children(expression).flatMap(literalTexts);
  const { type, value } = expression.literal;
  if (type === 'bool' || type === 'null') return [];
  const text = type === 'bytes' ? new TextDecoder().decode(value) : String(value);
  return text === '' ? [] : [text];
}
