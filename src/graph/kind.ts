import graphSchema from '../../data/graph-schema.json';
import { lazily } from '../core/model/lazily.ts';
import { type KindInfo, objectMetaSchema, toSchema } from '../kubernetes/schema/index.ts';

const described = lazily((): KindInfo => {
  const schema = toSchema(graphSchema);
  return { namespaced: true, schema: { ...schema, properties: { ...schema.properties, metadata: objectMetaSchema } } };
});

export const graphKind = (): KindInfo => described();
