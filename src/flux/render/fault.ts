import { type Message, type Problem, phrase, phraseIf, redact, shown } from '../../core/diagnostics/index.ts';
import { isMap } from '../../core/model/value.ts';
import { isSecret, SECRET, type Secrecy, writtenSecrets } from '../../core/redaction/index.ts';
import type { TemplateError } from '../../languages/gotemplate/index.ts';
import { canonicalSource } from '../canonical/index.ts';
import type { InputSet } from '../inputs/combine.ts';
import { hintFor, type TemplateText } from './hints.ts';

const CODES = {
  syntax: 'template-syntax',
  'missing-key': 'template-key',
  execution: 'template-execution',
  value: 'template-execution',
  budget: 'budget-exceeded',
} as const;

/** The relation of the templates of a ResourceSet, and their inputs, to Secrets. */
export interface SecretUse {
  /** Which parts of an input set flow into Secrets. */
  inputs: Secrecy;
  /** Reports whether a template renders a Secret, or reads an input that flows into one. */
  touches: (text: TemplateText) => boolean;
}

/**
 * Returns the problem of a template error, with its location in the file. Text that may contain a value of a Secret is
 * redacted.
 */
export function problemOf(fault: TemplateError, text: TemplateText, set?: InputSet, use?: () => SecretUse): Problem {
  const place =
    text.entry === undefined ? { path: [], offset: fault.offset } : canonicalSource(text.entry, fault.offset);
  const hint = phraseIf(hintFor(fault, text, set?.values));
  const about = aboutSet(set, use);
  const problem: Problem = {
    code: CODES[fault.kind],
    message: phrase`${fault.message}${about}`,
    path: [...text.path, ...place.path],
    ...(place.offset !== undefined && { offset: place.offset }),
    ...(hint !== undefined && { hint }),
  };
  const isHidden =
    (fault.kind === 'value' && (use === undefined || use().touches(text))) ||
    (fault.kind === 'syntax' && isSecret(secrecyOfTemplate(text), place.path));
  return isHidden ? redact(problem) : problem;
}

const SHOWN = 3;
const LONGEST = 40;

/** Describes the inputs of a template, with their first strings and numbers to identify them. */
export function aboutSet(set: InputSet | undefined, use?: () => SecretUse): Message {
  if (set === undefined) return phrase``;
  const hidden = use?.().inputs ?? true;
  const scalars = Object.entries(set.values).filter(
    ([key, value]) => key !== 'provider' && !isMap(value) && !Array.isArray(value) && !isSecret(hidden, [key]),
  );
  if (scalars.length === 0) return phrase` (${shown(set.title)})`;
  const values = scalars
    .slice(0, SHOWN)
    .map(([key, value]) => `${key}: ${String(value).replace(/\s+/g, ' ').slice(0, LONGEST)}`);
  return phrase` (${shown(set.title)}: ${shown(values.join(', '))}${shown(scalars.length > SHOWN ? ', ...' : '')})`;
}

/** Returns which parts of a template's output may be secret, as far as known before rendering. */
export function secrecyOfTemplate({ source, entry }: TemplateText): Secrecy {
  if (!isMap(entry)) return /secret|stringData|kind['"]?:[^\n]*<</i.test(source);
  const { kind } = entry;
  return typeof kind !== 'string' || kind.includes('<<') ? SECRET : writtenSecrets(entry, 'object');
}
