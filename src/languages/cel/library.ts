import type { CelType } from './types.ts';
import type { CelValue } from './value/values.ts';

/**
 * One overload of a function. `name` is the full name: `size`, `base64.encode`, `lists.range`. A member overload is
 * called on its first parameter: `s.split(',')` has params [string, string].
 */
export interface Overload {
  name: string;
  member: boolean;
  params: readonly CelType[];
  result: CelType;
  /**
   * Receives the evaluated arguments, receiver first, of the declared types (never an error). Throws `EvaluationError`.
   */
  call(...args: never[]): CelValue;
  /**
   * Returns an upper bound for the elements (list items, map entries, UTF-16 units) of the result, requested before the
   * call so that a budget can reject it. Absent if the result is no larger than the arguments.
   */
  size?(...args: never[]): number;
  /**
   * Returns the steps of the call beyond those that are counted for the length of its arguments. Absent if the call
   * reads its arguments once.
   */
  work?(...args: never[]): number;
  /** Accepts lists of any elements at run time, whatever it declares. */
  anyElements?: boolean;
  /** Ignored by the checker: only dyn values reach it. */
  unchecked?: boolean;
  /**
   * Returns the regular expression in its arguments: compiling it counts too, unless the budget has paid for it. The
   * call receives a step counter as its first argument.
   */
  pattern?(...args: never[]): string;
}

/** A named set of functions; the function reference shows its origin. */
export interface Library {
  /** For example `cel-go ext.Strings`, `kubernetes quantity`, `kro maps`. */
  name: string;
  overloads: readonly Overload[];
}

/** Shorthands that keep library files readable. */
export function fn(
  name: string,
  params: readonly CelType[],
  result: CelType,
  call: Overload['call'],
  size?: Overload['size'],
): Overload {
  return size === undefined
    ? { name, member: false, params, result, call }
    : { name, member: false, params, result, call, size };
}

export const costing = (overload: Overload, work: NonNullable<Overload['work']>): Overload => ({ ...overload, work });

/** Returns the overload of a function of a string and a regular expression, whose call counts its steps itself. */
export const matching = (overload: Overload): Overload => ({
  ...overload,
  pattern: (_text: string, pattern: string) => pattern,
});

export function method(
  name: string,
  params: readonly CelType[],
  result: CelType,
  call: Overload['call'],
  size?: Overload['size'],
): Overload {
  return { ...fn(name, params, result, call, size), member: true };
}
