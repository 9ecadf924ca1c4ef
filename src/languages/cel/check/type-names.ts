import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  STRING,
  TIMESTAMP,
  typeOf,
  UINT,
} from '../types.ts';
import { kindOf } from '../value/kind.ts';
import { type CelValue, TypeValue } from '../value/values.ts';

/** The types that CEL names (https://github.com/google/cel-spec/blob/master/doc/langdef.md#types). */
export const namedTypes: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', BOOL],
  ['bytes', BYTES],
  ['double', DOUBLE],
  ['google.protobuf.Duration', DURATION],
  ['int', INT],
  ['list', listOf(DYN)],
  ['map', mapOf(DYN, DYN)],
  ['null_type', NULL],
  ['optional_type', { kind: 'optional', value: DYN }],
  ['string', STRING],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['type', typeOf(DYN)],
  ['uint', UINT],
]);

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
