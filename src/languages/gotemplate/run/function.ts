import type { Meter } from '../meter.ts';
import type { GoValue } from '../values/values.ts';

/**
 * The Go type of a parameter. `value` accepts anything, as functions of the language itself do; `any` is interface{}.
 */
export type ParameterType = 'value' | 'any' | 'string' | 'int' | 'int64' | 'float64' | 'bool' | 'map' | 'time';

/** A function that templates may call. */
export interface GoFunction {
  parameters: readonly ParameterType[];
  /** The last parameter may be repeated any number of times, including none. */
  variadic: boolean;
  /**
   * Arguments have the types of the parameters.
   * @throws FunctionError with Go's message
   */
  // biome-ignore lint/suspicious/noExplicitAny: the parameters above say what they are
  call(args: readonly any[], meter: Meter): GoValue;
}

/** The functions of a template by name. */
export type Functions = (name: string) => GoFunction | undefined;

/** Go's name of a parameter type. */
export function parameterName(type: ParameterType): string {
  if (type === 'value') return 'reflect.Value';
  if (type === 'any') return 'interface {}';
  if (type === 'map') return 'map[string]interface {}';
  return type === 'time' ? 'time.Time' : type;
}
