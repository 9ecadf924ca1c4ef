import type { Problem } from '../../diagnostics/index.ts';
import { fromBytes, type TemplateError } from '../../gotemplate/index.ts';
import { isMap } from '../../model/value.ts';
import { isSecret, isSecretKind, SECRET, type Secrecy, writtenSecrets } from '../../secrecy/index.ts';
import { canonicalSource } from '../canonical/index.ts';
import type { InputSet } from '../inputs/combine.ts';
import { hintFor } from './hints.ts';
import type { TemplateText } from './template-text.ts';

const CODES = {
  syntax: 'template-syntax',
  'missing-key': 'template-key',
  execution: 'template-execution',
  budget: 'budget-exceeded',
} as const;

/** What is wrong with a template, at the place in the file that it is about. */
export function problemOf(fault: TemplateError, text: TemplateText, set?: InputSet, secret?: () => Secrecy): Problem {
  const at = fromBytes(text.bytes.slice(0, fault.offset)).length;
  const place = text.entry === undefined ? { path: [], offset: at } : canonicalSource(text.entry, at);
  const hint = hintFor(fault, text, set?.values);
  const isHidden = fault.kind === 'execution' && isSecret(secrecyOfTemplate(text), place.path);
  const message = isHidden ? fault.message.replace(/"(?:[^"\\]|\\.)*"/g, '"(hidden)"') : fault.message;
  return {
    code: CODES[fault.kind],
    message: `${message}${aboutSet(set, secret)}`,
    path: [...text.path, ...place.path],
    ...(place.offset !== undefined && { offset: place.offset }),
    ...(hint !== undefined && { hint }),
  };
}

const SHOWN = 3;
const LONGEST = 40;

/** Which inputs a template was rendered for, with the first texts and numbers of them for people to find them by. */
export function aboutSet(set: InputSet | undefined, secret: () => Secrecy = () => true): string {
  if (set === undefined) return '';
  const hidden = secret();
  const scalars = Object.entries(set.values).filter(
    ([key, value]) => key !== 'provider' && !isMap(value) && !Array.isArray(value) && !isSecret(hidden, [key]),
  );
  if (scalars.length === 0) return ` (${set.title})`;
  const shown = scalars
    .slice(0, SHOWN)
    .map(([key, value]) => `${key}: ${String(value).replace(/\s+/g, ' ').slice(0, LONGEST)}`);
  return ` (${set.title}: ${shown.join(', ')}${scalars.length > SHOWN ? ', ...' : ''})`;
}

/** What a template may make of Secrets, as far as it can be told before it is rendered. */
export function secrecyOfTemplate({ bytes, entry }: TemplateText): Secrecy {
  if (!isMap(entry)) return /secret|stringData|kind['"]?:[^\n]*<</i.test(bytes);
  const { kind } = entry;
  return typeof kind !== 'string' || kind.includes('<<') || isSecretKind(kind)
    ? SECRET
    : writtenSecrets(entry, 'object');
}
