import { TemplateError } from '../fault.ts';
import type { Meter } from '../meter.ts';
import type { Templates } from '../syntax/nodes.ts';
import type { GoValue } from '../values/values.ts';

/** What a key that a map lacks is, as Go's option `missingkey`: nothing, the zero value of the map, or an error. */
export type MissingKey = 'default' | 'zero' | 'error';

/** The state of an execution, shared by all templates. */
export interface Execution {
  templates: Templates;
  functions: Functions;
  meter: Meter;
  missingKey: MissingKey;
  /** The text written so far. */
  output: string;
  /** The nesting of template calls. */
  depth: number;
}

export const failAt = (offset: number, message: string): TemplateError =>
  new TemplateError('execution', message, offset);

/** Does the same for a message that quotes a value. */
export const refuseValueAt = (offset: number, message: string): TemplateError =>
  new TemplateError('value', message, offset);

export function write(execution: Execution, text: string): void {
  execution.meter.spendBytes(text.length);
  execution.output += text;
}

/** The variables of an executing template; the innermost of equal names wins. */
export class Variables {
  private readonly names: string[];
  private readonly values: GoValue[];

  constructor(dot: GoValue) {
    this.names = ['$'];
    this.values = [dot];
  }

  /** Returns their number: `restore` removes later ones. */
  mark(): number {
    return this.names.length;
  }

  restore(mark: number): void {
    this.names.length = mark;
    this.values.length = mark;
  }

  declare(name: string, value: GoValue): void {
    this.names.push(name);
    this.values.push(value);
  }

  /** Sets the variable `depth - 1` below the last one. */
  setTop(depth: number, value: GoValue): void {
    this.values[this.values.length - depth] = value;
  }

  /** @returns whether there is such a variable */
  assign(name: string, value: GoValue): boolean {
    const at = this.names.lastIndexOf(name);
    if (at >= 0) this.values[at] = value;
    return at >= 0;
  }

  get(name: string): GoValue | undefined {
    return this.values[this.names.lastIndexOf(name)];
  }
}

/** The Go type of a parameter: `value` is any value, as functions of the language take it; `any` is interface{}. */
export type ParameterType = 'value' | 'any' | 'string' | 'int' | 'int64' | 'float64' | 'bool' | 'map' | 'time';

/** A function that templates may call. */
export interface GoFunction {
  parameters: readonly ParameterType[];
  /** The last parameter may be repeated any number of times, including none. */
  variadic: boolean;
  /** Arguments have the types of the parameters. @throws FunctionError with Go's message */
  call(args: readonly GoValue[], meter: Meter): GoValue;
}

export type Functions = (name: string) => GoFunction | undefined;

/** Go's name of a parameter type. */
export function parameterName(type: ParameterType): string {
  if (type === 'value') return 'reflect.Value';
  if (type === 'any') return 'interface {}';
  if (type === 'map') return 'map[string]interface {}';
  return type === 'time' ? 'time.Time' : type;
}
