/** Operators that leave operands unevaluated: `&& || ?:`, `or` and `orValue`. */
import { spendSteps } from '../budget.ts';
import { type CelValue, EvaluationError, failure, Optional } from '../value/values.ts';
import { type Frame, located, type Run } from './step.ts';

export const noSuchOverload = (id: number): unknown => located(failure('no such overload'), id);

/** Reports whether an operand of `&&` or `||` may be ignored if another one decides; budget errors never are. */
export const isAbsorbed = (error: unknown): error is EvaluationError =>
  error instanceof EvaluationError && error.kind !== 'budget';

/** Creating an error takes as long as a hundred calls. */
const FAILURE_STEPS = 100;

export const spendFailure = (frame: Frame): void => spendSteps(frame.budget, FAILURE_STEPS);

/** The deciding operand wins, whatever fails before or after it; else the first failure counts. */
export function planJunction(terms: readonly Run[], decisive: boolean, id: number): Run {
  return (frame) => {
    let failed: unknown;
    for (const term of terms) {
      const value = attempt(term, frame);
      if (value === decisive) return decisive;
      if (value !== !decisive) failed ??= value instanceof EvaluationError ? value : noSuchOverload(id);
    }
    if (failed !== undefined) throw failed;
    return !decisive;
  };
}

function attempt(run: Run, frame: Frame): CelValue | EvaluationError {
  try {
    return run(frame);
  } catch (error) {
    if (!isAbsorbed(error)) throw error;
    spendFailure(frame);
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
