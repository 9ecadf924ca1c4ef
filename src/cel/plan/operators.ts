/** Operators with a short way: indexing, equality, comparison, membership, and sums of lists that are sets or maps. */
import { findOptional, index, isRecord } from '../access.ts';
import type { Call } from '../ast.ts';
import { spendSize, spendSteps } from '../budget.ts';
import { equalValues, type Spend } from '../library/values/equal.ts';
import { writtenSize } from '../library/values/size.ts';
import { comparisons, isIn } from '../std/relations.ts';
import type { ListType } from '../types.ts';
import { CelMap, type CelValue, Optional } from '../values.ts';
import type { Arguments } from './calls.ts';
import { coercion } from './coerce.ts';
import { addLists, equalLists } from './list-types.ts';
import { noSuchOverload } from './logic.ts';
import { type Planner, planExpr, typeIn } from './planner.ts';
import { type Frame, located, type Planned, type Run } from './step.ts';

/** `a[b]` and `a[?b]`. The container is used as it is stored; what is read from it is converted. */
export function planIndex(p: Planner, expr: Call): Planned {
  const operands = expr.args.map((arg) => planExpr(p, arg));
  const [container, key] = operands.map(({ run }) => run) as [Run, Run];
  const convert = coercion(typeIn(p, expr));
  const optional = expr.name === '_[?_]';
  const { id } = expr;
  const run: Run = (frame) => {
    const from = container(frame);
    // Nothing is read from an empty optional, so the index does not matter, even one that fails.
    if (from instanceof Optional && from.value === undefined) return from;
    const at = key(frame);
    try {
      const found = optional || from instanceof Optional ? findOptional(from, at) : index(from, at);
      return convert === undefined ? found : convert(found);
    } catch (error) {
      throw located(error, id);
    }
  };
  return { run, constant: operands.every(({ constant }) => constant) };
}

type Equal = (a: CelValue, b: CelValue, frame: Frame) => boolean;

export function planEquality(p: Planner, expr: Call, { exprs, planned }: Arguments): Run | undefined {
  const [left, right] = planned;
  const [leftExpr] = exprs;
  if (left === undefined || right === undefined || leftExpr === undefined) return undefined;
  const listType = keyedList(p, expr);
  const same: Equal =
    listType === undefined
      ? (a, b, frame) => equalValues(a, b, spending(frame))
      : (a, b, frame) => {
          spendSteps(frame.budget, Math.min(writtenSize(a), writtenSize(b)));
          return equalLists(listType, a, b);
        };
  const wanted = expr.name === '_==_';
  const { id } = expr;
  return (frame) => {
    const a = left.run(frame);
    const b = right.run(frame);
    try {
      spendSteps(frame.budget, 1);
      return same(a, b, frame) === wanted;
    } catch (error) {
      throw located(error, id);
    }
  };
}

/** Comparing parts of parts may take long although the values are small, since parts may be shared. */
const spending =
  ({ budget }: Frame): Spend =>
  (steps) =>
    spendSteps(budget, steps);

/** The type of the first operand when it is a list that the schema makes a set or a map. */
function keyedList(p: Planner, expr: Call): ListType | undefined {
  const [left] = expr.args;
  const type = left === undefined ? undefined : typeIn(p, left);
  return type?.kind === 'list' && type.listType !== undefined ? type : undefined;
}

export function planListSum(p: Planner, expr: Call, { planned }: Arguments): Run | undefined {
  const [left, right] = planned;
  const listType = keyedList(p, expr);
  if (listType === undefined || left === undefined || right === undefined) return undefined;
  return (frame) => {
    const a = left.run(frame);
    const b = right.run(frame);
    if (!Array.isArray(a) || !Array.isArray(b)) throw noSuchOverload(expr.id);
    spendSteps(frame.budget, 1);
    spendSize(frame.budget, a.length + b.length);
    return addLists(listType, a, b);
  };
}

/** Numbers of two types are compared by value when they meet at run time, whatever the checker allows. */
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

/** Texts are compared character by character. */
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
    if (!Array.isArray(from) && !isRecord(from) && !(from instanceof CelMap)) throw noSuchOverload(expr.id);
    try {
      spendSteps(frame.budget, 1);
      return isIn(wanted, from, spending(frame));
    } catch (error) {
      throw located(error, expr.id);
    }
  };
}
