import { chainOf } from '../analysis/flow.ts';
import type { Expr } from '../ast.ts';
import type { Budget } from '../budget.ts';
import type { CelType } from '../types.ts';
import { type CelValue, EvaluationError } from '../value/values.ts';

/** One evaluation. */
export interface Frame {
  /** Variables by slot. */
  readonly variables: readonly (CelValue | undefined)[];
  /** Variables of comprehensions and binds; each has a unique index in the whole program. */
  readonly locals: (CelValue | undefined)[];
  readonly budget: Budget;
}

/** A compiled expression. */
export type Run = (frame: Frame) => CelValue;

/** A compiled node; a constant one has the same value in every frame. */
export interface Planned {
  readonly run: Run;
  readonly constant: boolean;
  /** Of a node that returns stored data of an object. */
  readonly stored?: Stored;
}

export interface Stored {
  readonly type: CelType;
  /** The data is inside an optional. */
  readonly optional: boolean;
}

/** Adds the innermost position to an error. */
export function located(error: unknown, nodeId: number): unknown {
  if (error instanceof EvaluationError && error.nodeId === undefined) error.nodeId = nodeId;
  return error;
}

/** Adds the position to an error of a read; `locals` are the variables of the surrounding comprehensions. */
export function unread(error: unknown, expr: Expr, locals: { has(name: string): boolean }): unknown {
  if (error instanceof EvaluationError && error.nodeId === undefined && error.kind === 'missing') {
    const { start, path } = chainOf(expr);
    const isVariable = start.kind === 'ident' && !locals.has(start.name);
    error.read = { variable: isVariable ? start.name.replace(/^\./, '') : undefined, path };
  }
  return located(error, expr.id);
}

/** Does something with a value; its errors get a position. */
export const applied =
  (run: Run, action: (value: CelValue) => CelValue, position: (error: unknown) => unknown): Run =>
  (frame) => {
    const value = run(frame);
    try {
      return action(value);
    } catch (error) {
      throw position(error);
    }
  };
