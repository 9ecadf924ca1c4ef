import type { Value } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';

/** Reports whether kro accepts anything under a schema. */
export const isOpen = (schema: Schema | undefined): boolean =>
  schema?.['x-kubernetes-preserve-unknown-fields'] === true;

/** Returns the JSON types that a schema allows, `undefined` for any (kro: getExpectedTypes). */
export function expectedTypes(schema: Schema): readonly string[] | undefined {
  if (isOpen(schema)) return undefined;
  if (schema['x-kubernetes-int-or-string'] === true) return ['string', 'integer'];
  const variants = alternativeTypes(schema.oneOf) ?? alternativeTypes(schema.anyOf);
  if (variants !== undefined) return variants;
  return schema.type === undefined ? undefined : [schema.type];
}

function alternativeTypes(schemas: readonly Schema[] | undefined): readonly string[] | undefined {
  const types = new Set<string>();
  for (const schema of schemas ?? []) {
    if (schema.required !== undefined || schema.not !== undefined) types.add('object');
    if (schema.type !== undefined) types.add(schema.type);
  }
  return types.size === 0 ? undefined : [...types];
}

export function typeNameOf(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  return typeof value;
}

export function fits(actual: string, wanted: readonly string[], schema: Schema | undefined): boolean {
  if (wanted.includes(actual)) return true;
  if (actual === 'integer') return wanted.includes('number');
  if (actual === 'object') return schema?.additionalProperties !== undefined && schema.additionalProperties !== false;
  return false;
}

/** Returns the schema of a key; `undefined` if any value is allowed. */
export function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined | 'unknown' {
  if (schema === undefined) return undefined;
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  if (schema.additionalProperties === true) return undefined;
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
    return schema.additionalProperties;
  return schema.type === undefined && schema.properties === undefined ? undefined : 'unknown';
}
