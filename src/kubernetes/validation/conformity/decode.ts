import { isMap, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { memberSchema, type Schema } from '../../schema/index.ts';
import { isInt64 } from '../type.ts';

/** Returns a copy with the numbers of a JSON decoder of Kubernetes: whole ones are integers if they fit int64. */
export function asDecoded(value: Value): Value {
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value);
  if (typeof value === 'number') {
    return Number.isInteger(value) && isInt64(BigInt(value)) ? BigInt(value) : value;
  }
  return Array.isArray(value) ? value.map(asDecoded) : isMap(value) ? mapped(value, asDecoded) : value;
}

/** Returns a copy without null entries of maps. */
export function withoutNulls(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isMap(value) ? mapped(value, (one) => (one === null ? undefined : withoutNulls(one))) : value;
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
