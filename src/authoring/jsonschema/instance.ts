import type { ValueMap } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { toJsonSchema } from './convert.ts';

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Returns the JSON Schema of the instances of an RGD, for editors and for checks without render-rgd. */
export function instanceJsonSchema(graph: Graph): ValueMap {
  const { status: _, metadata: __, apiVersion: ___, kind: ____, ...fields } = graph.schema.properties ?? {};
  const inner = toJsonSchema({ ...graph.schema, properties: fields });
  return {
    $schema: DIALECT,
    title: graph.kind,
    description: `An instance of the ResourceGraphDefinition ${graph.name}.`,
    ...inner,
    required: ['apiVersion', 'kind', 'metadata'],
    properties: {
      apiVersion: { const: `${graph.group}/${graph.version}` },
      kind: { const: graph.kind },
      metadata: metadataSchema(graph.namespaced),
      ...(inner.properties as ValueMap),
      // Set by a controller.
      status: {},
    },
  };
}

const text: ValueMap = { type: ['string', 'null'] };
const integer: ValueMap = { type: ['integer', 'null'] };
const list: ValueMap = { type: ['array', 'null'] };
const texts: ValueMap = { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } };

/** RFC 1123, as for the names of objects and of namespaces. */
const NAME = '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$';
const NAMESPACE = '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$';
const LABEL_KEY =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';
const LABEL_VALUE = '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$';

/** Returns the schema of ObjectMeta of an instance with a name. */
function metadataSchema(namespaced: boolean): ValueMap {
  const described: ValueMap = namespaced ? { description: 'The namespace of the instance, and of its objects.' } : {};
  return {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 253, pattern: NAME },
      namespace: { ...text, ...described, maxLength: 63, pattern: NAMESPACE },
      labels: {
        type: ['object', 'null'],
        propertyNames: { pattern: LABEL_KEY },
        additionalProperties: { type: ['string', 'null'], maxLength: 63, pattern: LABEL_VALUE },
      },
      annotations: texts,
      generateName: text,
      uid: { ...text, maxLength: 63, pattern: LABEL_VALUE },
      resourceVersion: text,
      generation: integer,
      creationTimestamp: text,
      deletionTimestamp: text,
      deletionGracePeriodSeconds: integer,
      ownerReferences: list,
      finalizers: list,
      managedFields: list,
      selfLink: text,
    },
  };
}
