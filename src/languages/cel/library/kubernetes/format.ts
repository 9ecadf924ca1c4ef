/** The Kubernetes format library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-format-library). */
import { fn, type Library, method } from '../../library.ts';
import { listOf, optionalOf, STRING } from '../../types.ts';
import { type CelObject, Optional, ownType } from '../../value/values.ts';
import { FORMAT_RULES } from './format-rules.ts';

const [FORMAT, formatOf] = ownType<string>('kubernetes.NamedFormat', (a, b) => a === b);

const named = (name: string): Optional => (FORMAT_RULES.has(name) ? Optional.of(formatOf(name)) : Optional.none);

/** Returns none if the text is valid, else its errors. */
function validate({ held }: CelObject<string>, text: string): Optional {
  const faults = FORMAT_RULES.get(held)?.(text) ?? [];
  return faults.length === 0 ? Optional.none : Optional.of(faults);
}

export const namedFormats: Library = {
  name: 'kubernetes format',
  overloads: [
    fn('format.named', [STRING], optionalOf(FORMAT), named),
    ...[...FORMAT_RULES.keys()].map((name) => fn(`format.${name}`, [], FORMAT, () => formatOf(name))),
    method('validate', [FORMAT, STRING], optionalOf(listOf(STRING)), validate, { size: () => 4000 }),
  ],
};
