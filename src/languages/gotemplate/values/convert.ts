import type { Value, ValueMap } from '../../../core/model/value.ts';
import { isMap, setKey } from '../../../core/model/value.ts';
import { fromBytes, toBytes } from '../bytes.ts';
import { timeJson } from './times.ts';
import { GoInt, GoList, GoMap, GoTime, type GoValue, list, NilInterface } from './values.ts';

/** Converts a value of Kubernetes for templates: an integer is an int64. */
export function toGoValue(value: Value): GoValue {
  if (typeof value === 'string') return toBytes(value);
  if (Array.isArray(value)) return list(value.map(toGoValue));
  return isMap(value) ? toGoMap(value) : value;
}

export function toGoMap(value: ValueMap): GoMap {
  const entries = new Map<string, GoValue>();
  for (const key of Object.keys(value)) entries.set(toBytes(key), toGoValue(value[key] ?? null));
  return new GoMap(entries);
}

/** Converts a value to JSON; numbers that JSON cannot represent are unchanged. */
export function fromGoValue(value: GoValue): Value {
  if (value === null || value instanceof NilInterface) return null;
  if (typeof value === 'string') return fromBytes(value);
  if (value instanceof GoInt) return value.value;
  if (value instanceof GoTime) return timeJson(value);
  if (value instanceof GoList) return value.isNil ? null : value.items.map(fromGoValue);
  return value instanceof GoMap ? fromGoMap(value) : value;
}

function fromGoMap({ entries, isNil }: GoMap): Value {
  if (isNil) return null;
  const map: ValueMap = {};
  for (const [key, item] of entries) setKey(map, fromBytes(key), fromGoValue(item));
  return map;
}
