import { isAscii } from '../bytes.ts';
import { FunctionError, type TemplateErrorReason } from '../fault.ts';
import type { Meter } from '../meter.ts';
import type { GoFunction, ParameterType } from '../run/function.ts';
import type { GoValue } from '../values/values.ts';

/** Functions by name. */
export type FunctionTable = readonly (readonly [string, GoFunction])[];

// biome-ignore lint/suspicious/noExplicitAny: the parameter types say what each argument is
type Call = (args: readonly any[], meter: Meter) => GoValue;

/** Defines a function with fixed parameters. */
export const fixed = (parameters: readonly ParameterType[], call: Call): GoFunction => ({
  parameters,
  variadic: false,
  call,
});

/** Defines a function whose last parameter may be repeated. */
export const variadic = (parameters: readonly ParameterType[], call: Call): GoFunction => ({
  parameters,
  variadic: true,
  call,
});

/** Defines a function of one string. */
export const ofString = (call: (text: string) => GoValue): GoFunction =>
  fixed(['string'], ([text], meter) => {
    meter.spendBytes(text.length);
    return call(text);
  });

/** Defines a function that processes each character of a string, which takes many times as long as a copy. */
export const ofCharacters = (call: (text: string) => GoValue): GoFunction =>
  fixed(['string'], ([text], meter) => {
    meter.spendCharacters(text.length);
    meter.spendBytes(text.length);
    return call(text);
  });

/** Does the same for functions that are fast for ASCII. */
export const ofAnyCharacters = (ofAscii: (text: string) => GoValue, call: (text: string) => GoValue): GoFunction =>
  fixed(['string'], ([text], meter) => {
    meter.spendBytes(text.length);
    if (isAscii(text)) return ofAscii(text);
    meter.spendCharacters(text.length);
    return call(text);
  });

/** Counts the texts that a function reads digit by digit. */
export const ofDigits = (definition: GoFunction): GoFunction => ({
  ...definition,
  call(args, meter) {
    for (const arg of args) if (typeof arg === 'string') meter.spendSteps(arg.length / DIGITS_PER_STEP);
    return definition.call(args, meter);
  },
});

const DIGITS_PER_STEP = 4;

export const fail = (message: string, reason?: TemplateErrorReason): FunctionError =>
  new FunctionError(message, reason);
