import { compileTemplate, executeTemplate, type Meter, toGoMap } from '../../src/gotemplate/index.ts';
import type { ValueMap } from '../../src/model/value.ts';
import { functionsFor } from '../../src/resourceset/functions/index.ts';

/** Renders a template between `<<` and `>>`. */
export function render(text: string, inputs: ValueMap = {}, meter?: Meter): string {
  const values = toGoMap(inputs);
  const functions = functionsFor(() => values);
  return executeTemplate(compileTemplate(text, { left: '<<', right: '>>' }, functions), null, functions, meter);
}
