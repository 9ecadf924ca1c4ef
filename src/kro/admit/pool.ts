import { type Collector, type Problem, phrase, reporterFor } from '../../core/diagnostics/index.ts';
import {
  type Allowance,
  allowance,
  INSTANCE_SIZE,
  INSTANCE_STEPS,
  type Limits,
  spend,
} from '../../core/model/limits.ts';
import { groupKind, groupVersionKind, type InputObject } from '../../core/model/object.ts';
import { type Budget, createBudget, wholeOf } from '../../languages/cel/index.ts';
import { admissionOf, type Graphs } from '../compile/index.ts';
import { definedKinds } from '../definition/index.ts';
import type { RgdPackage } from '../read/index.ts';

/** The budget of all instances of a package: one instance may use all of its own budget, but many may not. */
interface Pool {
  steps: Allowance;
  size: Allowance;
}

export function startPool(instances: number, limits: Limits): Pool {
  const whole = wholeOf(createBudget(limits));
  return {
    steps: allowance(whole.steps + instances * INSTANCE_STEPS),
    size: allowance(whole.size + instances * INSTANCE_SIZE),
  };
}

/** Takes the cost of an instance from the pool; returns false if the pool is exhausted. */
export function spendFromPool(pool: Pool, budget: Budget): boolean {
  const whole = wholeOf(budget);
  const hasSteps = spend(pool.steps, Math.min(budget.steps, whole.steps));
  return spend(pool.size, Math.min(budget.size, whole.size)) && hasSteps;
}

export const isEmpty = (pool: Pool): boolean => pool.steps.left < 0 || pool.size.left < 0;

export const poolExceeded: Problem = {
  code: 'budget-exceeded',
  message: phrase`with this instance, all instances together exceed the budget of the package`,
  path: [],
  hint: phrase`render them in several packages, or raise --max-steps or --max-size`,
};

/**
 * Separates the instances of broken RGDs, whose kind is not reported as undefined, from other candidates. `check`
 * validates them against the valid parts of the schemas of their RGDs.
 */
export function instancesOfBroken(
  pack: RgdPackage,
  graphs: Graphs,
  limits: Limits,
  reports: Collector,
): { candidates: readonly InputObject[]; check(): void } {
  const isWhole = graphs.size === pack.rgds.length;
  const defined = isWhole ? [] : definedKinds(pack.rgds).map((kind) => `${kind.kind}.${kind.group}`);
  const broken = new Set(defined.filter((kind) => !graphs.has(kind)));
  const isOfBroken = ({ object }: InputObject): boolean => broken.has(groupKind(groupVersionKind(object)));
  const held = broken.size === 0 ? [] : pack.candidates.filter(isOfBroken);
  return {
    candidates: held.length === 0 ? pack.candidates : pack.candidates.filter((one) => !isOfBroken(one)),
    check: () => {
      for (const definition of pack.definitions) {
        const own = held.filter(({ object }) => groupKind(groupVersionKind(object)) === groupKind(definition));
        const admission = own.length === 0 ? undefined : admissionOf(definition, reports);
        for (const input of admission === undefined ? [] : own) {
          const { report } = reporterFor(input, reports);
          const admitted = admission?.admit(input.object, createBudget(limits), !reports.limitReached);
          for (const problem of admitted?.problems ?? []) report(problem);
        }
      }
    },
  };
}
