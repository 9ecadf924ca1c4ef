import {
  type CelKey,
  CelMap,
  CelObject,
  type CelRecord,
  type CelValue,
  Duration,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  Unreadable,
} from './values.ts';

/** Narrows to a list value; `Array.isArray` alone does not narrow read-only arrays. */
export const isList = (value: CelValue): value is readonly CelValue[] => Array.isArray(value);

/** Reports whether a value is an ordinary object, which is a map with string keys. */
export function isRecord(value: CelValue): value is CelRecord {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Reports whether the value is a map in either of its two forms. */
export const isMapValue = (value: CelValue): value is CelRecord | CelMap => value instanceof CelMap || isRecord(value);

/** Returns the run-time type name of a value, as in cel-go's messages. */
export function kindOf(value: CelValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
  }
  if (value === null) return 'null_type';
  if (isList(value)) return 'list';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof CelObject) return value.type.name;
  if (value instanceof Unreadable) return 'error';
  return 'map';
}

/** Returns Go's name of the type of a map key. */
export function keyKind(key: CelKey): string {
  if (typeof key === 'bigint') return 'int64';
  return key instanceof Uint ? 'uint64' : typeof key === 'boolean' ? 'bool' : 'string';
}
