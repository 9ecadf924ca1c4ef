import { chainOf } from '../analysis/flow.ts';
import type { Expr } from '../ast.ts';
import type { Budget } from '../budget.ts';
import { fromStored, isPlain } from '../stored.ts';
import type { CelType, ObjectType } from '../types.ts';
import { type CelValue, EvaluationError, isRecord, Optional } from '../value/values.ts';

export interface Frame {
  /** Variables by slot. */
  readonly variables: readonly (CelValue | undefined)[];
  /** Variables of comprehensions and binds; each has a unique index in the whole program. */
  readonly locals: (CelValue | undefined)[];
  readonly budget: Budget;
}

export type Run = (frame: Frame) => CelValue;

/** A compiled node; a constant one has the same value in every frame. */
export interface Planned {
  readonly run: Run;
  readonly constant: boolean;
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

/** Reads the data of objects: step by step in stored form, and converted to a value at the end of a chain. */

/** Returns the node with values instead of data. */
export function settled(planned: Planned, id: number): Planned {
  const { stored, run } = planned;
  if (stored === undefined) return planned;
  if (isPlain(stored.type)) return { run, constant: planned.constant };
  const { type, optional } = stored;
  const convert = optional ? inOptional(type) : (data: CelValue): CelValue => fromStored(data, type);
  return { run: applied(run, convert, (error) => located(error, id)), constant: planned.constant };
}

const inOptional =
  (type: CelType) =>
  (value: CelValue): CelValue =>
    value instanceof Optional && value.value !== undefined ? Optional.of(fromStored(value.value, type)) : value;

/** Checks that data that is read by index has the shape of its type. */
export const shaped =
  (run: Run, type: CelType): Run =>
  (frame) => {
    const data = run(frame);
    const inside = data instanceof Optional ? data.value : data;
    if (inside !== undefined && !isOfShape(inside, type)) fromStored(inside, type);
    return data;
  };

const isOfShape = (data: CelValue, { kind }: CelType): boolean =>
  kind === 'list' ? Array.isArray(data) : kind === 'dyn' || isRecord(data);

/** null in an object of declared fields means that the field is not set (kro: pkg/cel/unstructured). */
export const isDeclared = (type: CelType): type is ObjectType => type.kind === 'object' && type.bare !== true;
