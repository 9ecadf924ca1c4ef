/** Reads one part of a value: a field of a map, an entry by key, an element by index. */
import { rawFieldName } from './field-names.ts';
import { storedType } from './stored.ts';
import { isRecord, kindOf } from './value/kind.ts';
import {
  type CelKey,
  CelMap,
  type CelRecord,
  type CelValue,
  EvaluationError,
  failure,
  keyText,
  missing,
  Optional,
  Uint,
  Unreadable,
} from './value/values.ts';

/**
 * Returns the entry of a key for `.field` and `[key]`, `undefined` if there is none. Values without parts have no
 * fields; an index that is not a number is an error.
 */
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

/** Copies a failure, so that each reader can set its own position. */
export const again = ({ reason, message }: EvaluationError): EvaluationError => new EvaluationError(reason, message);

/** @throws EvaluationError (failure) if the data does not match its schema */
export function readable<T extends CelValue | undefined>(value: T): T {
  if (value instanceof Unreadable) throw again(value.reason);
  return value;
}

/**
 * `container[key]`.
 * @throws EvaluationError (missing) if there is no such entry
 */
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

/** Returns a value as a map key: whole doubles match integer keys (CEL equality), other types cannot be keys. */
export function keyOf(value: CelValue): CelKey | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  return value instanceof Uint ? value : undefined;
}

function indexOf(key: CelValue): number {
  const value = key instanceof Uint ? key.value : key;
  if (typeof value === 'bigint') return Number(value);
  // Beyond 64 bits a double is not an index.
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63) return value;
  if (typeof value === 'number') throw failure(`unsupported index value ${value} in list`);
  throw failure(`unsupported index type '${kindOf(key)}' in list`);
}
