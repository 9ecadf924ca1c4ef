import { describe, expect, it } from 'vitest';
import { type ObjectSource, validate } from '../../../src/api/index.ts';
import { readPackageText } from '../../cluster/documents.ts';

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ports.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Port, listKind: PortList, plural: ports, singular: port}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, format: int32}
              blob: {type: string, format: byte}
              days: {type: array, items: {type: string, format: date}}
              name: {type: string, pattern: "^a"}
              free: {type: string, format: nonsense}
`;

const rgdWith = (template: string): string => `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {name: "string | default=b"}}
  resources:
  - id: made
    template: ${template}
`;
const portWith = (spec: string): string =>
  `{apiVersion: example.com/v1, kind: Port, metadata: {name: x}, spec: {${spec}}}`;
const INSTANCE = '{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: one, namespace: d}, spec: {}}';

const errorsOf = (...documents: string[]): string[] =>
  validate(
    { objects: readPackageText(documents.join('\n---\n')) as unknown as ObjectSource[] },
    { disable: ['lint-unread-field'] },
  )
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ object, field, message }) => `${object} ${field}: ${message}`);

const AT = 'spec.resources[0].template.spec';
const ofPort = (field: string, why: string): string =>
  `ResourceGraphDefinition/app ${AT}.${field}: the API server rejects this Port: spec.${field}: ${why}`;

describe('a literal of a template that no instance renders', () => {
  it.each([
    ['size: 3000000000', ofPort('size', 'must be of type int32')],
    ['blob: "###"', ofPort('blob', 'must be of type byte')],
    ['days: ["2024-01-02", today]', ofPort('days[1]', 'must be of type date')],
    ['name: b', ofPort('name', "should match '^a'")],
  ])('%s is an error, as for the API server', (spec, expected) => {
    expect(errorsOf(CRD, rgdWith(portWith(spec)))).toEqual([expected]);
  });

  it('is checked against the schemas of Kubernetes too', () => {
    const deployment =
      '{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {replicas: 3000000000, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}';
    expect(errorsOf(rgdWith(deployment))).toEqual([
      `ResourceGraphDefinition/app ${AT}.replicas: the API server rejects this Deployment: spec.replicas: must be of type int32`,
    ]);
  });

  it.each(['size: 3', 'blob: YQ==', 'free: any', 'name: "${schema.spec.name}"', 'name: "a${schema.spec.name}"'])(
    '%s is valid, or depends on an instance',
    (spec) => {
      expect(errorsOf(CRD, rgdWith(portWith(spec)))).toEqual([]);
    },
  );

  it('is reported once, for the object of an instance if there is one', () => {
    const found = errorsOf(CRD, rgdWith(portWith('size: 3000000000')), INSTANCE);
    expect(found.length).toBe(1);
    expect(found[0]).toContain('App/one');
  });
});
