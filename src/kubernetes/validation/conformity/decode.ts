import { isMap, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { memberSchema, type Schema } from '../../schema/index.ts';
import { isInt64 } from '../type.ts';

/** What a value contains, found in one walk: numbers that a JSON decoder of Kubernetes reads otherwise, and nulls. */
export function traitsOf(value: Value): number {
  if (typeof value === 'string' || typeof value === 'boolean') return 0;
  if (value === null) return NULL;
  if (typeof value !== 'object') return decoded(value) === value ? 0 : NUMBER;
  let traits = 0;
  if (Array.isArray(value)) for (const one of value) traits |= traitsOf(one);
  else for (const key in value) traits |= traitsOf((value as ValueMap)[key] as Value);
  return traits;
}
const NUMBER = 1;
const NULL = 2;

/**
 * Returns the value with the numbers of a JSON decoder of Kubernetes: whole ones are integers if they fit int64. It is a
 * copy only if a number differs.
 */
export const asDecoded = (value: Value, traits = traitsOf(value)): Value =>
  (traits & NUMBER) === 0 ? value : decoded(value);

function decoded(value: Value): Value {
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value);
  if (typeof value === 'number') {
    return Number.isInteger(value) && isInt64(BigInt(value)) ? BigInt(value) : value;
  }
  return Array.isArray(value) ? value.map(decoded) : isMap(value) ? mapped(value, decoded) : value;
}

/** Returns the value without null entries of maps: a copy only if there is a null. */
export const withoutNulls = (value: Value, traits = traitsOf(value)): Value =>
  (traits & NULL) === 0 ? value : clearOfNulls(value);

function clearOfNulls(value: Value): Value {
  if (Array.isArray(value)) return value.map(clearOfNulls);
  return isMap(value) ? mapped(value, (one) => (one === null ? undefined : clearOfNulls(one))) : value;
}

/**
 * Returns a copy with the defaults of its schema and without nulls that the schema rejects
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting, Default and PruneNonNullableNullsWithoutDefaults). A
 * null in a list stays if its type has no default.
 */
export function withDefaults(schema: Schema | undefined, value: Value): Value {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => filled(schema.items, item) ?? null);
  if (!isMap(value)) return value;
  const copy = mapped(value, (one, key) => filled(memberSchema(schema, key), one));
  for (const [key, { default: fallback }] of Object.entries(schema.properties ?? {})) {
    if (fallback === undefined || Object.hasOwn(copy, key)) continue;
    setKey(copy, key, withDefaults(schema.properties?.[key], asDecoded(fallback)));
  }
  const { metadata } = copy;
  if (schema['x-kubernetes-embedded-resource'] === true && isMap(metadata))
    copy.metadata = mapped(metadata, unlessEmpty);
  return copy;
}

/** Removes empty fields, because metadata is decoded into ObjectMeta and encoded again. */
function unlessEmpty(value: Value): Value | undefined {
  if (isMap(value)) return Object.keys(value).length === 0 ? undefined : value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  return value === null || value === '' || value === 0n ? undefined : value;
}

/** Returns `undefined` for a null that is dropped. */
function filled(schema: Schema | undefined, value: Value): Value | undefined {
  if (value !== null || schema === undefined || schema.nullable === true) return withDefaults(schema, value);
  return schema.default === undefined ? undefined : withDefaults(schema, asDecoded(schema.default));
}

function mapped(map: ValueMap, change: (value: Value, key: string) => Value | undefined): ValueMap {
  const copy: ValueMap = {};
  for (const key of Object.keys(map)) {
    const changed = change(map[key] as Value, key);
    if (changed !== undefined) setKey(copy, key, changed);
  }
  return copy;
}
