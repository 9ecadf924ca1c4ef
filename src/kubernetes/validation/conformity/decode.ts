import { isMap, setKey, type Value, type ValueMap } from '../../../core/model/value.ts';
import { memberSchema, type Schema } from '../../schema/index.ts';
import { isInt64 } from '../type.ts';

/** A copy whose numbers are those that a JSON decoder of Kubernetes reads: whole ones are integers where int64 holds them. */
export function asDecoded(value: Value): Value {
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value);
  if (typeof value === 'number') {
    return Number.isInteger(value) && isInt64(BigInt(value)) ? BigInt(value) : value;
  }
  return Array.isArray(value) ? value.map(asDecoded) : isMap(value) ? mapped(value, asDecoded) : value;
}

/** A copy without the entries of maps that are null. */
export function withoutNulls(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isMap(value) ? mapped(value, (one) => (one === null ? undefined : withoutNulls(one))) : value;
}

/**
 * A copy with the defaults of its schema and without the nulls that the schema does not take
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting, Default and PruneNonNullableNullsWithoutDefaults). A
 * null in a list stays where its type has no default.
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

/** Metadata is read into ObjectMeta and written again, which leaves out what is empty. */
function unlessEmpty(value: Value): Value | undefined {
  if (isMap(value)) return Object.keys(value).length === 0 ? undefined : value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  return value === null || value === '' || value === 0n ? undefined : value;
}

/** `undefined` for a null that is dropped. */
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
