import type { ValueMap } from '../../core/model/value.ts';
import { DIALECT } from './instance.ts';

const text: ValueMap = { type: 'string' };
const texts: ValueMap = { type: 'array', items: text };
const map: ValueMap = { type: 'object' };
const textMap: ValueMap = { type: 'object', additionalProperties: text };
const object = (properties: ValueMap, required: readonly string[] = []): ValueMap => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 ? { required: [...required] } : {}),
});
const described = (description: string, schema: ValueMap): ValueMap => ({ description, ...schema });

const IDENTIFIER = '^[a-z][a-zA-Z0-9]*$';

const node = {
  ...object(
    {
      id: described('The name by which expressions read this node.', { type: 'string', pattern: IDENTIFIER }),
      template: described('The object that this node renders; texts may hold ${...} expressions.', {
        ...map,
        required: ['apiVersion', 'kind', 'metadata'],
      }),
      externalRef: described('An object that is there already, by name or by selector.', {
        ...object(
          {
            apiVersion: text,
            kind: text,
            metadata: object({ name: text, namespace: text, selector: map }),
          },
          ['apiVersion', 'kind', 'metadata'],
        ),
      }),
      forEach: described('Iterators, the first one outermost: one object for each combination.', {
        type: 'array',
        items: { ...textMap, minProperties: 1, maxProperties: 1, propertyNames: { pattern: IDENTIFIER } },
        maxItems: 10n,
      }),
      includeWhen: described('The node is omitted unless all of these expressions are true.', texts),
      readyWhen: described('When a controller takes the object for ready; rendering does not wait.', texts),
    },
    ['id'],
  ),
  oneOf: [{ required: ['template'] }, { required: ['externalRef'] }],
};

const schema = object(
  {
    kind: described('The kind that this RGD defines.', { type: 'string', pattern: '^[A-Z][a-zA-Z0-9]{0,62}$' }),
    apiVersion: described('The version of the kind, such as v1alpha1.', {
      type: 'string',
      pattern: '^v[0-9]+(alpha[0-9]+|beta[0-9]+)?$',
    }),
    group: described('The group of the kind.', { type: 'string', default: 'kro.run' }),
    scope: described('Whether instances are in a namespace.', {
      enum: ['Namespaced', 'Cluster'],
      default: 'Namespaced',
    }),
    spec: described('The fields of an instance in SimpleSchema: `integer | default=1 minimum=0`.', map),
    types: described('Types that fields may name.', map),
    status: described('What an instance reports, as expressions.', map),
    additionalPrinterColumns: {
      type: 'array',
      items: object(
        { name: text, type: text, jsonPath: text, description: text, format: text, priority: { type: 'integer' } },
        ['name', 'type', 'jsonPath'],
      ),
    },
    plural: text,
    shortNames: texts,
    categories: texts,
    metadata: object({ labels: textMap, annotations: textMap }),
  },
  ['kind', 'apiVersion'],
);

const snippet: ValueMap = {
  label: 'ResourceGraphDefinition',
  description: 'A new ResourceGraphDefinition with one node',
  body: {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: '$1' },
    spec: {
      schema: { apiVersion: 'v1alpha1', kind: '$2', spec: { name: 'string' } },
      resources: [
        { id: '$3', template: { apiVersion: 'v1', kind: '$4', metadata: { name: '${schema.metadata.name}' } } },
      ],
    },
  },
};

/** The JSON Schema of RGD files (kro: api/v1alpha1/resourcegraphdefinition_types.go), for editors. */
export const rgdJsonSchema: ValueMap = {
  $schema: DIALECT,
  title: 'ResourceGraphDefinition',
  defaultSnippets: [snippet],
  ...object(
    {
      apiVersion: { const: 'kro.run/v1alpha1' },
      kind: { const: 'ResourceGraphDefinition' },
      metadata: { type: 'object', required: ['name'] },
      spec: object({ schema, resources: { type: 'array', items: node } }, ['schema']),
      status: {},
    },
    ['apiVersion', 'kind', 'metadata', 'spec'],
  ),
};
