import { describe, expect, it } from 'vitest';
import { format } from '../../../src/core/diagnostics/index.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import type { Value, ValueMap } from '../../../src/core/model/value.ts';
import { nativeFaults } from '../../../src/kubernetes/validation/native/index.ts';

interface Parts {
  name?: string;
  spec?: ValueMap;
  names?: ValueMap;
  version?: ValueMap;
  schema?: ValueMap;
  field?: ValueMap;
}

/** Returns the errors of a CRD whose parts are replaced. The API server has the same verdicts for all of them. */
function faultsOf({
  name = 'boats.dock.io',
  spec = {},
  names = {},
  version = {},
  schema = {},
  field,
}: Parts): string[] {
  const properties: ValueMap = field === undefined ? {} : { field };
  const openAPIV3Schema: ValueMap = { type: 'object', properties, ...schema };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'dock.io',
      scope: 'Namespaced',
      names: { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList', ...names },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
      ...spec,
    },
  } as unknown as KubeObject;
  return nativeFaults(crd).map(({ path, message }) => `${path.at(-1)}: ${format(message)}`);
}

const list = (items: ValueMap, more: ValueMap = {}): ValueMap => ({ type: 'array', items, ...more });
const object = (properties: ValueMap, more: ValueMap = {}): ValueMap => ({ type: 'object', properties, ...more });
const text: ValueMap = { type: 'string' };
const intOrString: Value = [{ type: 'integer' }, { type: 'string' }];

describe('a CRD that an API server accepts', () => {
  it.each<[string, Parts]>([
    [
      'has fields of all types',
      { field: object({ a: text, b: list(text), c: { type: 'object', additionalProperties: text } }) },
    ],
    ['keeps unknown fields', { field: { 'x-kubernetes-preserve-unknown-fields': true } }],
    ['has an int or a string', { field: { 'x-kubernetes-int-or-string': true, anyOf: intOrString } }],
    [
      'has an int or a string in allOf',
      { field: { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: intOrString }] } },
    ],
    [
      'has an embedded resource',
      {
        field: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    ],
    [
      'has a list of type map',
      {
        field: list(object({ k: text }, { required: ['k'] }), {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        }),
      },
    ],
    [
      'has a set of atomic maps',
      { field: list({ type: 'object', 'x-kubernetes-map-type': 'atomic' }, { 'x-kubernetes-list-type': 'set' }) },
    ],
    [
      'restricts declared fields',
      {
        field: object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { properties: { b: { minLength: 1n } } }] }),
      },
    ],
    [
      'describes the name',
      { schema: { properties: { metadata: object({ name: { type: 'string', maxLength: 5n } }) } } },
    ],
    [
      'has columns and a scale',
      {
        version: {
          subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
          additionalPrinterColumns: [{ name: 'N', type: 'integer', jsonPath: '.spec.n' }],
        },
      },
    ],
  ])('%s', (_, parts) => expect(faultsOf(parts)).toEqual([]));
});

describe('a CRD that an API server rejects', () => {
  it.each<[string, Parts, string]>([
    ['another name', { name: 'ships.dock.io' }, 'name: must be spec.names.plural and spec.group: boats.dock.io'],
    [
      'a group without a dot',
      { name: 'boats.dock', spec: { group: 'dock' } },
      'at most 253 characters, with at least one dot',
    ],
    [
      'a group of Kubernetes',
      { name: 'boats.dock.k8s.io', spec: { group: 'dock.k8s.io' } },
      "api-approved.kubernetes.io: Required value: must be a URL, or start with 'unapproved'",
    ],
    ['another scope', { spec: { scope: 'Global' } }, 'scope: must be one of "Cluster", "Namespaced"'],
    ['old pruning', { spec: { preserveUnknownFields: true } }, 'preserveUnknownFields: must not be true'],
    ['no versions', { spec: { versions: [] } }, 'versions: must have exactly one version with storage: true'],
    [
      'no stored version',
      { version: { storage: false } },
      'versions: must have exactly one version with storage: true',
    ],
    ['no schema', { version: { schema: {} } }, 'openAPIV3Schema: Required value'],
    [
      'an upper case plural',
      { name: 'Boats.dock.io', names: { plural: 'Boats' } },
      'plural: must be an RFC 1035 label',
    ],
    ['one name for kind and list', { names: { listKind: 'Boat' } }, 'listKind: must differ from kind'],
    ['an empty short name', { names: { shortNames: [''] } }, '0: must be an RFC 1035 label'],
    [
      'a warning without deprecation',
      { version: { deprecationWarning: 'old' } },
      'deprecationWarning: must not be set',
    ],
    [
      'a column of another type',
      { version: { additionalPrinterColumns: [{ name: 'N', type: 'int', jsonPath: '.a' }] } },
      'type: must be one of',
    ],
    [
      'a scale of other fields',
      { version: { subresources: { scale: { specReplicasPath: '.n', statusReplicasPath: '.status.n' } } } },
      'specReplicasPath: must be a JSON path below .spec.',
    ],
    [
      'an unknown type',
      { field: { type: 'text' } },
      'type: must be one of "array", "boolean", "integer", "number", "object", "string"',
    ],
    ['no type', { field: { minLength: 1n } }, 'type: Required value'],
    ['a list without items', { field: { type: 'array' } }, 'items: Required value if type is "array"'],
    ['items without a type', { field: list({}) }, 'type: Required value'],
    [
      'fields beside additionalProperties',
      { field: object({ a: text }, { additionalProperties: text }) },
      'additionalProperties: must not be used together with properties',
    ],
    [
      'additionalProperties at the root',
      { schema: { properties: {}, additionalProperties: text } },
      'additionalProperties: must not be set',
    ],
    ['a nullable root', { schema: { nullable: true } }, 'nullable: must not be true'],
    ['another type at the root', { schema: { type: 'string' } }, 'type: must be "object"'],
    ['a reference', { field: { type: 'object', $ref: '#/definitions/a' } }, '$ref: must not be set'],
    ['unique items', { field: list(text, { uniqueItems: true }) }, 'uniqueItems: must not be true'],
    [
      'no unknown fields kept',
      { field: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } },
      'x-kubernetes-preserve-unknown-fields: must not be false',
    ],
    [
      'a list of another type',
      { field: list(text, { 'x-kubernetes-list-type': 'bag' }) },
      'x-kubernetes-list-type: must be one of "atomic", "map", "set"',
    ],
    [
      'a set of maps',
      { field: list({ type: 'object' }, { 'x-kubernetes-list-type': 'set' }) },
      'x-kubernetes-map-type: must be "atomic" if x-kubernetes-list-type is "set"',
    ],
    [
      'a list of type map without keys',
      { field: list(object({ k: text }), { 'x-kubernetes-list-type': 'map' }) },
      'x-kubernetes-list-map-keys: Required value',
    ],
    [
      'an optional key',
      { field: list(object({ k: text }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }) },
      'default: Required value: a key',
    ],
    [
      'an unknown key',
      { field: list(object({ k: text }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'] }) },
      '0: is not a property of the items',
    ],
    ['a type in anyOf', { field: { type: 'string', anyOf: [{ type: 'string' }] } }, 'type: must not be set'],
    [
      'an undeclared field in oneOf',
      { field: object({}, { oneOf: [{ properties: { a: { minLength: 1n } } }] }) },
      'a: is declared here only',
    ],
    [
      'metadata with labels',
      { schema: { properties: { metadata: object({ labels: { type: 'object' } }) } } },
      'labels: must not be set',
    ],
    ['another type of kind', { schema: { properties: { kind: { type: 'integer' } } } }, 'type: must be "string"'],
    [
      'oneOf at the root of a kind with status',
      { version: { subresources: { status: {} } }, schema: { oneOf: [{ required: ['a'] }] } },
      'oneOf: must not be set here if subresources.status is set',
    ],
  ])('has %s', (_, parts, expected) => {
    const faults = faultsOf(parts);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(expected);
  });

  it('has deep schemas of any depth', () => {
    let deep: ValueMap = { type: 'text' };
    for (let depth = 0; depth < 200; depth += 1) deep = object({ a: deep });
    expect(faultsOf({ field: deep })).toHaveLength(1);
  });
});
