import { type Budget, startRun } from '../budget.ts';
import type { CheckedExpression } from '../check/checked.ts';
import type { Environment } from '../environment.ts';
import type { CelValue } from '../values.ts';
import { planExpr, type Slots } from './planner.ts';

/** A compiled expression; may be run any number of times. */
export interface Program {
  /**
   * The value of the expression, the variables given in the order of the slots that it was planned with. An undefined
   * slot is a variable that is not known yet: reading it fails as `missing`.
   * @throws EvaluationError
   */
  run(activation: readonly (CelValue | undefined)[], budget: Budget): CelValue;
}

/** Compiles a checked expression; `slots` has the place of each variable in the activation. */
export function plan(env: Environment, checked: CheckedExpression, slots: readonly string[] | Slots): Program {
  const counter = { locals: 0 };
  const { run } = planExpr(
    {
      env,
      checked,
      slots: 'get' in slots ? slots : new Map(slots.map((name, slot) => [name, slot])),
      locals: new Map(),
      counter,
    },
    checked.parsed.root,
  );
  return {
    run: (variables, budget) => {
      startRun(budget);
      return run({ variables, locals: new Array(counter.locals), budget });
    },
  };
}
