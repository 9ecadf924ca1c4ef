import { TemplateError } from '../fault.ts';
import type { Meter } from '../meter.ts';
import type { Templates } from '../syntax/nodes.ts';
import type { Functions } from './function.ts';

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
