import type { Schema } from './schema.ts';

/** Returns the schema of the value of a key; `undefined` if the schema does not define it. */
export function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  return valueSchema(schema);
}

/** Returns the schema of the values of a map with any keys. */
export const valueSchema = (schema: Schema | undefined): Schema | undefined =>
  typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;

/** Returns the schema at a path of a value, in which numbers are items of lists. */
export const schemaAt = (schema: Schema | undefined, path: readonly (string | number)[]): Schema | undefined =>
  path.reduce<Schema | undefined>(
    (at, step) => (typeof step === 'number' ? at?.items : memberSchema(at, step)),
    schema,
  );
