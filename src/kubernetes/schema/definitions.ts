import type { Schema } from './schema.ts';

/** Where definitions are written, and how one is read into `schema`. */
export interface DefinitionSource<T> {
  find(name: string): T | undefined;
  read(schema: Schema, written: T, name: string, definition: Definitions): void;
}

/** Answers the schema of a definition, `undefined` when there is none. */
export type Definitions = (name: string) => Schema | undefined;

/**
 * Definitions that refer to each other, read when they are asked for: each becomes one schema that all its readers
 * share, so definitions that contain themselves become cyclic schemas. A definition that another one refers to is read
 * after it and not inside of it, since they may refer to each other in a chain of any length.
 */
export function definitionsFrom<T>({ find, read }: DefinitionSource<T>): Definitions {
  const known = new Map<string, Schema | undefined>();
  const deferred: (() => void)[] = [];
  const definition: Definitions = (name) => {
    if (known.has(name)) return known.get(name);
    const written = find(name);
    const schema: Schema | undefined = written === undefined ? undefined : {};
    known.set(name, schema);
    if (written === undefined || schema === undefined) return undefined;
    deferred.push(() => read(schema, written, name, definition));
    // Whoever began reads the others too.
    if (deferred.length === 1) {
      for (const readNext of deferred) readNext();
      deferred.length = 0;
    }
    return schema;
  };
  return definition;
}
