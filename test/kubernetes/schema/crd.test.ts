import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/core/model/object.ts';
import type { Path, Value, ValueMap } from '../../../src/core/model/value.ts';
import { objectMetaSchema } from '../../../src/kubernetes/schema/builtin.ts';
import { crdKinds } from '../../../src/kubernetes/schema/crd.ts';

function crd(spec: Value): KubeObject {
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'x' }, spec };
}

const version = (name: string, schema: ValueMap, served = true): ValueMap => ({
  name,
  served,
  storage: true,
  schema: { openAPIV3Schema: schema },
});

const widget = (...versions: Value[]): ValueMap => ({
  group: 'lab.example',
  scope: 'Namespaced',
  names: { kind: 'Widget', plural: 'widgets' },
  versions,
});

const find = (object: KubeObject, name = 'v1') =>
  crdKinds(object).registry.find({ group: 'lab.example', version: name, kind: 'Widget' });

describe('crdKinds', () => {
  test('knows each served version and no other kind', () => {
    const object = crd(
      widget(
        version('v1', { type: 'object' }),
        version('v2', { type: 'object' }),
        version('v0', { type: 'object' }, false),
      ),
    );
    const { registry, problems } = crdKinds(object);
    expect(problems).toEqual([]);
    expect([...registry.names()]).toEqual(['Widget.v1.lab.example', 'Widget.v2.lab.example']);
    expect(find(object, 'v2')?.namespaced).toBe(true);
    expect(find(object, 'v0')).toBeUndefined();
    expect(registry.find({ group: 'other.example', version: 'v1', kind: 'Widget' })).toBeUndefined();
    expect(registry.find({ group: 'lab.example', version: 'v1', kind: 'Gadget' })).toBeUndefined();
  });

  test('knows cluster-scoped kinds', () => {
    expect(find(crd({ ...widget(version('v1', { type: 'object' })), scope: 'Cluster' }))?.namespaced).toBe(false);
  });

  test('replaces what the CRD says of metadata with the whole ObjectMeta', () => {
    const written: ValueMap = {
      type: 'object',
      properties: {
        metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5n } } },
        kind: { type: 'string', enum: ['Widget'] },
        spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
      required: ['spec'],
    };
    expect(find(crd(widget(version('v1', written))))?.schema).toEqual({
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: objectMetaSchema,
        spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
      required: ['spec'],
    });
  });

  test('keeps int-or-string with and without explicit types', () => {
    const spelled: ValueMap = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };
    const bare: ValueMap = { 'x-kubernetes-int-or-string': true };
    const schema = find(crd(widget(version('v1', { type: 'object', properties: { spelled, bare } }))))?.schema;
    expect(schema?.properties?.spelled).toEqual(spelled);
    expect(schema?.properties?.bare).toEqual(bare);
  });

  test.each<[string, (embedded: ValueMap) => ValueMap, Path]>([
    ['a property', (embedded) => ({ properties: { a: embedded } }), ['properties', 'a']],
    [
      'a list item',
      (embedded) => ({ properties: { a: { type: 'array', items: embedded } } }),
      ['properties', 'a', 'items'],
    ],
    [
      'a map value',
      (embedded) => ({ properties: { a: { type: 'object', additionalProperties: embedded } } }),
      ['properties', 'a', 'additionalProperties'],
    ],
  ])('gives an embedded object apiVersion, kind and metadata: %s', (_, around, path) => {
    const embedded: ValueMap = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object' } },
      required: ['kind'],
    };
    const schema = find(crd(widget(version('v1', { type: 'object', ...around(embedded) }))))?.schema;
    const found = path.reduce<unknown>((current, step) => (current as Record<string, unknown>)[step], schema);
    expect(found).toEqual({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: {
        spec: { type: 'object' },
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: objectMetaSchema,
      },
      required: ['kind', 'apiVersion'],
    });
  });

  test.each<[string, Value, string[]]>([
    ['no spec', null, ['spec.group', 'spec.names.kind', 'spec.scope', 'spec.versions']],
    ['a spec that is no map', ['x'], ['spec.group', 'spec.names.kind', 'spec.scope', 'spec.versions']],
    ['an unknown scope', { ...widget(version('v1', { type: 'object' })), scope: 'namespaced' }, ['spec.scope']],
    ['a group that is no string', { ...widget(version('v1', { type: 'object' })), group: 1n }, ['spec.group']],
    ['no versions', widget(), ['spec.versions']],
    ['a version that is no map', widget('v1'), ['spec.versions.0.name', 'spec.versions.0.schema.openAPIV3Schema']],
    ['served in quotes', widget({ ...version('v1', { type: 'object' }), served: 'true' }), ['spec.versions.0.served']],
    ['no schema', widget({ name: 'v1', served: true }), ['spec.versions.0.schema.openAPIV3Schema']],
    [
      'an unknown type',
      widget(version('v1', { type: 'object', properties: { a: { type: 'text' } } })),
      ['spec.versions.0.schema.openAPIV3Schema.properties.a.type'],
    ],
    [
      'a reference',
      widget(version('v1', { type: 'object', properties: { a: { $ref: '#/definitions/x' } } })),
      ['spec.versions.0.schema.openAPIV3Schema.properties.a.$ref'],
    ],
  ])('reports %s', (_, spec, paths) => {
    const { problems } = crdKinds(crd(spec));
    expect(problems.map(({ path }) => path.join('.'))).toEqual(paths);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['crd-shape']));
  });

  test('accepts a version without served, which is not served', () => {
    const { problems, registry } = crdKinds(
      crd(widget({ name: 'v1', schema: { openAPIV3Schema: { type: 'object' } } })),
    );
    expect([problems, [...registry.names()]]).toEqual([[], []]);
  });

  test('returns the valid versions if another is malformed', () => {
    const object = crd(widget({ name: 'v1', served: true }, version('v2', { type: 'object' })));
    expect(find(object, 'v1')).toBeUndefined();
    expect(find(object, 'v2')).toBeDefined();
  });

  test('returns no kind if it has no name', () => {
    const { registry } = crdKinds(crd({ ...widget(version('v1', { type: 'object' })), names: {} }));
    expect([...registry.names()]).toEqual([]);
  });
});
