/**
 * Converts data of objects to values. The data is plain JSON and its meaning comes from the schema: a Secret's entry is
 * base64 text of type bytes, a timestamp is a string, a whole number may be in a double field. In kro a value that was
 * read keeps its schema through variables, functions and `dyn()` (kro: pkg/cel/unstructured); so do lists, maps and
 * objects here: reading returns a copy with its type and its stored form.
 */

import { decodeBase64 } from '../../core/encoding/base64.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { setKey, type ValueMap } from '../../core/model/value.ts';
import { parseFieldDuration, parseFieldTimestamp } from './std/times.ts';
import {
  type CelType,
  escapedFieldName,
  formatType,
  type ListType,
  type MapType,
  type ObjectType,
  rawFieldName,
} from './types.ts';
import {
  CelMap,
  type CelRecord,
  type CelValue,
  EvaluationError,
  failure,
  fixedFailure,
  isList,
  isMapValue,
  isRecord,
  keyOf,
  keyText,
  kindOf,
  missing,
  Optional,
  outcomeOf,
  readable,
  Uint,
  Unreadable,
} from './value/values.ts';

/** Returns the entry for `.field` and `[key]`, `undefined` if there is none; an index must be a number. */
export function find(container: CelValue, key: CelValue): CelValue | undefined {
  if (typeof key === 'string' && isRecord(container)) return readable(entryOf(container, key));
  if (Array.isArray(container)) return readable(container[indexOf(key)]);
  if (typeof key === 'number' && !Number.isInteger(key)) return undefined;
  const known = keyOf(key);
  if (known === undefined) throw failure(`unsupported key type: ${kindOf(key)}`);
  return container instanceof CelMap ? container.entries.get(keyText(known))?.[1] : undefined;
}

/** In an object of declared fields names are escaped, and null means that the field is not set. */
function entryOf(container: CelRecord, key: string): CelValue | undefined {
  if (storedType(container)?.kind !== 'object') return Object.hasOwn(container, key) ? container[key] : undefined;
  const name = rawFieldName(key);
  return Object.hasOwn(container, name) ? (container[name] ?? undefined) : undefined;
}

/** `container[key]`. @throws EvaluationError (missing) if there is no such entry */
export function index(container: CelValue, key: CelValue): CelValue {
  const found = find(container, key);
  if (found !== undefined) return found;
  if (!Array.isArray(container)) throw noSuchKey(key, container);
  throw missing(`index out of bounds: ${keyLabel(key)}`, { what: 'element', key, on: container });
}

export const noSuchKey = (key: CelValue, on: CelValue): EvaluationError =>
  missing(`no such key: ${keyLabel(key)}`, { what: 'key', key, on });

const keyLabel = (key: CelValue): string => (key instanceof Uint ? `${key.value}` : String(key));

/** `container[?key]` and `container.?field`; an empty optional container returns an empty optional. */
export function findOptional(container: CelValue, key: CelValue): Optional {
  if (container instanceof Optional)
    return container.value === undefined ? container : findOptional(container.value, key);
  const found = find(container, key);
  return found === undefined ? Optional.none : Optional.of(found);
}

function indexOf(key: CelValue): number {
  const value = key instanceof Uint ? key.value : key;
  if (typeof value === 'bigint') return Number(value);
  // Beyond 64 bits a double is not an index.
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63) return value;
  if (typeof value === 'number') throw failure(`unsupported index value ${value} in list`);
  throw failure(`unsupported index type '${kindOf(key)}' in list`);
}

export type StoredType = ListType | MapType | ObjectType;

interface Origin {
  readonly type: StoredType;
  /** The original data; `undefined` for a computed list. */
  readonly form: CelValue | undefined;
}

const origins = new WeakMap<object, Origin>();

/** Results for each value and type. */
type Cache = WeakMap<object, Map<CelType, CelValue>>;

const cached = (cache: Cache, value: object, type: CelType, compute: () => CelValue): CelValue =>
  getOrCompute(
    getOrCompute(cache, value, () => new Map()),
    type,
    compute,
  );

const copies: Cache = new WeakMap();

/** Returns the type of the data of a list, map or object that was read, `undefined` for a computed one. */
export const storedType = (value: object): StoredType | undefined => origins.get(value)?.type;

/** Returns the original data of a value, or the value itself if it was computed. */
export function storedForm(value: CelValue): CelValue {
  const form = typeof value === 'object' && value !== null ? origins.get(value)?.form : undefined;
  return form ?? value;
}

/** Returns a computed list that behaves like stored ones of a type, for example the sum of two sets. */
export function withType(list: readonly CelValue[], type: ListType): readonly CelValue[] {
  origins.set(list, { type, form: undefined });
  return list;
}

/** Returns the type of a list that is a set or keyed, `undefined` for others. */
export function keyedListType(list: readonly CelValue[]): ListType | undefined {
  const type = storedType(list);
  return type?.kind === 'list' && type.listType !== undefined ? type : undefined;
}

/** Reports whether data of this type needs no conversion. */
export const isPlain = (type: CelType): boolean => type.kind === 'dyn' && type.strict !== true;

/** Returns the value of data of a type; values are unchanged. @throws EvaluationError (failure) for other data */
export function fromStored(data: CelValue, type: CelType): CelValue {
  if (data === null) return nullOf(type);
  if (typeof data === 'object' && !Array.isArray(data) && !isRecord(data)) return data;
  switch (type.kind) {
    case 'string':
      return typeof data === 'string' ? data : unexpected('string', data);
    case 'bool':
      return typeof data === 'boolean' ? data : unexpected('bool', data);
    case 'int':
      return typeof data === 'bigint' ? data : toInt(data);
    case 'double':
      return typeof data === 'number' ? data : typeof data === 'bigint' ? Number(data) : unexpected('float', data);
    case 'bytes':
      return toBytes(text(data));
    case 'duration':
      return parseFieldDuration(text(data));
    case 'timestamp':
      return parseFieldTimestamp(text(data));
    case 'list':
      return Array.isArray(data) ? copied(data, type, copyList) : unexpected('an array', data);
    case 'map':
    case 'object':
      if (!isRecord(data)) return unexpected('a map', data);
      // kro returns an object without declared fields as plain data.
      return type.kind === 'object' && type.bare === true ? data : copied(data, type, copyRecord);
    default:
      return data;
  }
}

const invalid = (why: string): EvaluationError => fixedFailure(`invalid data, ${why}`);

function nullOf(type: CelType): null {
  if (type.nullable === true || type.kind === 'null' || isPlain(type)) return null;
  throw invalid('got null for schema with nullable=false');
}

const GO_KINDS: Readonly<Record<string, string>> = {
  bigint: 'int64',
  number: 'float64',
  boolean: 'bool',
  object: 'map',
};

function unexpected(wanted: string, data: CelValue): never {
  const found = Array.isArray(data) ? 'list' : (GO_KINDS[typeof data] ?? 'string');
  throw invalid(`expected ${wanted}, got ${found}`);
}

function toInt(data: CelValue): bigint {
  if (typeof data !== 'number') return unexpected('int', data);
  if (Number.isInteger(data) && data >= -(2 ** 63) && data < 2 ** 63) return BigInt(data);
  throw failure(`invalid data, expected int, got non-integer float ${data}`);
}

const text = (data: CelValue): string => (typeof data === 'string' ? data : unexpected('string', data));

/** Both alphabets are accepted: kro 0.9.4 accepts the standard one only, kro 0.9.3 that for URLs. */
function toBytes(data: string): CelValue {
  const bytes = decodeBase64(data.replace(/-/g, '+').replace(/_/g, '/'));
  if (bytes instanceof Uint8Array) return bytes;
  throw fixedFailure('invalid byte formatted string: not base64');
}

/** Returns the cached copy of a list or map for a type, or a new one. */
function copied<D extends object & CelValue, T extends StoredType>(
  data: D,
  type: T,
  copy: (data: D, type: T) => CelValue,
): CelValue {
  return cached(copies, data, type, () => {
    const stored = copy(data, type);
    if (type.kind !== 'list' || type.collection !== true) origins.set(stored as object, { type, form: data });
    return stored;
  });
}

const copyList = (list: readonly CelValue[], { element }: ListType): CelValue =>
  list.map((item) => part(item, element));

function copyRecord(record: CelRecord, type: MapType | ObjectType): CelValue {
  const copy: Record<string, CelValue> = {};
  for (const key of Object.keys(record)) {
    setKey(copy as ValueMap, key, partOf(record[key] as CelValue, key, type) as ValueMap[string]);
  }
  return copy;
}

function partOf(data: CelValue, key: string, type: MapType | ObjectType): CelValue {
  if (type.kind === 'map') return part(data, type.value);
  // Read as a field that is not set.
  if (data === null) return null;
  const name = escapedFieldName(key);
  const field = name === undefined ? undefined : type.field(name);
  return field === undefined ? data : part(data, field);
}

const part = (data: CelValue, type: CelType): CelValue => partFrom(() => fromStored(data, type));

/** Returns a part of stored data; one that does not match its schema is an error only when it is read. */
function partFrom(read: () => CelValue): CelValue {
  const value = outcomeOf(read);
  return value instanceof EvaluationError ? new Unreadable(value) : value;
}

/*
 * Values that are added to a list that was read: the sum keeps the schema of its items, so that invalid items fail when
 * they are read (kro: unstructuredList.Add in pkg/cel/unstructured). kro rejects computed objects, lists, durations,
 * timestamps and bytes; here they are accepted if their type matches.
 */

/** Values as items of a type: most sums are computed in loops. */
const sums: Cache = new WeakMap();

/** Returns the value as an item of a list whose items have this type; an invalid one can be added but not read. */
export function fitted(value: CelValue, type: CelType): CelValue {
  if (typeof value !== 'object' || value === null) return partFrom(() => fitting(value, type));
  if (type.kind === 'dyn' || storedType(value) === type || value instanceof Unreadable) return value;
  if (value instanceof Optional) return fitted(value.value ?? null, type);
  return cached(sums, value, type, () => partFrom(() => fitting(value, type)));
}

function fitting(value: CelValue, type: CelType): CelValue {
  if (typeof value !== 'object' || value === null) return fromStored(value, type);
  if (!isList(value) && (value instanceof CelMap || !isMapValue(value))) return ofClass(value, type);
  const read = fromStored(storedForm(value), type);
  // A value that was read keeps its stored form, whatever it contains.
  if (isList(value) || storedType(value) !== undefined) return read;
  return unreadableIn(read as CelRecord) ?? value;
}

function ofClass(value: CelValue, type: CelType): CelValue {
  const wanted = formatType(type);
  const fits = value instanceof CelMap ? ['map', 'object'].includes(type.kind) : kindOf(value) === wanted;
  if (fits) return value;
  throw fixedFailure(`invalid data, expected ${wanted}, got ${kindOf(value)}`);
}

/** Returns the first invalid part of a copy that was read. */
function unreadableIn(value: CelValue): Unreadable | undefined {
  if (value instanceof Unreadable) return value;
  if (typeof value !== 'object' || value === null || storedType(value) === undefined) return undefined;
  for (const part of Object.values(value)) {
    const found = unreadableIn(part as CelValue);
    if (found !== undefined) return found;
  }
  return undefined;
}
