import { parseJson } from '../../src/core/encoding/json.ts';
import type { ValueMap } from '../../src/core/model/value.ts';
import { functionsFor } from '../../src/flux/functions/index.ts';
import {
  compileTemplate,
  executeTemplate,
  type GoMap,
  type Meter,
  TemplateError,
  toGoMap,
} from '../../src/languages/gotemplate/index.ts';
import type { GeneratedTemplate } from './templates.ts';

/** The result of a template: a text, or the error. */
export type Outcome = { text: string } | { error: string; kind: string };

/** Renders a template here. */
export function renderHere({ template, inputs, left, right }: GeneratedTemplate, meter?: Meter): Outcome {
  const values: GoMap = toGoMap(parseJson(inputs) as ValueMap);
  const functions = functionsFor(() => values);
  try {
    return { text: executeTemplate(compileTemplate(template, { left, right }, functions), null, functions, meter) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message, kind: error.kind };
    throw error;
  }
}
