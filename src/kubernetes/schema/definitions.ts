import type { Schema } from './schema.ts';

/** The source of definitions, and the function that reads one into `schema`. */
export interface DefinitionSource<T> {
  find(name: string): T | undefined;
  read(schema: Schema, written: T, name: string, definition: Definitions): void;
}

/** Returns the schema of a definition, `undefined` if there is none. */
export type Definitions = (name: string) => Schema | undefined;

/**
 * Returns definitions that refer to each other and are read on demand: each becomes one schema that all readers share,
 * so recursive definitions become cyclic schemas. A referenced definition is read after the current one and not
 * recursively, because chains may have any length.
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
    // The first caller reads the others too.
    if (deferred.length === 1) {
      for (const readNext of deferred) readNext();
      deferred.length = 0;
    }
    return schema;
  };
  return definition;
}
