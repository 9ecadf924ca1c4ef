import { describe, expect, it } from 'vitest';
import { render } from '../../../src/api/index.ts';

function metadataOf(more: string): unknown {
  const crd = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a.b.c, ${more}}}`;
  const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: r}
spec:
  schema: {apiVersion: v1, kind: App, spec: {name: string, count: integer}}
  resources: [{id: a, template: ${crd}}]
---
apiVersion: kro.run/v1
kind: App
metadata: {name: one, namespace: team}
spec: {name: v, count: 1}
`;
  const { objects, diagnostics } = render({ objects: [{ file: 'a.yaml', text }] });
  const [error] = diagnostics.filter(({ severity }) => severity === 'error');
  return error === undefined ? objects[0]?.metadata : `${error.code} ${error.field}`;
}

describe('the metadata of a template of a CRD', () => {
  it.each<[string, object]>([
    ['w: 1', { w: 1 }],
    ['w: "${schema.spec.count}"', { w: 1 }],
    ['w: {x: [1, "${schema.spec.name}"]}', { w: { x: [1, 'v'] } }],
    ['generation: a', { generation: 'a' }],
    ['finalizers: [1]', { finalizers: [1] }],
    ['ownerReferences: {a: "${schema.spec.name}"}', { ownerReferences: { a: 'v' } }],
  ])('accepts any literal, known or not: %s', (more, expected) => expect(metadataOf(more)).toMatchObject(expected));

  it.each([
    ['generation: "${schema.spec.name}"', 'field-type spec.resources[0].template.metadata.generation'],
    ['finalizers: ["${schema.spec.count}"]', 'field-type spec.resources[0].template.metadata.finalizers[0]'],
    ['labels: {a: "${schema.spec.count}"}', 'field-type spec.resources[0].template.metadata.labels.a'],
    ['w: "x-${schema.spec.count}"', 'text-part-type spec.resources[0].template.metadata.w'],
  ])('accepts expressions of matching types: %s', (more, error) => expect(metadataOf(more)).toBe(error));

  it.each(['labels: {a: 1}', 'labels: [a]', 'labels: 3', 'annotations: {a: true}'])(
    'accepts valid labels and annotations: %s',
    (more) => expect(metadataOf(more)).toMatch(/^field-type /),
  );
});
