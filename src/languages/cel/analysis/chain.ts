import type { Expr } from '../ast.ts';
import type { WrittenRead } from '../value/values.ts';

/** A name, and fields and literal indexes read from it. */
export interface Chain {
  root: string;
  path: readonly (string | number)[];
  /** Whether a step is optional: `.?`, `[?]`, or the whole chain is tested with `has()`. */
  optional: boolean;
  offset: number;
}

/** Returns the expression as a chain that starts at a name; `undefined` for others. */
export function chainOf(expr: Expr): Chain | undefined {
  const { start, steps } = splitChain(expr);
  if (start.kind !== 'ident') return undefined;
  const path = steps.map(({ key }) => key);
  return { root: start.name, path, optional: steps.some(({ optional }) => optional), offset: start.offset };
}

/** Returns the literal part of a read; variables in `locals` contain computed values. */
export function writtenRead(expr: Expr, locals: { has(name: string): boolean }): WrittenRead {
  const { start, steps } = splitChain(expr);
  const isVariable = start.kind === 'ident' && !locals.has(start.name);
  return { variable: isVariable ? start.name.replace(/^\./, '') : undefined, path: steps.map(({ key }) => key) };
}

interface Step {
  operand: Expr;
  key: string | number;
  optional: boolean;
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
  if (expr.kind === 'select') {
    const { operand, field: key } = expr;
    return { operand, key, optional: expr.optional || expr.test };
  }
  if (expr.kind !== 'call' || (expr.name !== '_[_]' && expr.name !== '_[?_]')) return undefined;
  const [operand, index] = expr.args;
  if (operand === undefined || index?.kind !== 'literal') return undefined;
  const { type, value } = index.literal;
  const optional = expr.name === '_[?_]';
  if (type === 'string') return { operand, key: value, optional };
  return type === 'int' ? { operand, key: Number(value), optional } : undefined;
}
