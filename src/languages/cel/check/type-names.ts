import { getOrCompute } from '../../../core/model/lazily.ts';
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
  optionalOf,
  STRING,
  TIMESTAMP,
  typeName,
  typeOf,
  UINT,
} from '../types.ts';
import { type CelValue, kindOf, TypeValue } from '../value/values.ts';

/** The types that CEL names (https://github.com/google/cel-spec/blob/master/doc/langdef.md#types). */
export const namedTypes: ReadonlyMap<string, CelType> = new Map(
  [
    ...[BOOL, BYTES, DOUBLE, DURATION, INT, listOf(DYN), mapOf(DYN, DYN), NULL, optionalOf(DYN), STRING, TIMESTAMP],
    ...[typeOf(DYN), UINT],
  ].map((type): [string, CelType] => [typeName(type), type]),
);

const known = new Map<string, TypeValue>();

/** Returns the type value of a name: `int`, `list`, `google.protobuf.Duration`, `kubernetes.Quantity`. */
export const typeValue = (name: string): TypeValue =>
  namedTypes.has(name) ? getOrCompute(known, name, () => new TypeValue(opaque(name))) : new TypeValue(opaque(name));

/** `type(value)`: lists and maps have one type each, whatever they contain. */
export const typeValueOf = (value: CelValue): TypeValue => typeValue(kindOf(value));
