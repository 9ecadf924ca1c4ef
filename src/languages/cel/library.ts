import type { Charge } from './regex.ts';
import type { CelType, STRING } from './types.ts';
import type { CelMap, CelRecord, CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from './value/values.ts';

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

/** Functions that an environment has together. */
export type Library = readonly Overload[];

/** The value of an argument of a type. */
type ValueOf<T extends CelType> = CelType extends T
  ? CelValue
  : T extends { kind: 'list'; element: infer E extends CelType }
    ? readonly ValueOf<E>[]
    : T extends { kind: 'opaque' | 'object'; values?: infer Class }
      ? Class
      : T extends { kind: keyof Values }
        ? Values[T['kind']]
        : CelValue;

/** Values by the kind of their type. */
interface Values {
  null: null;
  bool: boolean;
  int: bigint;
  uint: Uint;
  double: number;
  string: string;
  bytes: Uint8Array;
  duration: Duration;
  timestamp: Timestamp;
  map: CelRecord | CelMap;
  optional: Optional;
  type: TypeValue;
}

type Params = readonly CelType[];
type Arguments<P extends Params> = { -readonly [Index in keyof P]: ValueOf<P[Index]> };
/** A function of the arguments that parameters declare. */
export type Call<P extends Params, R> = (...args: Arguments<P>) => R;
/** An overload whose parameters are known to the compiler. */
type Declared<P extends Params> = Overload & { readonly declared?: P };

/** What a call costs, of its arguments: see `Overload`. */
export interface Costs<P extends Params> {
  size?: Call<P, number>;
  work?: Call<P, number>;
}

/** Declares a function. Its implementation receives the arguments that the parameters declare. */
export const fn = <const P extends Params>(
  name: string,
  params: P,
  result: CelType,
  call: Call<P, CelValue>,
  costs?: Costs<P>,
): Declared<P> => ({
  name,
  member: false,
  params,
  result,
  call: call as Overload['call'],
  ...(costs as Pick<Overload, 'size' | 'work'>),
});

/** Declares a function that is called on its first parameter. */
export const method = <const P extends Params>(
  name: string,
  params: P,
  result: CelType,
  call: Call<P, CelValue>,
  costs?: Costs<P>,
): Declared<P> => ({ ...fn(name, params, result, call, costs), member: true });

/** Declares a function of a string and a regular expression, whose call counts its steps itself. */
export const matching = <const P extends readonly [typeof STRING, typeof STRING, ...Params]>(
  declare: typeof fn | typeof method,
  name: string,
  params: P,
  result: CelType,
  call: (charge: Charge, ...args: Arguments<P>) => CelValue,
  costs?: Costs<P>,
): Overload => ({
  ...declare(name, params, result, call as never, costs),
  pattern: (_text: string, pattern: string) => pattern,
});
