import type { Schema } from './schema.ts';

/** Writes the definition called `name` into `schema`; false when there is none. */
export type ReadDefinition = (schema: Schema, name: string, definition: Definitions) => boolean;

/** Answers the schema of a definition, `undefined` when there is none. */
export type Definitions = (name: string) => Schema | undefined;

/**
 * Definitions that refer to each other, read when they are asked for: each becomes one schema that all its readers
 * share, so definitions that contain themselves become cyclic schemas.
 */
export function definitionsFrom(read: ReadDefinition): Definitions {
  const known = new Map<string, Schema | undefined>();
  const definition: Definitions = (name) => {
    if (known.has(name)) return known.get(name);
    const schema: Schema = {};
    known.set(name, schema);
    if (read(schema, name, definition)) return schema;
    known.set(name, undefined);
    return undefined;
  };
  return definition;
}
