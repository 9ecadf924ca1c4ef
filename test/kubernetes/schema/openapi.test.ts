import { describe, expect, test } from 'vitest';
import type { Value, ValueMap } from '../../../src/core/model/value.ts';
import { isOpenapiDocument, openapiKinds } from '../../../src/kubernetes/schema/openapi.ts';

const gvk = (kind: string, group = 'lab.example', version = 'v1'): ValueMap => ({ group, version, kind });
const serves = (kind: string): ValueMap => ({ get: { 'x-kubernetes-group-version-kind': gvk(kind) } });

/** Returns a document with one definition of each sort, with references of that version of OpenAPI. */
function schemas(prefix: string): ValueMap {
  const ref = (name: string): ValueMap => ({ $ref: `${prefix}${name}` });
  return {
    'example.lab.v1.Widget': {
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { description: 'Standard metadata.', default: {}, allOf: [ref('meta.ObjectMeta')] },
        spec: ref('example.lab.v1.WidgetSpec'),
      },
      'x-kubernetes-group-version-kind': [gvk('Widget')],
    },
    'example.lab.v1.WidgetSpec': {
      type: 'object',
      properties: {
        children: { type: 'array', items: ref('example.lab.v1.WidgetSpec') },
        limit: ref('io.k8s.apimachinery.pkg.api.resource.Quantity'),
      },
    },
    'example.lab.v1.Site': { type: 'object', 'x-kubernetes-group-version-kind': [gvk('Site')] },
    'example.lab.v1.WidgetList': { type: 'object', 'x-kubernetes-group-version-kind': [gvk('WidgetList')] },
    'meta.ObjectMeta': { type: 'object', properties: { name: { type: 'string' } } },
    'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string', description: 'Quantity' },
  };
}

const paths: ValueMap = {
  '/apis/lab.example/v1/': { get: {} },
  '/apis/lab.example/v1/widgets': serves('Widget'),
  '/apis/lab.example/v1/namespaces/{namespace}/widgets': serves('Widget'),
  '/apis/lab.example/v1/namespaces/{namespace}/widgets/{name}/scale': {
    put: { 'x-kubernetes-group-version-kind': gvk('WidgetList') },
  },
  '/apis/lab.example/v1/sites/{name}': { parameters: [], ...serves('Site') },
};

const v2: ValueMap = { swagger: '2.0', paths, definitions: schemas('#/definitions/') };
const v3: ValueMap = { openapi: '3.0.0', paths, components: { schemas: schemas('#/components/schemas/') } };

describe.each([
  ['v2', v2],
  ['v3', v3],
])('openapiKinds of a %s document', (_, document) => {
  const kinds = openapiKinds(document);

  test('knows the kinds that paths serve, with their scope', () => {
    expect([...kinds.names()]).toEqual(['Widget.v1.lab.example', 'Site.v1.lab.example']);
    expect(kinds.find({ group: 'lab.example', version: 'v1', kind: 'Widget' })?.namespaced).toBe(true);
    expect(kinds.find({ group: 'lab.example', version: 'v1', kind: 'Site' })?.namespaced).toBe(false);
    expect(kinds.find({ group: 'lab.example', version: 'v1', kind: 'WidgetList' })).toBeUndefined();
    expect(kinds.find({ group: 'apps', version: 'v1', kind: 'Deployment' })).toBeUndefined();
  });

  test('follows references, including cycles', () => {
    const schema = kinds.find({ group: 'lab.example', version: 'v1', kind: 'Widget' })?.schema;
    expect(schema?.properties?.metadata).toEqual({ type: 'object', properties: { name: { type: 'string' } } });
    const spec = schema?.properties?.spec;
    expect(spec?.properties?.children?.items).toBe(spec);
  });
});

describe('openapiKinds', () => {
  const spec = (document: Value) =>
    openapiKinds(document).find({ group: 'lab.example', version: 'v1', kind: 'Widget' })?.schema.properties?.spec;

  test('accepts numbers for a quantity of a v2 document, as Kubernetes does', () => {
    expect(spec(v2)?.properties?.limit?.type).toBeUndefined();
    expect(spec(v2)?.properties?.limit?.oneOf).toEqual([{ type: 'string' }, { type: 'number' }]);
    expect(spec(v3)?.properties?.limit).toEqual({ type: 'string', description: 'Quantity' });
  });

  test('keeps unknown fields of a kind without fields in a v2 document', () => {
    const site = { group: 'lab.example', version: 'v1', kind: 'Site' };
    expect(openapiKinds(v2).find(site)?.schema['x-kubernetes-preserve-unknown-fields']).toBe(true);
    expect(openapiKinds(v3).find(site)?.schema).toEqual({ type: 'object' });
  });

  test('uses the scopes of Kubernetes itself if a document has no paths', () => {
    const kinds = openapiKinds({
      definitions: {
        a: { type: 'object', 'x-kubernetes-group-version-kind': [gvk('Node', '')] },
        b: { type: 'object', 'x-kubernetes-group-version-kind': [gvk('Widget')] },
      },
    });
    expect(kinds.find({ group: '', version: 'v1', kind: 'Node' })?.namespaced).toBe(false);
    expect(kinds.find({ group: 'lab.example', version: 'v1', kind: 'Widget' })?.namespaced).toBe(true);
  });

  test.each<[string, Value]>([
    ['null', null],
    ['a string', 'openapi'],
    ['a document without schemas', { openapi: '3.0.0', paths: {} }],
    ['components that are a list', { components: [] }],
  ])('returns nothing for %s, and reports it', (_, document) => {
    expect(isOpenapiDocument(document)).toBe(false);
    expect([...openapiKinds(document).names()]).toEqual([]);
  });

  test('ignores malformed parts', () => {
    const kinds = openapiKinds({
      paths: { '/apis/lab.example/v1/widgets': { get: 'x', put: null, ...serves('Widget') }, '/api/v1/x': 'y' },
      definitions: {
        a: 'text',
        b: { 'x-kubernetes-group-version-kind': 'text' },
        c: { 'x-kubernetes-group-version-kind': [{ kind: 'Widget' }, null] },
        d: { type: 'objekt', properties: [], 'x-kubernetes-group-version-kind': [gvk('Widget')] },
      },
    });
    expect([...kinds.names()]).toEqual(['Widget.v1.lab.example']);
    expect(kinds.find({ group: 'lab.example', version: 'v1', kind: 'Widget' })?.schema.type).toBeUndefined();
  });
});
