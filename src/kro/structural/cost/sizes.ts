import { greatest } from '../../../core/text/extremes.ts';
import type { Schema } from '../../../kubernetes/schema/index.ts';
import { escapedFieldName } from '../../../languages/cel/index.ts';

/** What a value of a schema may hold, for the estimate of a rule (k8s.io/apiserver/pkg/cel/common, SchemaDeclType). */
export interface Sized {
  /** Items, entries or bytes at most; 0 for what has none. */
  elements: number;
  /** Bytes that it takes as JSON at least. */
  smallest: number;
  /** Of a list or map. */
  values?: Sized;
  keys?: Sized;
  /** By their names in expressions. */
  fields?: ReadonlyMap<string, Sized>;
}

/** The largest request that an API server reads, in bytes. */
const REQUEST = 3 * 1024 * 1024;

const scalar = (elements: number, smallest: number): Sized => ({ elements, smallest });
const text = (elements: number): Sized => scalar(elements, 2);

/** How often data that takes so many bytes fits into a request, a comma behind each. */
export const mostTimes = (smallest: number): number => Math.floor(REQUEST / (smallest + 1));

/** undefined for what expressions do not see. A type that is used in many places is measured once. */
export function sizedBy(known = new Map<Schema, Sized | undefined>()): (schema: Schema) => Sized | undefined {
  const sized = (schema: Schema): Sized | undefined => {
    if (!known.has(schema)) known.set(schema, measure(schema, sized));
    return known.get(schema);
  };
  return sized;
}

function measure(schema: Schema, sized: (schema: Schema) => Sized | undefined): Sized | undefined {
  switch (schema.type) {
    case 'array':
      return listSize(schema, sized);
    case 'object':
      return typeof schema.additionalProperties === 'object' ? mapSize(schema, sized) : structSize(schema, sized);
    case 'string':
      return text(textSize(schema));
    case 'boolean':
      return scalar(0, 4);
    case 'integer':
    case 'number':
      return scalar(0, 1);
    default:
      return undefined;
  }
}

function listSize({ items, maxItems }: Schema, sized: (schema: Schema) => Sized | undefined): Sized | undefined {
  const values = items && sized(items);
  if (values === undefined) return undefined;
  const elements = maxItems === undefined ? Math.floor((REQUEST - 2) / (values.smallest + 1)) : positive(maxItems);
  return { elements, smallest: 2, values };
}

function mapSize({ additionalProperties }: Schema, sized: (schema: Schema) => Sized | undefined): Sized | undefined {
  const values = sized(additionalProperties as Schema);
  if (values === undefined) return undefined;
  // A key takes two quotes, a colon, a comma and two bytes.
  return { elements: Math.floor((REQUEST - 2) / (values.smallest + 6)), smallest: 2, values, keys: text(0) };
}

function structSize(schema: Schema, sized: (schema: Schema) => Sized | undefined): Sized {
  const fields = new Map<string, Sized>();
  let smallest = 2;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const size = sized(property);
    if (size === undefined) continue;
    const escaped = escapedFieldName(name);
    if (escaped !== undefined) fields.set(escaped, size);
    const isThere = schema.required?.includes(name) && property.default === undefined;
    if (isThere) smallest += name.length + size.smallest + 4;
  }
  return { elements: 0, smallest, fields };
}

/** A code point takes up to four bytes. */
function textSize({ maxLength, enum: values }: Schema): number {
  if (maxLength !== undefined) return positive(maxLength) * 4;
  if (values === undefined || values.length === 0) return REQUEST - 2;
  return greatest(values.map((value) => (typeof value === 'string' ? new TextEncoder().encode(value).length : 0)));
}

const positive = (count: bigint): number => Math.max(0, Number(count));
