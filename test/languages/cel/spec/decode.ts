import { decodeBase64 } from '../../../../src/core/encoding/base64.ts';
import { parseDuration, parseTimestamp } from '../../../../src/languages/cel/std/times.ts';
import { type CelType, listOf, mapOf, opaque, optionalOf, param, typeOf } from '../../../../src/languages/cel/types.ts';
import { mapFrom } from '../../../../src/languages/cel/value/order.ts';
import { type CelKey, type CelValue, TypeValue, Uint } from '../../../../src/languages/cel/value/values.ts';
import type { SpecType, SpecValue } from './suite.ts';

/** Thrown for protobuf messages, which this engine does not have. */
export class NeedsMessages extends Error {}

/** A `cel.expr.Value` in its JSON form. */
export function decodeValue(value: SpecValue): CelValue {
  const [kind = '', held] = Object.entries(value)[0] ?? [];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
      return held as boolean;
    case 'int64Value':
      return BigInt(held as string);
    case 'uint64Value':
      return new Uint(BigInt(held as string));
    case 'doubleValue':
      return Number(held);
    case 'stringValue':
      return held as string;
    case 'bytesValue':
      return decodeBase64(held as string) as Uint8Array;
    case 'typeValue':
      return new TypeValue(held as string);
    case 'listValue':
      return ((held as { values?: SpecValue[] }).values ?? []).map(decodeValue);
    case 'mapValue':
      return decodeMap((held as { entries?: { key: SpecValue; value: SpecValue }[] }).entries ?? []);
    case 'objectValue':
      return decodeObject(held as { '@type': string; value: string });
    default:
      throw new NeedsMessages(kind);
  }
}

function decodeMap(entries: readonly { key: SpecValue; value: SpecValue }[]): CelValue {
  return mapFrom(entries.map(({ key, value }) => [decodeValue(key) as CelKey, decodeValue(value)] as const));
}

function decodeObject(object: { '@type': string; value: string }): CelValue {
  if (object['@type'].endsWith('google.protobuf.Duration')) return parseDuration(object.value);
  if (object['@type'].endsWith('google.protobuf.Timestamp')) return parseTimestamp(object.value);
  throw new NeedsMessages(object['@type']);
}

const PRIMITIVES: Readonly<Record<string, CelType>> = {
  BOOL: { kind: 'bool' },
  INT64: { kind: 'int' },
  UINT64: { kind: 'uint' },
  DOUBLE: { kind: 'double' },
  STRING: { kind: 'string' },
  BYTES: { kind: 'bytes' },
  DURATION: { kind: 'duration' },
  TIMESTAMP: { kind: 'timestamp' },
  ANY: { kind: 'dyn' },
};

/** A `cel.expr.Type` in its JSON form. */
export function decodeType(type: SpecType): CelType {
  const [kind = '', held] = Object.entries(type)[0] ?? [];
  switch (kind) {
    case 'primitive':
    case 'wellKnown':
      return PRIMITIVES[held as string] ?? { kind: 'dyn' };
    case 'dyn':
      return { kind: 'dyn' };
    case 'null':
      return { kind: 'null' };
    case 'listType':
      return listOf(decodeType((held as { elemType: SpecType }).elemType));
    case 'mapType': {
      const { keyType, valueType } = held as { keyType: SpecType; valueType: SpecType };
      return mapOf(decodeType(keyType), decodeType(valueType));
    }
    case 'type':
      return typeOf(decodeType(held as SpecType));
    case 'typeParam':
      return param(held as string);
    case 'abstractType':
      return decodeAbstract(held as { name: string; parameterTypes?: SpecType[] });
    default:
      throw new NeedsMessages(kind);
  }
}

function decodeAbstract({ name, parameterTypes = [] }: { name: string; parameterTypes?: SpecType[] }): CelType {
  const [first] = parameterTypes;
  if (name === 'optional_type' && first !== undefined) return optionalOf(decodeType(first));
  if (parameterTypes.length === 0) return opaque(name);
  throw new NeedsMessages(`abstract type ${name} with parameters`);
}
