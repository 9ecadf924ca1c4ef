import type { Schema } from './schema.ts';

/** The schema of the value of a key; `undefined` where the schema says nothing of it. */
export function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  return valueSchema(schema);
}

/** The schema of the values of a map whose keys are not known before. */
export const valueSchema = (schema: Schema | undefined): Schema | undefined =>
  typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;

/** The schema at a path of a value, in which numbers are items of lists. */
export const schemaAt = (schema: Schema | undefined, path: readonly (string | number)[]): Schema | undefined =>
  path.reduce<Schema | undefined>(
    (at, step) => (typeof step === 'number' ? at?.items : memberSchema(at, step)),
    schema,
  );
