import { type Collector, reporterFor } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import { builtinKinds } from './builtin.ts';
import { crdKinds } from './crd.ts';
import { openapiKinds } from './openapi.ts';
import { firstOf, type KindRegistry, partsOf, type Schema } from './schema.ts';

export { builtinKinds, namespacelessObjectMetaSchema, objectMetaSchema } from './builtin.ts';
export { toSchema } from './convert.ts';
export { crdKinds, pluralize, pluralOf, type Resource, resourcesOf } from './crd.ts';
export { isOpenapiDocument } from './openapi.ts';
export * from './schema.ts';

/**
 * Returns the kinds that a package may use: those of its CRDs, then those of a cluster's OpenAPI document or, without
 * one, Kubernetes' own. Errors in a CRD are reported.
 */
export function kindsOf(crds: readonly InputObject[], openapi: Value | undefined, reports: Collector): KindRegistry {
  const registries = crds.map((input) => {
    const { registry, problems } = crdKinds(input.object);
    const reporter = reporterFor(input, reports);
    for (const problem of problems) reporter.report(problem);
    return registry;
  });
  return firstOf([...registries, openapi === undefined ? builtinKinds : openapiKinds(openapi)]);
}

export function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  return valueSchema(schema);
}

export const valueSchema = (schema: Schema | undefined): Schema | undefined =>
  typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;

/** Returns the schema at a path of a value, in which numbers are items of lists. */
export const schemaAt = (schema: Schema | undefined, path: readonly (string | number)[]): Schema | undefined =>
  path.reduce<Schema | undefined>(
    (at, step) => (typeof step === 'number' ? at?.items : memberSchema(at, step)),
    schema,
  );

/** The size of a schema written out in a CRD, where a shared part is repeated for each use. */
interface Extent {
  /** The approximate characters of its JSON. */
  characters: number;
  /** The nesting of fields, items and map values. */
  depth: number;
}

/** Cached extents of schemas. A schema is never changed after it is built. */
export type KnownExtents = WeakMap<Schema, Extent>;

/**
 * Returns the extent; each part is visited once however often it is used, so this takes no longer than the schema took
 * to write.
 */
export const extentOf = (schema: Schema, known: KnownExtents): Extent =>
  getOrCompute(known, schema, () => {
    const { properties: _, items: __, additionalProperties: ___, ...own } = schema;
    const extent = { characters: sizeOf(own as Value), depth: 1 };
    for (const { schema: below, key } of partsOf(schema)) {
      const inner = extentOf(below, known);
      extent.characters += key.length + QUOTES + inner.characters;
      extent.depth = Math.max(extent.depth, 1 + inner.depth);
    }
    return extent;
  });

const QUOTES = 4;

function sizeOf(value: Value | undefined): number {
  if (typeof value === 'string') return value.length + 2;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item) + 1, 2);
  if (typeof value !== 'object' || value === null) return 5;
  return Object.keys(value).reduce((sum, key) => sum + key.length + QUOTES + sizeOf(value[key]), 2);
}

/** Returns the characters of a schema beyond those that are written. */
export const multiplied = (schema: Schema, written: Value | undefined): number =>
  Math.max(0, extentOf(schema, new WeakMap()).characters - OWN - PER_WRITTEN * sizeOf(written));

/**
 * The characters that every instance has, and the growth of each written character: `a: string` is a schema with a
 * type.
 */
const OWN = 3000;
const PER_WRITTEN = 6;
