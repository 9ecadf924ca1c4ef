import { builtinDefinition } from './builtin.ts';
import type { Schema } from './schema.ts';

/** `metadata` of every kind: Kubernetes' ObjectMeta. */
export const objectMetaSchema: Schema = builtinDefinition('apimachinery.pkg.apis.meta.v1.ObjectMeta') ?? {};

/** `metadata` of cluster-scoped instances (kro: NamespacelessObjectMetaSchema). */
export const namespacelessObjectMetaSchema: Schema = withoutProperty(objectMetaSchema, 'namespace');

function withoutProperty(schema: Schema, name: string): Schema {
  const { [name]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}
