import { describe, expect, it } from 'vitest';
import { type ObjectSource, validate } from '../../../src/api/index.ts';

const crdWith = (properties: ObjectSource): ObjectSource => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ports.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Port', listKind: 'PortList', plural: 'ports', singular: 'port' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
      },
    ],
  },
});

const AT = 'spec.versions[0].schema.openAPIV3Schema.properties.spec.properties';
const faultsOf = (schema: ObjectSource): string[] =>
  validate({ objects: [crdWith({ it: schema })] })
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message.slice(message.indexOf('properties.it') + 'properties.it'.length));

const withMember = (member: ObjectSource): ObjectSource => ({ type: 'object', properties: { member } });

/** What ValidateCustomResourceDefinition of the API server (v0.37.0) says of each: `judge objects`. */
const REFUSED: readonly (readonly [string, ObjectSource, string])[] = [
  [
    'an integer beyond int32',
    { type: 'integer', format: 'int32', default: 3_000_000_000 },
    '.default: must be of type int32',
  ],
  ['a number beyond float', { type: 'number', format: 'float', default: 1e300 }, '.default: must be of type float'],
  ['a text that is no base64', { type: 'string', format: 'byte', default: '###' }, '.default: must be of type byte'],
  ['a text that is no date', { type: 'string', format: 'date', default: 'x' }, '.default: must be of type date'],
  [
    'no value of the enum',
    { type: 'string', enum: ['a'], default: 'b' },
    '.default: Unsupported value: "b": supported values: "a"',
  ],
  ['a fraction for an integer', { type: 'integer', default: 1.5 }, '.default: must be of type integer: "number"'],
  [
    'a default in a list',
    { type: 'array', items: withMember({ type: 'boolean', default: 3 }) },
    '.items.properties.member.default: must be of type boolean: "integer"',
  ],
  [
    'a required member that has a default itself',
    { ...withMember({ type: 'string', default: 'z' }), required: ['member'], default: {} },
    '.default.member: Required value',
  ],
  ['a field that is not declared', { ...withMember({ type: 'string' }), default: { other: 1 } }, '.default.other"'],
];

const ACCEPTED: readonly (readonly [string, ObjectSource])[] = [
  ['a valid default', { type: 'integer', format: 'int32', default: 3 }],
  ['a format that is unknown', { type: 'string', format: 'nonsense', default: 'any' }],
  [
    'a field that the metadata of an object does not have',
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'string' } },
      default: { apiVersion: 'v1', kind: 'Pod', metadata: { other: 1 } },
    },
  ],
  ['null', { type: 'string', default: null }],
  [
    'duplicates in a set',
    { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set', default: [1, 1] },
  ],
  ['a default of the values of a map', { type: 'object', additionalProperties: { type: 'integer', default: 'x' } }],
];

describe('a default of a CRD', () => {
  it.each(REFUSED)('%s is an error, as for an API server', (_, schema, fault) => {
    const found = faultsOf(schema);
    expect(found.length).toBe(1);
    expect(found[0]).toContain(fault);
  });

  it.each(ACCEPTED)('%s is accepted, as by an API server', (_, schema) => {
    expect(faultsOf(schema)).toEqual([]);
  });

  it('has its path in the CRD', () => {
    const [first] = validate({ objects: [crdWith({ it: { type: 'integer', default: 'x' } })] }).diagnostics;
    expect(first?.field).toBe(`${AT}.it.default`);
  });
});
