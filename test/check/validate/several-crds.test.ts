import { expect, it } from 'vitest';
import { validate } from '../../../src/api/index.ts';

/** Two CRDs of one kind: the older one requires a size, the newer one knows a colour. */
const crd = (schema: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: ${schema}}
`;

const OLDER = crd('{type: object, required: [size], properties: {size: {type: integer}}}');
const NEWER = crd('{type: object, properties: {size: {type: integer}, colour: {type: string}}}');

const widget = (spec: string): string => `
apiVersion: example.org/v1
kind: Widget
metadata: {name: a}
spec: ${spec}
`;

const set = (spec: string): string => `
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: a}
spec:
  inputs: [{name: a}]
  resources:
  - apiVersion: example.org/v1
    kind: Widget
    metadata: {name: << inputs.name >>}
    spec: ${spec}
`;

function found(...texts: readonly string[]): string[] {
  const { diagnostics, ledger } = validate({
    objects: texts.map((text, index) => ({ file: `${index}.yaml`, text })),
  });
  const unseen = ledger.entries.flatMap(({ title, outcome, why }) =>
    outcome === 'unseen' ? [`${title}: ${why}`] : [],
  );
  return [...diagnostics.map(({ severity, code }) => `${severity} ${code}`), ...unseen];
}

it.each([
  ['the first', [OLDER, NEWER, widget('{size: 1, colour: red}')]],
  ['the second', [NEWER, OLDER, widget('{size: 1, colour: red}')]],
  ['one of three', [OLDER, OLDER, NEWER, widget('{colour: red}')]],
])('says that nobody checked a written object that %s of its CRDs rejects', (_, texts) => {
  expect(found(...texts)).toEqual(['warning ambiguous-kind', 'Widget/a: several-schemas']);
});

it('says the same of an object that a ResourceSet renders', () => {
  expect(found(OLDER, NEWER, set('{colour: red}'))).toEqual(['warning ambiguous-kind', 'Widget/a: several-schemas']);
});

it('reports the errors of an object that every CRD of its kind rejects', () => {
  expect(found(OLDER, NEWER, widget('{size: big}'))).toEqual(['error rendered-type']);
});

it('checks an object that every CRD of its kind accepts', () => {
  expect(found(OLDER, NEWER, widget('{size: 1}'))).toEqual([]);
});
