import type { Call, Expr, Select } from '../ast.ts';
import { spendSteps } from '../budget.ts';
import { comparisons, isIn } from '../std/standard.ts';
import { find, findOptional, fromStored, index, noSuchKey } from '../stored.ts';
import { type CelType, partType, rawFieldName } from '../types.ts';
import { equalValues, type Spend } from '../value/equal.ts';
import { type CelValue, EvaluationError, failure, isMapValue, isRecord, Optional, readable } from '../value/values.ts';
import { planPartialIndex } from './partial.ts';
import { type Planner, planExpr, planStored } from './planner.ts';
import { applied, type Frame, isDeclared, located, type Planned, type Run, shaped, unread } from './step.ts';

/** Operators that leave operands unevaluated, `&& || ?:`, `or` and `orValue`, and those with a fast path. */

export const noSuchOverload = (id: number): unknown => located(failure('no such overload'), id);

/** Reports whether an operand of `&&` or `||` may be ignored if another one decides; budget errors never are. */
const isAbsorbed = (error: unknown): error is EvaluationError =>
  error instanceof EvaluationError && error.kind !== 'budget';

/** Creating an error takes as long as a hundred calls. */
const FAILURE_STEPS = 100;

/** The deciding operand wins, whatever fails before or after it; else the first failure counts. */
export function planJunction(terms: readonly Run[], decisive: boolean, id: number): Run {
  return (frame) => {
    let failed: unknown;
    for (const term of terms) {
      const value = attempt(term, frame);
      if (value === decisive) return decisive;
      if (value !== !decisive) failed ??= failureOf(value, id);
    }
    if (failed !== undefined) throw failed;
    return !decisive;
  };
}

export const failureOf = (value: CelValue | EvaluationError, id: number): unknown =>
  value instanceof EvaluationError ? value : noSuchOverload(id);

export function attempt(run: Run, frame: Frame): CelValue | EvaluationError {
  try {
    return run(frame);
  } catch (error) {
    if (!isAbsorbed(error)) throw error;
    spendSteps(frame.budget, FAILURE_STEPS);
    return error;
  }
}

export function planConditional(condition: Run, yes: Run, no: Run, id: number): Run {
  return (frame) => {
    const chosen = condition(frame);
    if (typeof chosen !== 'boolean') throw noSuchOverload(id);
    return chosen ? yes(frame) : no(frame);
  };
}

export function planOrElse(name: 'or' | 'orValue', optional: Run, other: Run, id: number): Run {
  return (frame) => {
    const value = optional(frame);
    if (!(value instanceof Optional)) throw noSuchOverload(id);
    if (value.value === undefined) return other(frame);
    return name === 'or' ? value : value.value;
  };
}

/** `a[b]` and `a[?b]`. */
export function planIndex(p: Planner, expr: Call): Planned {
  const [operand, index] = expr.args as [Expr, Expr];
  const from = planStored(p, operand);
  const at = planExpr(p, index);
  const optional = expr.name === '_[?_]';
  const container = from.stored === undefined ? from.run : shaped(from.run, from.stored.type);
  const read = (from: Run, key: Run): Run => indexing(from, key, expr, p.locals);
  const run = p.partial ? planPartialIndex(container, at.run, read) : read(container, at.run);
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

type Action = (a: CelValue, b: CelValue, frame: Frame) => CelValue;

/** Comparing nested parts may take long although the values are small, because parts may be shared. */
const spending =
  ({ budget }: Frame): Spend =>
  (steps) =>
    spendSteps(budget, steps);

const equality =
  (wanted: boolean): Action =>
  (a, b, frame) => {
    spendSteps(frame.budget, 1);
    return equalValues(a, b, spending(frame)) === wanted;
  };

/** Numbers of two types are compared by value at run time, whatever the checker allows. */
const ordering =
  (compare: (a: CelValue, b: CelValue) => boolean): Action =>
  (a, b, { budget }) => {
    spendSteps(budget, 1 + orderSteps(a, b));
    return compare(a, b);
  };

/** Strings are compared character by character. */
function orderSteps(a: CelValue, b: CelValue): number {
  const texts = typeof a === 'string' && typeof b === 'string';
  const bytes = a instanceof Uint8Array && b instanceof Uint8Array;
  return texts || bytes ? Math.min(a.length, b.length) >> 4 : 0;
}

const PAIRS: ReadonlyMap<string, Action> = new Map([
  ['_==_', equality(true)],
  ['_!=_', equality(false)],
  ...[...comparisons].map(([name, compare]) => [name, ordering(compare)] as const),
  [
    '@in',
    (wanted, from, frame) => {
      if (!Array.isArray(from) && !isMapValue(from)) throw failure('no such overload');
      spendSteps(frame.budget, 1);
      return isIn(wanted, from, spending(frame));
    },
  ],
]);

/** Plans an operator that decides by the values, whichever overload the checker found. */
export function planPair({ name, id }: Call, left: Run, right: Run): Run | undefined {
  const action = PAIRS.get(name);
  if (action === undefined) return undefined;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    try {
      return action(a, b, frame);
    } catch (error) {
      throw located(error, id);
    }
  };
}

/** Returns the field of a container, `undefined` if there is none. */
type SelectField = (container: CelValue) => CelValue | undefined;

export function planSelect(p: Planner, expr: Select): Planned {
  const { run, stored } = planStored(p, expr.operand);
  const { field } = expr;
  const read = stored === undefined ? (container: CelValue) => find(container, field) : storedField(field, stored.type);
  const type = stored && partType(stored.type, field);
  const select = applied(run, expr.test ? tester(read, type) : reader(read, expr), (error) =>
    unread(error, expr, p.locals),
  );
  if (type === undefined || expr.test) return { run: select, constant: false };
  return { run: select, constant: false, stored: { type, optional: stored?.optional === true || expr.optional } };
}

/** In an object of declared fields names are escaped, and null means that the field is not set. */
function storedField(field: string, type: CelType): SelectField {
  const declared = isDeclared(type);
  const key = declared ? rawFieldName(field) : field;
  return (container) => {
    if (!isRecord(container)) return find(fromStored(container, type), key);
    if (!Object.hasOwn(container, key)) return undefined;
    const value = container[key] as CelValue;
    return value === null && declared ? undefined : value;
  };
}

/** `a.b` and `a.?b`; selecting from an optional returns an optional. */
function reader(read: SelectField, { field, optional }: Select): (container: CelValue) => CelValue {
  return (container) => {
    if (container instanceof Optional && container.value === undefined) return container;
    const found = read(container instanceof Optional ? (container.value as CelValue) : container);
    if (optional || container instanceof Optional) return found === undefined ? Optional.none : Optional.of(found);
    if (found === undefined) throw noSuchKey(rawFieldName(field), container);
    return found;
  };
}

/** `has(a.b)`, which reads the value of the field and fails if that fails. */
function tester(read: SelectField, type: CelType | undefined): (container: CelValue) => boolean {
  return (container) => {
    const inside = container instanceof Optional ? container.value : container;
    const found = inside === undefined ? undefined : read(inside);
    return found !== undefined && (type === undefined ? readable(found) : fromStored(found, type)) !== undefined;
  };
}
