/**
 * Data is plain JSON and its type comes from the schema: a Secret's value is base64 text of static type bytes, a
 * timestamp is a string, a whole number may stand in a double field. What is read is converted here, one value at a
 * time, so that maps and lists that are only passed on keep their stored form (kro: pkg/cel/unstructured).
 */
import { decodeBase64 } from '../../encoding/base64.ts';
import { isRecord } from '../access.ts';
import { type Budget, spendSize, spendSteps } from '../budget.ts';
import { recordFrom } from '../library/values/maps.ts';
import { parseFieldDuration, parseFieldTimestamp } from '../std/field-time.ts';
import type { CelType } from '../types.ts';
import { type CelRecord, type CelValue, failure, fixedFailure, Optional } from '../values.ts';

export type Coerce = (value: CelValue) => CelValue;

/** The conversion of values of a static type, `undefined` when they are used as they are. */
export function coercion(type: CelType): Coerce | undefined {
  switch (type.kind) {
    case 'int':
      return toInt;
    case 'double':
      return toDouble;
    case 'bytes':
      return toBytes;
    case 'duration':
      return (value) => (typeof value === 'string' ? parseFieldDuration(value) : value);
    case 'timestamp':
      return (value) => (typeof value === 'string' ? parseFieldTimestamp(value) : value);
    case 'optional': {
      const inner = coercion(type.value);
      return inner && ((value) => inOptional(value, inner));
    }
    default:
      return undefined;
  }
}

function toInt(value: CelValue): CelValue {
  if (typeof value !== 'number') return value;
  if (Number.isInteger(value)) return BigInt(value);
  throw failure(`invalid data, expected int, got non-integer float ${value}`);
}

const toDouble: Coerce = (value) => (typeof value === 'bigint' ? Number(value) : value);

/** kro reads the URL alphabet and fails on `+` and `/`, which every Secret may hold; both are read here. */
function toBytes(value: CelValue): CelValue {
  if (typeof value !== 'string') return value;
  const bytes = decodeBase64(value.replace(/-/g, '+').replace(/_/g, '/'));
  if (bytes instanceof Uint8Array) return bytes;
  throw fixedFailure('invalid byte formatted string: not base64');
}

function inOptional(value: CelValue, inner: Coerce): CelValue {
  if (!(value instanceof Optional) || value.value === undefined) return value;
  const converted = inner(value.value);
  return converted === value.value ? value : Optional.of(converted);
}

/** A conversion that looks inside of lists and maps, parts of which may be shared, so that it has to be paid for. */
export type DeepCoerce = (value: CelValue, budget: Budget) => CelValue;

/** The same for lists and maps that a function gets: they are converted whole, since the function looks inside. */
export function argumentCoercion(type: CelType): DeepCoerce | undefined {
  return type.kind === 'list' || type.kind === 'map' || type.kind === 'optional' ? deepCoercion(type) : undefined;
}

function deepCoercion(type: CelType): DeepCoerce | undefined {
  switch (type.kind) {
    case 'list': {
      const inner = deepCoercion(type.element);
      return inner && ((value, budget) => (Array.isArray(value) ? convertList(value, inner, budget) : value));
    }
    case 'map': {
      const inner = deepCoercion(type.value);
      return inner && ((value, budget) => (isRecord(value) ? convertRecord(value, inner, budget) : value));
    }
    case 'optional': {
      const inner = deepCoercion(type.value);
      return inner && ((value, budget) => inOptional(value, (held) => inner(held, budget)));
    }
    default:
      return coercion(type);
  }
}

function convertList(list: readonly CelValue[], inner: DeepCoerce, budget: Budget): CelValue {
  spendSteps(budget, 1 + (list.length >> 3));
  let converted: CelValue[] | undefined;
  for (let place = 0; place < list.length; place++) {
    const item = list[place] as CelValue;
    const value = inner(item, budget);
    if (value !== item && converted === undefined) {
      spendSize(budget, list.length);
      converted = list.slice(0, place);
    }
    converted?.push(value);
  }
  return converted ?? list;
}

function convertRecord(record: CelRecord, inner: DeepCoerce, budget: Budget): CelValue {
  const entries = Object.entries(record);
  spendSteps(budget, 1 + entries.length);
  const converted = entries.map(([key, value]) => [key, inner(value, budget)] as const);
  if (converted.every(([key, value]) => value === record[key])) return record;
  spendSize(budget, entries.length);
  return recordFrom(converted);
}
