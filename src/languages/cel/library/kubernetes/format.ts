/** The Kubernetes format library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-format-library). */
import { fn, type Library, method } from '../../library.ts';
import { listOf, opaque, optionalOf, STRING } from '../../types.ts';
import { CelObject, Optional } from '../../value/values.ts';
import { FORMAT_RULES, type FormatRule } from './format-rules.ts';

class NamedFormat extends CelObject {
  readonly typeName = 'kubernetes.NamedFormat';
  constructor(
    readonly name: string,
    readonly rule: FormatRule,
  ) {
    super();
  }
  equals(other: CelObject): boolean {
    return other instanceof NamedFormat && this.name === other.name;
  }
}

const FORMAT = opaque<NamedFormat>('kubernetes.NamedFormat');

function named(name: string): Optional {
  const rule = FORMAT_RULES.get(name);
  return rule === undefined ? Optional.none : Optional.of(new NamedFormat(name, rule));
}

/** Returns none if the text is valid, else its errors. */
function validate({ rule }: NamedFormat, text: string): Optional {
  const faults = rule(text);
  return faults.length === 0 ? Optional.none : Optional.of(faults);
}

export const namedFormats: Library = {
  name: 'kubernetes format',
  overloads: [
    fn('format.named', [STRING], optionalOf(FORMAT), named),
    ...[...FORMAT_RULES].map(([name, rule]) => fn(`format.${name}`, [], FORMAT, () => new NamedFormat(name, rule))),
    method('validate', [FORMAT, STRING], optionalOf(listOf(STRING)), validate, { size: () => 4000 }),
  ],
};
