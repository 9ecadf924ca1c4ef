import { isRecord } from '../access.ts';
import type { Call, Expr } from '../ast.ts';
import { spendSize, spendSteps, spendText } from '../budget.ts';
import { kindOf } from '../library/values/kind.ts';
import type { Overload } from '../library.ts';
import { compileWork } from '../regex.ts';
import { CelMap, CelObject, type CelValue, fixedFailure } from '../values.ts';
import { argumentCoercion } from './coerce.ts';
import { type Guard, guardsOf } from './guard.ts';
import { planAnd, planConditional, planNotStrictlyFalse, planOr, planOrElse } from './logic.ts';
import { planComparison, planEquality, planIn, planIndex, planListSum } from './operators.ts';
import { type Planner, planExpr, typeIn } from './planner.ts';
import { type Frame, located, type Planned, type Run } from './step.ts';

/** Evaluated arguments, receiver first. */
export interface Arguments {
  readonly exprs: readonly Expr[];
  readonly planned: readonly Planned[];
}

export function planCall(p: Planner, expr: Call): Planned {
  const resolved = p.checked.calls.get(expr.id);
  if (expr.name === '_[_]' || expr.name === '_[?_]') return planIndex(p, expr);
  const exprs = expr.target === undefined || resolved?.namespaced ? expr.args : [expr.target, ...expr.args];
  const args: Arguments = { exprs, planned: exprs.map((arg) => planArgument(p, arg)) };
  const overloads = resolved?.overloads ?? [];
  const run = planOperator(p, expr, args) ?? planFunction(resolved?.name ?? expr.name, expr.id, overloads, args);
  return { run, constant: args.planned.every((arg) => arg.constant) };
}

function planArgument(p: Planner, expr: Expr): Planned {
  const planned = planExpr(p, expr);
  const convert = argumentCoercion(typeIn(p, expr));
  if (convert === undefined || planned.constant) return planned;
  const { run } = planned;
  return {
    run: (frame) => {
      const value = run(frame);
      try {
        return convert(value, frame.budget);
      } catch (error) {
        throw located(error, expr.id);
      }
    },
    constant: false,
  };
}

/** Operators that do not evaluate all operands, or that have a short way to be evaluated. */
function planOperator(p: Planner, expr: Call, args: Arguments): Run | undefined {
  const runs = args.planned.map(({ run }) => run);
  const [first, second, third] = runs;
  switch (expr.name) {
    case '_&&_':
      return planAnd(runs, expr.id);
    case '_||_':
      return planOr(runs, expr.id);
    case '@not_strictly_false':
      return first && planNotStrictlyFalse(first);
    case '_?_:_':
      return first && second && third && planConditional(first, second, third, expr.id);
    case 'or':
    case 'orValue':
      return expr.target && first && second && planOrElse(expr.name, first, second, expr.id);
    case '_==_':
    case '_!=_':
      return planEquality(p, expr, args);
    case '_+_':
      return planListSum(p, expr, args);
    case '@in':
      return planIn(expr, args);
    default:
      return planComparison(expr, args);
  }
}

/** A call of one of some overloads, whichever takes the values. */
function planFunction(name: string, id: number, overloads: readonly Overload[], args: Arguments): Run {
  const runs = args.planned.map(({ run }) => run);
  const candidates = overloads.map((overload): Candidate => ({ overload, guards: guardsOf(overload) }));
  const [only] = candidates;
  const [first, second] = runs;
  if (candidates.length === 1 && only !== undefined && first !== undefined && runs.length <= 2) {
    return second === undefined ? unary(name, id, only, first) : binary(name, id, only, first, second);
  }
  return (frame) => {
    const values = runs.map((run) => run(frame));
    const found = candidates.find(({ guards }) => guards.every((guard, index) => guard(values[index] as CelValue)));
    return invoke(frame, name, id, found?.overload, values);
  };
}

interface Candidate {
  readonly overload: Overload;
  readonly guards: readonly Guard[];
}

function unary(name: string, id: number, { overload, guards }: Candidate, arg: Run): Run {
  const [guard] = guards;
  const call = overload.call as (value: CelValue) => CelValue;
  return (frame) => {
    const value = arg(frame);
    if (isMetered(overload) || !guard?.(value)) {
      return invoke(frame, name, id, guard?.(value) ? overload : undefined, [value]);
    }
    try {
      spendSteps(frame.budget, 1 + weight(value));
      return call(value);
    } catch (error) {
      throw located(error, id);
    }
  };
}

function binary(name: string, id: number, { overload, guards }: Candidate, left: Run, right: Run): Run {
  const [leftGuard, rightGuard] = guards;
  const call = overload.call as (a: CelValue, b: CelValue) => CelValue;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const fits = leftGuard?.(a) && rightGuard?.(b);
    if (isMetered(overload) || !fits) return invoke(frame, name, id, fits ? overload : undefined, [a, b]);
    try {
      spendSteps(frame.budget, 1 + weight(a) + weight(b));
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
    steps += overload.work?.(...(values as never[])) ?? 0;
    const pattern = overload.pattern?.(...(values as never[]));
    if (pattern !== undefined) steps += compileWork(pattern, frame.budget.patterns);
    spendSteps(frame.budget, steps);
    if (overload.size !== undefined) spendResult(frame, overload, overload.size(...(values as never[])));
    return overload.call(...(values as never[]));
  } catch (error) {
    throw located(error, id);
  }
}

/** Whether a call may take or make more than its arguments tell. */
const isMetered = ({ size, work }: Overload): boolean => size !== undefined || work !== undefined;

function spendResult({ budget }: Frame, { result }: Overload, size: number): void {
  if (result.kind === 'string' || result.kind === 'bytes') spendText(budget, size);
  else spendSize(budget, size);
}

/** How much work an argument stands for, in steps: functions mostly look at the whole of it. */
export function weight(value: CelValue): number {
  if (typeof value === 'string') return value.length >> 6;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length >> 4;
  if (value instanceof CelObject) return value.weight;
  if (value instanceof CelMap) return value.entries.size;
  return isRecord(value) ? Object.keys(value).length * 2 : 0;
}
