import { namedTypes } from '../check/type-names.ts';
import { opaque } from '../types.ts';
import { kindOf } from '../value/kind.ts';
import { type CelValue, TypeValue } from '../value/values.ts';

const known = new Map<string, TypeValue>();

/** Returns the type value of a name: `int`, `list`, `google.protobuf.Duration`, `kubernetes.Quantity`. */
export function typeValue(name: string): TypeValue {
  let value = known.get(name);
  if (value === undefined) {
    value = new TypeValue(opaque(name));
    if (namedTypes.has(name)) known.set(name, value);
  }
  return value;
}

/** `type(value)`: lists and maps have one type each, whatever they contain. */
export const typeValueOf = (value: CelValue): TypeValue => typeValue(kindOf(value));
