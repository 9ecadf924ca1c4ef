import type { Value } from '../model/value.ts';
import type { Schema } from './schema.ts';

/** What a schema takes once it is written out in a CRD, where a part that is shared stands as often as it is used. */
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

/** No schema that people write comes near, and each level takes a frame of the stack. */
export const MAX_SCHEMA_DEPTH = 200;
