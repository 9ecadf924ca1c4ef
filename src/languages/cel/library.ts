import type { Charge } from './regex.ts';
import type { CelType, STRING } from './types.ts';
import type { CelMap, CelRecord, CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from './value/values.ts';

/** An overload of a function. A member is called on its first parameter: `s.split(",")` has [string, string]. */
export interface Overload {
  name: string;
  member: boolean;
  params: readonly CelType[];
  result: CelType;
  /** Receives arguments of the declared types, receiver first. Throws `EvaluationError`. */
  call(...args: never[]): CelValue;
  /** Bounds the list items, map entries or UTF-16 units of a result that may be larger than the arguments. */
  size?(...args: never[]): number;
  /** Returns the steps of the call beyond those for reading its arguments once. */
  work?(...args: never[]): number;
  /** Accepts lists of any elements at run time, whatever it declares. */
  anyElements?: boolean;
  /** Ignored by the checker: only dyn values reach it. */
  unchecked?: boolean;
  /** Returns the pattern, of which compiling counts too. The call receives a step counter as its first argument. */
  pattern?(...args: never[]): string;
}

/** Functions that an environment has together. */
export type Library = readonly Overload[];

type ValueOf<T extends CelType> = CelType extends T
  ? CelValue
  : T extends { kind: 'list'; element: infer E extends CelType }
    ? readonly ValueOf<E>[]
    : T extends { kind: 'opaque' | 'object'; values?: infer Class }
      ? Class
      : T extends { kind: keyof Values }
        ? Values[T['kind']]
        : CelValue;

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
): Overload => ({
  name,
  member: false,
  params,
  result,
  call: call as Overload['call'],
  ...(costs as Pick<Overload, 'size' | 'work'>),
});

export const method = <const P extends Params>(
  name: string,
  params: P,
  result: CelType,
  call: Call<P, CelValue>,
  costs?: Costs<P>,
): Overload => ({ ...fn(name, params, result, call, costs), member: true });

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
