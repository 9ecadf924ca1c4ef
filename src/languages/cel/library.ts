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
  /** Gets the evaluated arguments, receiver first, of the declared types (never an error). Throws `EvaluationError`. */
  call(...args: never[]): CelValue;
  /**
   * An upper bound for the elements (list items, map entries, UTF-16 units) that the call will make, asked before the
   * call so that a budget can refuse it. Left out when the result is no larger than the arguments.
   */
  size?(...args: never[]): number;
  /**
   * How many steps of a budget the call takes beyond those that are counted for the length of its arguments. Left out
   * when the call looks at its arguments once.
   */
  work?(...args: never[]): number;
  /** Takes lists of anything at run time, whatever elements it declares. */
  anyElements?: boolean;
  /** Not for the checker: only values that are dyn get here. */
  unchecked?: boolean;
  /**
   * The regular expression among its arguments: compiling it counts too, unless the budget has paid for it. The call
   * gets what counts the steps of matching as its first argument.
   */
  pattern?(...args: never[]): string;
}

/** A named set of functions; where it comes from is shown in the function reference. */
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

/** The overload with the work that it takes. */
export const costing = (overload: Overload, work: NonNullable<Overload['work']>): Overload => ({ ...overload, work });

/** The overload of a function of a text and a regular expression, whose call counts its steps itself. */
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
