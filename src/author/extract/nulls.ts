import { isMap, mapItems, type Value } from '../../core/model/value.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';

/** Reports whether an API server reads null as an absent field: it does unless the schema says `nullable`. */
export const isNullAbsent = (schema: Schema | undefined): boolean =>
  schema?.type !== undefined && schema.nullable !== true && schema['x-kubernetes-preserve-unknown-fields'] !== true;

/** Returns a value without nulls that an API server reads as absent fields, with a call for each of them. */
export function withoutNulls(value: Value, schema: Schema | undefined, onNull: () => void): Value {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, schema?.items, onNull));
  if (!isMap(value)) return value;
  return mapItems(value, (inner, key) => {
    const member = memberSchema(schema, String(key));
    if (inner !== null || !isNullAbsent(member)) return withoutNulls(inner, member, onNull);
    onNull();
    return undefined;
  });
}
