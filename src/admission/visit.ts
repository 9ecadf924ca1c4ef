import type { Code } from '../diagnostics/codes.ts';
import type { Problem } from '../diagnostics/diagnostic.ts';
import { formatPath } from '../model/path.ts';
import type { Path, Value } from '../model/value.ts';

/** The state of one walk along a value: where it is, and what it found. */
export interface Visit {
  /** Grows and shrinks with the walk, so it is copied when something is reported. */
  path: (string | number)[];
  problems: Problem[];
}

/** Checks a value against the schema that it was compiled from. */
export type Check = (value: Value, visit: Visit) => Value;

export const startVisit = (path: Path = []): Visit => ({ path: [...path], problems: [] });

/** `rule` is what the value breaks, told where the value and its field may be those of a Secret. */
export function fault(visit: Visit, code: Code, message: string, hint?: string, rule?: string): void {
  const problem: Problem = { code, message, path: [...visit.path] };
  if (rule !== undefined) problem.withoutValues = { message: `the value ${rule}` };
  if (hint !== undefined) problem.hint = hint;
  visit.problems.push(problem);
}

/** A value that breaks a rule of its schema: `should match '^a$'`. */
export const breaks = (visit: Visit, rule: string): void =>
  fault(visit, 'instance-value', `${inBody(visit)} ${rule}`, undefined, rule);

/** `spec.fan in body`, the way in which the API server begins its sentences. */
export const inBody = (visit: Visit): string => `${formatPath(visit.path)} in body`;

/** Runs a check one step further down. */
export function checkAt(check: Check, step: string | number, value: Value, visit: Visit): Value {
  visit.path.push(step);
  const checked = check(value, visit);
  visit.path.pop();
  return checked;
}

/** Reports at a step further down. */
export function faultAt(visit: Visit, step: string | number, code: Code, message: string, hint?: string): void {
  visit.path.push(step);
  fault(visit, code, message, hint);
  visit.path.pop();
}
