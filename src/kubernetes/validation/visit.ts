import { type Code, type Message, type Problem, phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { formatPath } from '../../core/model/path.ts';
import type { Path, Value } from '../../core/model/value.ts';
import { type Budget, createBudget, isExhausted, matchesWithin, type Regex } from '../../languages/cel/index.ts';

/** The state of one walk along a value: where it is, and what it found. */
export interface Visit {
  /** Grows and shrinks with the walk, so it is copied when something is reported. */
  path: (string | number)[];
  problems: Problem[];
  values: Allowance;
  /** Whether it is of use to look for what was intended. */
  hints: boolean;
  /** Nothing is filled in and no null dropped: that is how an API server looks at the default of a schema. */
  bare?: boolean;
  /** What matching patterns is counted in, and validation rules. */
  budget: Budget;
}

/** The values that may still be looked at, defaults that are filled in counted. One may serve several walks. */
export interface Allowance {
  left: number;
  readonly of: number;
}

export const allowance = (of: number): Allowance => ({ left: of, of });

/** etcd takes no object of more than 1.5 MiB, and a value in a list takes two characters at the least. */
export const MAX_VALUES = 500_000;

/** More is of no use to anybody, and takes longer to tell than to find. */
const MAX_PROBLEMS = 1000;

/** Nothing more needs to be found. */
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

/** Whether a text matches a pattern; what there is no budget for matches, and is reported. */
export function matchesIn(visit: Visit, pattern: Regex, text: string): boolean {
  const { budget } = visit;
  const matches = isExhausted(budget) ? undefined : matchesWithin(pattern, text, budget);
  if (matches === undefined) reportExhausted(visit);
  return matches ?? true;
}

/** A pattern or a rule that is not tried is not one that holds. */
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

/** A value that breaks a rule of its schema: `should match '^a$'`. */
export const breaks = (visit: Visit, rule: string): void =>
  fault(visit, 'instance-value', phrase`${inBody(visit)} ${shown(rule)}`);

/** `spec.fan in body`, the way in which the API server begins its sentences. */
export const inBody = (visit: Visit): Message => quote(`${formatPath(visit.path)} in body`, 'the value');

/** Runs a check one step further down. */
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

/** Reports at a step further down. */
export function faultAt(visit: Visit, step: string | number, code: Code, message: Message, hint?: Message): void {
  visit.path.push(step);
  fault(visit, code, message, hint);
  visit.path.pop();
}
