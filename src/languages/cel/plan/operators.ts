/** Operators with a fast path: indexing, equality, comparison and membership. */
import { findOptional, index } from '../access.ts';
import type { Call, Expr } from '../ast.ts';
import { spendSteps } from '../budget.ts';
import { comparisons, isIn } from '../std/relations.ts';
import { equalValues, type Spend } from '../value/equal.ts';
import { isMapValue } from '../value/kind.ts';
import { type CelValue, Optional } from '../value/values.ts';
import type { Arguments } from './calls.ts';
import { noSuchOverload } from './logic.ts';
import { type Planner, planExpr, planStored } from './planner.ts';
import { type Frame, located, type Planned, type Run, unread } from './step.ts';
import { partType, shaped } from './stored.ts';

/** `a[b]` and `a[?b]`. */
export function planIndex(p: Planner, expr: Call): Planned {
  const [operand, index] = expr.args as [Expr, Expr];
  const from = planStored(p, operand);
  const at = planExpr(p, index);
  const optional = expr.name === '_[?_]';
  const container = from.stored === undefined ? from.run : shaped(from.run, from.stored.type);
  const run = indexing(container, at.run, expr, p.locals);
  if (from.stored === undefined) return { run, constant: from.constant && at.constant };
  const stored = { type: partType(from.stored.type, undefined), optional: optional || from.stored.optional };
  return { run, constant: false, stored };
}

function indexing(container: Run, key: Run, expr: Call, locals: Planner['locals']): Run {
  const optional = expr.name === '_[?_]';
  return (frame) => {
    const from = container(frame);
    // Nothing is read from an empty optional, so the index is ignored, even a failing one.
    if (from instanceof Optional && from.value === undefined) return from;
    const at = key(frame);
    try {
      return optional || from instanceof Optional ? findOptional(from, at) : index(from, at);
    } catch (error) {
      throw unread(error, expr, locals);
    }
  };
}

export function planEquality(expr: Call, { planned }: Arguments): Run | undefined {
  const [left, right] = planned;
  if (left === undefined || right === undefined) return undefined;
  const wanted = expr.name === '_==_';
  const { id } = expr;
  return (frame) => {
    const a = left.run(frame);
    const b = right.run(frame);
    try {
      spendSteps(frame.budget, 1);
      return equalValues(a, b, spending(frame)) === wanted;
    } catch (error) {
      throw located(error, id);
    }
  };
}

/** Comparing nested parts may take long although the values are small, because parts may be shared. */
const spending =
  ({ budget }: Frame): Spend =>
  (steps) =>
    spendSteps(budget, steps);

/** Numbers of two types are compared by value at run time, whatever the checker allows. */
export function planComparison(expr: Call, { planned }: Arguments): Run | undefined {
  const compare = comparisons.get(expr.name);
  const [left, right] = planned;
  if (compare === undefined || left === undefined || right === undefined) return undefined;
  const { id } = expr;
  return (frame) => {
    const a = left.run(frame);
    const b = right.run(frame);
    try {
      spendSteps(frame.budget, 1 + orderSteps(a, b));
      return compare(a, b);
    } catch (error) {
      throw located(error, id);
    }
  };
}

/** Strings are compared character by character. */
function orderSteps(a: CelValue, b: CelValue): number {
  const texts = typeof a === 'string' && typeof b === 'string';
  const bytes = a instanceof Uint8Array && b instanceof Uint8Array;
  return texts || bytes ? Math.min(a.length, b.length) >> 4 : 0;
}

export function planIn(expr: Call, { planned }: Arguments): Run | undefined {
  const [value, container] = planned;
  if (value === undefined || container === undefined) return undefined;
  return (frame) => {
    const wanted = value.run(frame);
    const from = container.run(frame);
    if (!Array.isArray(from) && !isMapValue(from)) throw noSuchOverload(expr.id);
    try {
      spendSteps(frame.budget, 1);
      return isIn(wanted, from, spending(frame));
    } catch (error) {
      throw located(error, expr.id);
    }
  };
}
