import type { ValueMap } from '../../../src/core/model/value.ts';
import { functionsFor } from '../../../src/flux/functions/index.ts';
import { compileTemplate, executeTemplate, type Meter, toGoMap } from '../../../src/languages/gotemplate/index.ts';

/** Renders a template between `<<` and `>>`. */
export function render(text: string, inputs: ValueMap = {}, meter?: Meter): string {
  const values = toGoMap(inputs);
  const functions = functionsFor(() => values);
  return executeTemplate(compileTemplate(text, { left: '<<', right: '>>' }, functions), null, functions, meter);
}
