import type { ValueMap } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { toJsonSchema } from './convert.ts';
import { metadataSchema } from './metadata.ts';

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
