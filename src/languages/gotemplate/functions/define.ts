import { isInt64, MIN_INT64, parseFloatText, parseInt64 } from '../../../core/text/go-numbers.ts';
import { FunctionError, type TemplateErrorReason } from '../fault.ts';
import { display } from '../format/value.ts';
import type { Meter } from '../meter.ts';
import type { GoFunction, ParameterType } from '../run/state.ts';
import { type GoInt, GoList, GoMap, type GoTime, type GoValue, integerOf, sizeOf } from '../values/values.ts';

export type FunctionTable = Readonly<Record<string, GoFunction>>;

interface Values {
  value: GoValue;
  any: GoValue;
  string: string;
  int: GoInt;
  int64: bigint;
  float64: number;
  bool: boolean;
  map: GoMap;
  time: GoTime;
}

type Types = readonly ParameterType[];
type Arguments<P extends Types> = { -readonly [Index in keyof P]: Values[P[Index]] };

/** Defines a function with fixed parameters, whose implementation receives their values and the meter. */
export const fixed = <const P extends Types>(
  parameters: P,
  call: (...args: [...Arguments<P>, Meter]) => GoValue,
): GoFunction => ({
  parameters,
  variadic: false,
  // allowed: as many as the function has parameters
  call: (args, meter) => call(...(args as Arguments<P>), meter),
});

/** Defines a function whose last parameter may be repeated: its values are a list. */
export const variadic = <const F extends Types, L extends ParameterType>(
  parameters: readonly [...F, L],
  call: (...args: [...Arguments<F>, Values[L][], Meter]) => GoValue,
): GoFunction => ({
  parameters,
  variadic: true,
  call(args, meter) {
    const rest = args.slice(parameters.length - 1) as Values[L][];
    // allowed: as many as the function has parameters
    return call(...(args.slice(0, parameters.length - 1) as Arguments<F>), rest, meter);
  },
});

/** Returns functions with and without a prefix: with `must` they are the same, as both fail. */
export const both = (table: FunctionTable, prefix = 'must'): FunctionTable =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, definition]) => [
      [name, definition],
      [`${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`, definition],
    ]),
  );

/** Defines a function of one string, with the steps for each byte, and the most bytes that it makes of one. */
export const ofString = (call: (text: string) => GoValue, steps = 0, growth = 1): GoFunction =>
  fixed(['string'], (text, meter) => {
    meter.spendSteps(steps * text.length);
    meter.spendBytes(growth * text.length);
    return call(text);
  });

/** Defines a function of one string, which takes a step for each character. */
export const ofCharacters = (call: (text: string) => GoValue): GoFunction => ofString(call, 1);

const DIGITS_PER_STEP = 4;

/** Counts the texts that functions read digit by digit. */
export const ofDigits = (table: FunctionTable): FunctionTable =>
  Object.fromEntries(
    Object.entries(table).map(([name, definition]) => {
      const call: GoFunction['call'] = (args, meter) => {
        for (const arg of args) if (typeof arg === 'string') meter.spendSteps(arg.length / DIGITS_PER_STEP);
        return definition.call(args, meter);
      };
      return [name, { ...definition, call }];
    }),
  );

export const fail = (message: string, reason?: TemplateErrorReason): FunctionError =>
  new FunctionError(message, reason);

/** Converts a value to an integer as slim-sprig does; 0 for other values. */
export function toInt64(value: GoValue): bigint {
  if (typeof value === 'string') return parseInt64(value) ?? 0n;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' ? truncated(value) : (integerOf(value) ?? 0n);
}

/** Go's int64(f) on amd64: the smallest integer for values out of range. */
function truncated(value: number): bigint {
  if (!Number.isFinite(value)) return MIN_INT64;
  const whole = BigInt(Math.trunc(value));
  return isInt64(whole) ? whole : MIN_INT64;
}

/** Converts a value to a float as slim-sprig does; 0 for other values. */
export function toFloat64(value: GoValue): number {
  if (typeof value === 'string') {
    const float = parseFloatText(value);
    const tooLarge = float !== undefined && !Number.isFinite(float) && /[0-9]/.test(value);
    return float === undefined || tooLarge ? 0 : float;
  }
  if (typeof value === 'number') return value;
  return typeof value === 'boolean' ? Number(value) : Number(integerOf(value) ?? 0n);
}

export const toText = (value: GoValue): string => (value === null ? '<nil>' : display(value));

export function countedText(value: GoValue, meter: Meter): string {
  meter.spendBytes(sizeOf(value));
  return toText(value);
}

/** Returns the texts of a list, without those of nil; a single value is a list of one. */
export function toTexts(value: GoValue): string[] {
  if (value === null) return [];
  if (!(value instanceof GoList)) return [toText(value)];
  return value.items.filter((item) => item !== null).map(toText);
}

/** Reports whether slim-sprig treats a value as empty. */
export function isEmpty(value: GoValue): boolean {
  if (value === null || value === '' || value === false || value === 0) return true;
  if (value instanceof GoList) return value.items.length === 0;
  if (value instanceof GoMap) return value.entries.size === 0;
  return integerOf(value) === 0n;
}
