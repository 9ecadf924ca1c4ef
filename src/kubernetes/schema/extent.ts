import type { Value } from '../../core/model/value.ts';
import type { Schema } from './schema.ts';

/** What a schema takes once it is written out in a CRD, where a shared part occurs as often as it is used. */
export interface Extent {
  /** About the characters of its JSON. */
  characters: number;
  /** How deep fields, items and map values are nested. */
  depth: number;
}

/** The extents of schemas that were asked for before. A schema is never written to once it is built. */
export type KnownExtents = WeakMap<Schema, Extent>;

/** Each part is looked at once however often it is used, so this takes no longer than the schema was to write. */
export function extentOf(schema: Schema, known: KnownExtents): Extent {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const extent = { characters: textOf(schema), depth: 1 };
  const add = (below: Schema, key: string): void => {
    const inner = extentOf(below, known);
    extent.characters += key.length + QUOTES + inner.characters;
    extent.depth = Math.max(extent.depth, 1 + inner.depth);
  };
  for (const [name, property] of Object.entries(schema.properties ?? {})) add(property, name);
  if (schema.items !== undefined) add(schema.items, 'items');
  if (typeof schema.additionalProperties === 'object') add(schema.additionalProperties, 'additionalProperties');
  known.set(schema, extent);
  return extent;
}

const QUOTES = 4;

/** The schema's own keywords: all that has no schema in it. */
function textOf({ properties: _, items: __, additionalProperties: ___, ...rest }: Schema): number {
  return sizeOf(rest as Value);
}

/** About the characters of a value in JSON. */
function sizeOf(value: Value | undefined): number {
  if (typeof value === 'string') return value.length + 2;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item) + 1, 2);
  if (typeof value !== 'object' || value === null) return 5;
  return Object.keys(value).reduce((sum, key) => sum + key.length + QUOTES + sizeOf(value[key]), 2);
}

/** etcd takes no object of more than 1.5 MiB unless it is told to, so no API server stores a longer CRD. */
export const MAX_SCHEMA_CHARACTERS = 1_500_000;

/**
 * How much larger schemas are than what was written: types that are used often, and statuses, are written out everywhere.
 * Every command goes through all schemas of a package, so they have one budget.
 */
export const MAX_MULTIPLIED = 6_000_000;

/** Characters of a schema that are not there because somebody wrote them. */
export const multiplied = (schema: Schema, written: Value | undefined): number =>
  Math.max(0, extentOf(schema, new WeakMap()).characters - OWN - PER_WRITTEN * sizeOf(written));

/** What every instance has, and what one written character becomes: `a: string` is a schema with a type. */
const OWN = 3000;
const PER_WRITTEN = 6;

/** No schema that people write comes near, and each level takes a frame of the stack. */
export const MAX_SCHEMA_DEPTH = 200;

/**
 * Characters of all patterns with counted repetitions written out: hundreds for the names of Kubernetes. Compiling them
 * takes as long as they are then.
 */
export const MAX_PATTERNS = 2_000_000;
