import { children, type Expr } from '../ast.ts';

/**
 * Whether an expression is nothing but names and calls. The text of a Secret may look like an expression by chance, and
 * an expression in a Secret may spell out what it keeps.
 */
export const spellsOutNothing = (expression: Expr): boolean =>
  expression.kind === 'literal'
    ? expression.literal.type === 'bool' || expression.literal.type === 'null'
    : children(expression).every(spellsOutNothing);
