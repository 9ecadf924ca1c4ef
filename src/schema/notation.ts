import type { Value, ValueMap } from '../model/value.ts';
import { isMap } from '../model/value.ts';
import { fillSchema } from './convert.ts';
import type { Schema } from './schema.ts';

type Resolve = (ref: string) => Schema | undefined;

/** Reads a schema in the notation of `table/kubernetes.ts` into `schema`. */
export function readNotation(schema: Schema, text: string, resolve: Resolve): void {
  fillSchema(schema, expand(JSON.parse(text)), { resolve });
}

/** A schema in the notation as OpenAPI writes it. */
function expand(value: Value): ValueMap {
  if (typeof value === 'string') return expandName(value);
  if (Array.isArray(value)) return expandList(value);
  if (!isMap(value)) return {};
  const { '*': values, ...rest } = value;
  if (values !== undefined) return { type: 'object', additionalProperties: expand(values) };
  const schema: ValueMap = { ...rest };
  if (isMap(value.properties)) {
    schema.type ??= 'object';
    const properties = Object.entries(value.properties);
    schema.properties = Object.fromEntries(properties.map(([name, property]) => [name, expand(property)]));
  }
  if (value.enum !== undefined) schema.type ??= 'string';
  if (value.items !== undefined) schema.items = expand(value.items);
  if (value.additionalProperties !== undefined) schema.additionalProperties = expand(value.additionalProperties);
  if (Array.isArray(value.oneOf)) schema.oneOf = value.oneOf.map(expand);
  return schema;
}

function expandName(name: string): ValueMap {
  if (name.startsWith('#')) return { $ref: name.slice(1) };
  const colon = name.indexOf(':');
  return colon < 0 ? { type: name } : { type: name.slice(0, colon), format: name.slice(colon + 1) };
}

function expandList([item, listType, ...keys]: readonly Value[]): ValueMap {
  const schema: ValueMap = { type: 'array', items: expand(item ?? {}) };
  if (listType !== undefined) schema['x-kubernetes-list-type'] = listType;
  if (keys.length > 0) schema['x-kubernetes-list-map-keys'] = keys;
  return schema;
}
