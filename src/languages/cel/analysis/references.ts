import { type Comprehension, children, type Expr, qualifiedName } from '../ast.ts';
import type { ParsedExpression } from '../parse/index.ts';

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

/** Reports whether a name is a function; decides if `a.b(x)` calls `a.b` or the member `b` of the value `a`. */
export type IsFunction = (name: string) => boolean;

/** Matches names that can be written, unlike `_+_` and `cel.@mapInsert`. */
const WRITTEN = /^\.?[A-Za-z][\w.]*$/;

/**
 * Returns the names that an expression uses and calls. Variables of comprehensions and binds hide outer names in their scope
 * only.
 */
export function collectReferences(expression: ParsedExpression, isFunction: IsFunction): References {
  const identifiers = new Map<string, number>();
  const functions = new Map<string, number>();
  const dotted: NamedAt[] = [];
  const first = (names: Map<string, number>, name: string, offset: number): void => {
    names.set(name, Math.min(names.get(name) ?? offset, offset));
  };

  const visit = (expr: Expr, bound: ReadonlySet<string>): void => {
    if (expr.kind === 'ident') {
      const { name, offset } = expr;
      // With a leading dot the name is not a variable of a comprehension.
      if (bound.has(name)) return;
      if (name.startsWith('.')) dotted.push({ name, offset });
      first(identifiers, name.replace(/^\./, ''), offset);
      return;
    }
    if (expr.kind === 'comprehension') {
      visitComprehension(expr, bound);
      return;
    }
    if (expr.kind === 'call') {
      const name = calledName(expr, isFunction);
      if (WRITTEN.test(name)) first(functions, name, expr.offset);
      if (expr.name.startsWith('.')) dotted.push({ name: expr.name, offset: expr.offset });
      if (expr.target !== undefined && !name.startsWith('.')) {
        for (const arg of expr.args) visit(arg, bound);
        return;
      }
    }
    for (const child of children(expr)) visit(child, bound);
  };

  const visitComprehension = (loop: Comprehension, bound: ReadonlySet<string>): void => {
    visit(loop.range, bound);
    visit(loop.init, bound);
    const outer = new Set(bound).add(loop.accumulator);
    const inner = new Set(outer).add(loop.variable);
    if (loop.variable2 !== undefined) inner.add(loop.variable2);
    visit(loop.condition, inner);
    visit(loop.step, inner);
    visit(loop.result, outer);
  };

  visit(expression.root, new Set());
  const inOrder = (names: Map<string, number>): NamedAt[] =>
    [...names].map(([name, offset]) => ({ name, offset })).sort((a, b) => a.offset - b.offset);
  return { identifiers: inOrder(identifiers), functions: inOrder(functions), dotted };
}

/** Returns the name that a call resolves to: namespaced functions come before members, as in cel-go. */
function calledName(call: Extract<Expr, { kind: 'call' }>, isFunction: IsFunction): string {
  if (call.target === undefined) return call.name;
  const prefix = qualifiedName(call.target);
  const joined = `${prefix}.${call.name}`;
  return prefix !== undefined && isFunction(joined) ? joined : `.${call.name}`;
}
