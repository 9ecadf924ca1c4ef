import type { Expr } from '../ast.ts';
import type { WrittenRead } from '../value/values.ts';

/** Returns the literal part of a read; variables in `locals` contain computed values. */
export function writtenRead(expr: Expr, locals: { has(name: string): boolean }): WrittenRead {
  const { start, steps } = splitChain(expr);
  const isVariable = start.kind === 'ident' && !locals.has(start.name);
  return { variable: isVariable ? start.name.replace(/^\./, '') : undefined, path: steps.map(({ key }) => key) };
}

interface Step {
  operand: Expr;
  key: string | number;
}

/** Splits the expression: the start of the read, and the fields and literal indexes from there. */
function splitChain(expr: Expr): { start: Expr; steps: readonly Step[] } {
  const steps: Step[] = [];
  let start = expr;
  for (let step = stepOf(start); step !== undefined; step = stepOf(start)) {
    steps.push(step);
    start = step.operand;
  }
  return { start, steps: steps.reverse() };
}

function stepOf(expr: Expr): Step | undefined {
  if (expr.kind === 'select') return { operand: expr.operand, key: expr.field };
  if (expr.kind !== 'call' || (expr.name !== '_[_]' && expr.name !== '_[?_]')) return undefined;
  const [operand, index] = expr.args;
  const key = literalIndex(index);
  return operand === undefined || key === undefined ? undefined : { operand, key };
}

/** Returns the key or index of a literal; `undefined` for other expressions. */
export function literalIndex(expr: Expr | undefined): string | number | undefined {
  if (expr?.kind !== 'literal') return undefined;
  const { type, value } = expr.literal;
  if (type === 'string') return value;
  return type === 'int' ? Number(value) : undefined;
}
