import type { Problem } from '../../diagnostics/index.ts';
import { fromBytes, type TemplateError } from '../../gotemplate/index.ts';
import { isMap, type ValueMap } from '../../model/value.ts';
import { canonicalSource } from '../canonical/index.ts';
import { hintFor } from './hints.ts';
import type { TemplateText } from './template-text.ts';

const CODES = {
  syntax: 'template-syntax',
  'missing-key': 'template-key',
  execution: 'template-execution',
  budget: 'budget-exceeded',
} as const;

/** What is wrong with a template, at the place in the file that it is about. */
export function problemOf(fault: TemplateError, text: TemplateText, title?: string, inputs?: ValueMap): Problem {
  const at = fromBytes(text.bytes.slice(0, fault.offset)).length;
  const place = text.entry === undefined ? { path: [], offset: at } : canonicalSource(text.entry, at);
  const about = title === undefined ? '' : ` (${title}${inputs === undefined ? '' : shownInputs(inputs)})`;
  const hint = hintFor(fault, text, inputs);
  return {
    code: CODES[fault.kind],
    message: `${fault.message}${about}`,
    path: [...text.path, ...place.path],
    ...(place.offset !== undefined && { offset: place.offset }),
    ...(hint !== undefined && { hint }),
  };
}

const SHOWN = 3;
const LONGEST = 40;

/** The first texts and numbers of an input set, for people to find it by. */
export function shownInputs(inputs: ValueMap): string {
  const scalars = Object.entries(inputs).filter(
    ([key, value]) => key !== 'provider' && !isMap(value) && !Array.isArray(value),
  );
  if (scalars.length === 0) return '';
  const shown = scalars
    .slice(0, SHOWN)
    .map(([key, value]) => `${key}: ${String(value).replace(/\s+/g, ' ').slice(0, LONGEST)}`);
  return `: ${shown.join(', ')}${scalars.length > SHOWN ? ', ...' : ''}`;
}
