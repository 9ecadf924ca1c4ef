import { type Budget, startRun } from '../budget.ts';
import type { CheckedExpression } from '../check/checked.ts';
import type { Environment } from '../environment.ts';
import { isRecord } from '../value/kind.ts';
import type { CelValue } from '../value/values.ts';
import { type Planner, planStored, type Slots, type Trace } from './planner.ts';
import type { Run, Stored } from './step.ts';
import { settled } from './stored.ts';

export type { Trace } from './planner.ts';

/** A compiled expression that can run any number of times. */
export interface Program {
  /**
   * Returns the value of the expression, with the variables in the order of the slots of the plan. An undefined slot is
   * an unknown variable: reading it fails as `missing`.
   * @throws EvaluationError
   */
  run(activation: readonly (CelValue | undefined)[], budget: Budget): CelValue;
}

/** Maps and objects that are only passed on keep their stored form, so that they are not copied. */
const isHandedOn = ({ type, optional }: Stored): boolean =>
  !optional && (type.kind === 'map' || type.kind === 'object');

/** A value that is not a map does not match, so that it is a failure. */
const handingOn =
  (stored: Run, value: Run): Run =>
  (frame) => {
    const data = stored(frame);
    return isRecord(data) ? data : value(frame);
  };

const NONE: Planner['computed'] = new Set();

/**
 * Compiles a checked expression; `slots` has the index of each variable in the activation. Variables contain the data
 * of objects, which is read by their types; those of `computed` contain values. `trace` is called with the arms of a
 * run.
 */
export function plan(
  env: Environment,
  checked: CheckedExpression,
  slots: readonly string[] | Slots,
  computed: Planner['computed'] = NONE,
  trace?: Trace,
): Program {
  const counter = { locals: 0 };
  const { root } = checked.parsed;
  const places = 'get' in slots ? slots : new Map(slots.map((name, slot) => [name, slot]));
  const planned = planStored({ env, checked, slots: places, computed, locals: new Map(), counter, trace }, root);
  const value = settled(planned, root.id).run;
  const run = planned.stored && isHandedOn(planned.stored) ? handingOn(planned.run, value) : value;
  return {
    run: (variables, budget) => {
      startRun(budget);
      return run({ variables, locals: new Array(counter.locals), budget });
    },
  };
}
