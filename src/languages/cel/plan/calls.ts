import { getOrCompute } from '../../../core/model/lazily.ts';
import type { Call, Expr } from '../ast.ts';
import { spendSize, spendSteps, spendText } from '../budget.ts';
import type { Overload } from '../library.ts';
import { compileWork } from '../regex.ts';
import { type CelType, DYN, listOf } from '../types.ts';
import { weightOf } from '../value/equal.ts';
import {
  CelMap,
  CelObject,
  type CelValue,
  Duration,
  fixedFailure,
  isMapValue,
  isRecord,
  kindOf,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from '../value/values.ts';
import { planConditional, planIndex, planJunction, planOrElse, planPair } from './operators.ts';
import { asResult, planPartialOperator, planReadingItems, planStrictly, readingResult } from './partial.ts';
import { type Planner, planExpr, type Trace } from './planner.ts';
import { type Frame, located, type Planned, type Run } from './step.ts';

type Guard = (value: CelValue) => boolean;

const anything: Guard = () => true;

/** Checks an argument at run time, because dyn values are not type-checked. Of a list only the first element is. */
function guardOf(type: CelType): Guard {
  if (type.kind === 'list') return listGuard(guardOf(type.element));
  if (type.kind === 'opaque') return (value) => value instanceof CelObject && value.type.name === type.name;
  return GUARDS[type.kind];
}

const GUARDS: Readonly<Record<Exclude<CelType['kind'], 'list' | 'opaque'>, Guard>> = {
  dyn: anything,
  param: anything,
  null: (value) => value === null,
  bool: (value) => typeof value === 'boolean',
  int: (value) => typeof value === 'bigint',
  uint: (value) => value instanceof Uint,
  double: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
  duration: (value) => value instanceof Duration,
  timestamp: (value) => value instanceof Timestamp,
  map: isMapValue,
  object: isMapValue,
  optional: (value) => value instanceof Optional,
  type: (value) => value instanceof TypeValue,
};

function listGuard(element: Guard): Guard {
  if (element === anything) return Array.isArray;
  return (value) => Array.isArray(value) && (value.length === 0 || element(value[0]));
}

const guards = new WeakMap<Overload, readonly Guard[]>();

const guardsOf = (overload: Overload): readonly Guard[] =>
  getOrCompute(guards, overload, () =>
    overload.params.map((type) => guardOf(overload.anyElements && type.kind === 'list' ? listOf(DYN) : type)),
  );

/** Evaluated arguments, receiver first. */
interface Arguments {
  readonly exprs: readonly Expr[];
  readonly planned: readonly Planned[];
}

export function planCall(p: Planner, expr: Call): Planned {
  const resolved = p.checked.calls.get(expr.id);
  if (expr.name === '_[_]' || expr.name === '_[?_]') return planIndex(p, expr);
  const exprs = expr.target === undefined || resolved?.namespaced ? expr.args : [expr.target, ...expr.args];
  const planned = exprs.map((arg) => planExpr(p, arg));
  const args: Arguments = { exprs, planned: p.trace === undefined ? planned : tracedArms(expr, planned, p.trace) };
  const overloads = resolved?.overloads ?? [];
  if (p.partial)
    return { run: planPartialCall(p, expr, args, overloads), constant: planned.every((arg) => arg.constant) };
  const run = planOperator(expr, args) ?? planFunction(p, resolved?.name ?? expr.name, expr.id, overloads, args);
  return { run, constant: args.planned.every((arg) => arg.constant) };
}

function planPartialCall(p: Planner, expr: Call, args: Arguments, overloads: readonly Overload[]): Run {
  const { exprs, planned } = args;
  const operator = planPartialOperator(
    expr,
    planned.map(({ run }) => run),
  );
  if (operator !== undefined) return operator;
  // The second operand is only evaluated if the first one is empty.
  const isLazy = expr.target !== undefined && (expr.name === 'or' || expr.name === 'orValue');
  if (isLazy) return asResult(readingResult(planOperator(expr, args) as Run));
  const name = p.checked.calls.get(expr.id)?.name ?? expr.name;
  return planStrictly(
    planned,
    () => p.counter.locals++,
    (values) => {
      const inner: Arguments = { exprs, planned: values };
      return planReadingItems(
        name,
        values,
        planOperator(expr, inner) ?? planFunction(p, name, expr.id, overloads, inner),
      );
    },
  );
}

/** Wraps arms to report when they are evaluated at run time, not when constants are folded. */
function tracedArms({ id, name }: Call, planned: readonly Planned[], trace: Trace): readonly Planned[] {
  if (!['_?_:_', '_&&_', '_||_'].includes(name)) return planned;
  return planned.map(({ run }, arm) => ({
    constant: false,
    run: (frame) => {
      trace(id, arm);
      return run(frame);
    },
  }));
}

/** Plans operators that do not evaluate all operands, or that have a fast path. */
function planOperator(expr: Call, args: Arguments): Run | undefined {
  const runs = args.planned.map(({ run }) => run);
  const [first, second, third] = runs;
  switch (expr.name) {
    case '_&&_':
      return planJunction(runs, false, expr.id);
    case '_||_':
      return planJunction(runs, true, expr.id);
    case '_?_:_':
      return first && second && third && planConditional(first, second, third, expr.id);
    case 'or':
    case 'orValue':
      return expr.target && first && second && planOrElse(expr.name, first, second, expr.id);
    default:
      return first && second && planPair(expr, first, second);
  }
}

/** Functions that cel-go implements once for all overloads: the values decide, whatever the checker found. */
const BY_VALUE = new Set([
  '_+_',
  '_-_',
  '_*_',
  '_/_',
  '_%_',
  '-_',
  '!_',
  'size',
  'type',
  'dyn',
  'matches',
  'sort',
  '@sortByAssociatedKeys',
  '@in',
]);

/** Calls the overload of the checker; for several, or if values decide, the one that accepts them. */
function planFunction(p: Planner, name: string, id: number, overloads: readonly Overload[], args: Arguments): Run {
  const runs = args.planned.map(({ run }) => run);
  const [only] = overloads.length === 1 ? overloads : [];
  const byName = only === undefined || BY_VALUE.has(name) ? p.env.functions(name) : [];
  const others = byName.filter(({ params }) => params.length === runs.length);
  const candidates = only === undefined ? others : [only, ...others];
  const guards = candidates.map(guardsOf);
  const invoked = (frame: Frame, values: readonly CelValue[]): CelValue => {
    const found = guards.findIndex((all) => all.every((guard, index) => guard(values[index] as CelValue)));
    return invoke(frame, name, id, candidates[found], values);
  };
  const [left, right] = runs;
  if (only === undefined || left === undefined || runs.length > 2) {
    return (frame) =>
      invoked(
        frame,
        runs.map((run) => run(frame)),
      );
  }
  const [fitsLeft = anything, fitsRight = anything] = guardsOf(only);
  const metered = isMetered(only);
  const call = only.call as (a: CelValue, b?: CelValue) => CelValue;
  return (frame) => {
    const a = left(frame);
    const b = right?.(frame);
    const fits = fitsLeft(a) && (b === undefined || fitsRight(b));
    if (!fits) return invoked(frame, b === undefined ? [a] : [a, b]);
    if (metered) return invoke(frame, name, id, only, b === undefined ? [a] : [a, b]);
    try {
      spendSteps(frame.budget, 1 + weight(a) + (b === undefined ? 0 : weight(b)));
      return call(a, b);
    } catch (error) {
      throw located(error, id);
    }
  };
}

function invoke(
  frame: Frame,
  name: string,
  id: number,
  overload: Overload | undefined,
  values: readonly CelValue[],
): CelValue {
  if (overload === undefined) {
    throw located(fixedFailure(`no such overload: ${name}(${values.map(kindOf).join(', ')})`), id);
  }
  try {
    let steps = 1;
    for (const value of values) steps += weight(value);
    // allowed: as many as the call has arguments
    steps += overload.work?.(...(values as never[])) ?? 0;
    // allowed: as many as the call has arguments
    const pattern = overload.pattern?.(...(values as never[]));
    if (pattern !== undefined) steps += compileWork(pattern, frame.budget.patterns);
    spendSteps(frame.budget, steps);
    if (overload.size !== undefined) {
      const spendResult = TEXTS.has(overload.result.kind) ? spendText : spendSize;
      // allowed: as many as the call has arguments
      spendResult(frame.budget, overload.size(...(values as never[])));
    }
    // allowed: as many as the call has arguments
    if (pattern === undefined) return overload.call(...(values as never[]));
    // allowed: as many as the call has arguments
    return overload.call(...([(steps: number) => spendSteps(frame.budget, steps), ...values] as never[]));
  } catch (error) {
    throw located(error, id);
  }
}

const TEXTS = new Set<CelType['kind']>(['string', 'bytes']);

/** Reports whether a call may cost or create more than its arguments show. */
const isMetered = ({ size, work, pattern }: Overload): boolean =>
  size !== undefined || work !== undefined || pattern !== undefined;

/** Returns the cost of an argument in steps: functions usually read all of it. */
function weight(value: CelValue): number {
  if (typeof value === 'string') return value.length >> 6;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length >> 4;
  if (value instanceof CelObject) return weightOf(value);
  if (value instanceof CelMap) return value.entries.size;
  return isRecord(value) ? Object.keys(value).length * 2 : 0;
}
