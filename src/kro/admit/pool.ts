import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import { type Budget, createBudget, wholeOf } from '../../languages/cel/index.ts';

/** The budget of all instances of a package: one instance may use all of its own budget, but many may not. */
export interface Pool {
  steps: number;
  size: number;
}

/** The steps that every instance adds: only a few of a thousand need as many. */
const STEPS_EACH = 200_000;
const SIZE_EACH = 60_000;

export function startPool(instances: number, limits: Limits): Pool {
  const whole = wholeOf(createBudget(limits));
  return {
    steps: whole.steps + instances * STEPS_EACH,
    size: whole.size + instances * SIZE_EACH,
  };
}

/** Takes the cost of an instance from the pool; returns false if the pool is exhausted. */
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
