import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import { type Budget, createBudget, wholeOf } from '../../languages/cel/index.ts';

/** What all instances of a package may take together: one may take all that it may, many a good deal each. */
export interface Pool {
  steps: number;
  size: number;
}

/** What every instance adds: no more than a few of a thousand need as much. */
const STEPS_EACH = 200_000;
const SIZE_EACH = 60_000;

export function startPool(instances: number, limits: Limits): Pool {
  const whole = wholeOf(createBudget(limits));
  return {
    steps: whole.steps + instances * STEPS_EACH,
    size: whole.size + instances * SIZE_EACH,
  };
}

/** Takes what an instance spent out of the pool; false when there was not enough left. */
export function spendFromPool(pool: Pool, budget: Budget): boolean {
  const whole = wholeOf(budget);
  pool.steps -= Math.min(budget.steps, whole.steps);
  pool.size -= Math.min(budget.size, whole.size);
  return !isEmpty(pool);
}

export const isEmpty = (pool: Pool): boolean => pool.steps < 0 || pool.size < 0;

export const poolExceeded: Problem = {
  code: 'budget-exceeded',
  message: phrase`with this instance, all instances together exceed the budget of the package`,
  path: [],
  hint: phrase`render them in several packages, or raise --max-steps or --max-size`,
};
