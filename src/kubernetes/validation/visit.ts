import { type Code, type Message, type Problem, phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { type Allowance, allowance, MAX_VALUES } from '../../core/model/limits.ts';
import { formatPath } from '../../core/model/path.ts';
import type { Path, Value } from '../../core/model/value.ts';
import { type Budget, createBudget, isExhausted, matchesWithin, type Regex } from '../../languages/cel/index.ts';

/** The state of a validation: its position, and its errors. */
export interface Visit {
  /** Changes during the walk, so it is copied into reports. */
  path: (string | number)[];
  problems: Problem[];
  /** The remaining number of values, including defaults. Several walks may share it. */
  values: Allowance;
  /** Whether suggestions are computed. */
  hints: boolean;
  /** Nothing is filled in and no null dropped, as an API server checks the default of a schema. */
  bare?: boolean;
  /** The budget of matching patterns and of validation rules. */
  budget: Budget;
}

/** The maximum number of errors. */
const MAX_PROBLEMS = 1000;

/** Reports whether a limit is reached. */
export const isFull = ({ problems, values }: Visit): boolean => values.left < 0 || problems.length >= MAX_PROBLEMS;

/** Checks a value against the schema that it was compiled from. */
export type Check = (value: Value, visit: Visit) => Value;

export const startVisit = (path: Path = [], values: Allowance = allowance(MAX_VALUES)): Visit => ({
  path: [...path],
  problems: [],
  values,
  hints: true,
  budget: createBudget(),
});

/** Reports whether a text matches a pattern; without budget it matches, and the budget error is reported. */
export function matchesIn(visit: Visit, pattern: Regex, text: string): boolean {
  const { budget } = visit;
  const matches = isExhausted(budget) ? undefined : matchesWithin(pattern, text, budget);
  if (matches === undefined) reportExhausted(visit);
  return matches ?? true;
}

/** Reports a pattern or a rule that was not tried. */
export function reportExhausted({ problems, path }: Visit): void {
  if (problems.some(({ code }) => code === 'budget-exceeded' || code === 'rule-violated')) return;
  problems.push({
    code: 'budget-exceeded',
    message: phrase`the instance takes more than its budget before all of its patterns and validation rules have run`,
    path: [...path],
    hint: phrase`make its lists and texts shorter, or raise --max-steps or --max-size`,
  });
}

export function fault(visit: Visit, code: Code, message: Message, hint?: Message): void {
  if (isFull(visit)) return;
  const problem: Problem = { code, message, path: [...visit.path] };
  if (hint !== undefined) problem.hint = hint;
  visit.problems.push(problem);
}

/** Returns the message for a value that violates its schema: `should match '^a$'`. */
export const breaks = (visit: Visit, rule: string): void =>
  fault(visit, 'instance-value', phrase`${inBody(visit)} ${shown(rule)}`);

/** Returns `spec.fan in body`, with which the API server begins its messages. */
export const inBody = (visit: Visit): Message => quote(`${formatPath(visit.path)} in body`, 'the value');

/** Runs a check one step deeper. */
export function checkAt(check: Check, step: string | number, value: Value, visit: Visit): Value {
  if (isFull(visit)) return value;
  visit.path.push(step);
  if (visit.values.left === 0) reportTooLarge(visit);
  visit.values.left -= 1;
  const checked = check(value, visit);
  visit.path.pop();
  return checked;
}

function reportTooLarge(visit: Visit): void {
  const message = phrase`more than ${visit.values.of} values, defaults included: no API server stores so large an object`;
  fault(visit, 'instance-too-large', message, phrase`make the list shorter, or let its items have fewer defaults`);
}

/** Reports an error one step deeper. */
export function faultAt(visit: Visit, step: string | number, code: Code, message: Message, hint?: Message): void {
  visit.path.push(step);
  fault(visit, code, message, hint);
  visit.path.pop();
}
