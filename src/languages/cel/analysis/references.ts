import { children, type Expr, qualifiedName, subExpressions } from '../ast.ts';
import { kroEnvironment } from '../environment.ts';
import type { ParsedExpression } from '../parse/parser.ts';

interface NamedAt {
  name: string;
  offset: number;
}

export interface References {
  /** Free identifiers, each once, in order of first appearance. */
  identifiers: readonly NamedAt[];
  /** Called functions, each once: `size`, `lists.range`, `.split`, without operators. */
  functions: readonly NamedAt[];
  /** Names and functions with a leading dot, which CEL has for names that a macro's variable hides. */
  dotted: readonly NamedAt[];
}

/** Matches names that can be written, unlike `_+_` and `cel.@mapInsert`. */
const WRITTEN = /^\.?[A-Za-z][\w.]*$/;

/** Returns the names that an expression uses and calls. Macros hide names in their own scope only. */
export function references({ root }: ParsedExpression): References {
  const identifiers = new Map<string, number>();
  const functions = new Map<string, number>();
  const dotted: NamedAt[] = [];
  const first = (names: Map<string, number>, name: string, offset: number): void => {
    names.set(name, Math.min(names.get(name) ?? offset, offset));
  };

  const visit = (expr: Expr, bound: ReadonlySet<string>): void => {
    const { offset } = expr;
    let parts = children(expr);
    let inner = bound;
    if (expr.kind === 'ident') {
      // With a leading dot the name is not a variable of a comprehension.
      if (bound.has(expr.name)) return;
      if (expr.name.startsWith('.')) dotted.push({ name: expr.name, offset });
      first(identifiers, expr.name.replace(/^\./, ''), offset);
    } else if (expr.kind === 'comprehension' || expr.kind === 'bind') {
      const names = expr.kind === 'bind' ? [expr.name] : [expr.variable, expr.variable2 ?? expr.variable];
      visit(parts[0] as Expr, bound);
      parts = parts.slice(1);
      inner = new Set([...bound, ...names]);
    } else if (expr.kind === 'call') {
      const name = calledName(expr);
      if (WRITTEN.test(name)) first(functions, name, offset);
      if (expr.name.startsWith('.')) dotted.push({ name: expr.name, offset });
      if (!name.startsWith('.')) parts = expr.args;
    }
    for (const part of parts) visit(part, inner);
  };

  visit(root, new Set());
  const inOrder = (names: Map<string, number>): NamedAt[] =>
    [...names].map(([name, offset]) => ({ name, offset })).sort((a, b) => a.offset - b.offset);
  return { identifiers: inOrder(identifiers), functions: inOrder(functions), dotted };
}

/** Returns the name that a call resolves to: namespaced functions come before members, as in cel-go. */
function calledName({ target, name }: Extract<Expr, { kind: 'call' }>): string {
  if (target === undefined) return name;
  const prefix = qualifiedName(target);
  const isFunction = prefix !== undefined && kroEnvironment().functions(`${prefix}.${name}`).length > 0;
  return isFunction ? `${prefix}.${name}` : `.${name}`;
}

/** Returns the position of a node in the source, for the `nodeId` of an `EvaluationError`. */
export const offsetOf = (expression: ParsedExpression, nodeId: number | undefined): number | undefined =>
  nodeOf(expression, nodeId)?.offset;

export const nodeOf = ({ root }: ParsedExpression, nodeId: number | undefined): Expr | undefined =>
  nodeId === undefined ? undefined : [...subExpressions(root)].find(({ id }) => id === nodeId);

/** Reports whether an expression only has names and calls: the text of a Secret may look like one by chance. */
export const hasNoLiterals = (expression: Expr): boolean =>
  expression.kind === 'literal'
    ? expression.literal.type === 'bool' || expression.literal.type === 'null'
    : children(expression).every(hasNoLiterals);
