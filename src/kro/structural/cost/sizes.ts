import { getOrCompute } from '../../../core/model/lazily.ts';
import { greatest } from '../../../core/text/extremes.ts';
import type { Schema } from '../../../kubernetes/schema/index.ts';
import { escapedFieldName } from '../../../languages/cel/index.ts';

/**
 * The maximum content of a value of a schema, for the estimate of a rule (k8s.io/apiserver/pkg/cel/common,
 * SchemaDeclType).
 */
export interface Sized {
  /** The maximum number of items, entries or bytes; 0 for others. */
  elements: number;
  /** The minimum number of bytes as JSON. */
  smallest: number;
  /** The values of a list or map. */
  values?: Sized;
  keys?: Sized;
  /** The fields by their names in expressions. */
  fields?: ReadonlyMap<string, Sized>;
}

/** The maximum size of a request to an API server, in bytes. */
const REQUEST = 3 * 1024 * 1024;

const scalar = (elements: number, smallest: number): Sized => ({ elements, smallest });
const text = (elements: number): Sized => scalar(elements, 2);

/** Returns how often data of so many bytes fits into a request, each followed by a comma. */
export const mostTimes = (smallest: number): number => Math.floor(REQUEST / (smallest + 1));

/** Returns undefined for types that expressions cannot see. A type that is used in many fields is measured once. */
export function sizedBy(known = new Map<Schema, Sized | undefined>()): (schema: Schema) => Sized | undefined {
  const sized = (schema: Schema): Sized | undefined => getOrCompute(known, schema, () => measure(schema, sized));
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
