import { describe, expect, it } from 'vitest';
import { render } from '../../../src/api/index.ts';

const rgd = (name: string, kind: string, node = 'cm', id = 'one'): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: ${name}}
spec:
  schema: {apiVersion: v1alpha1, kind: ${kind}, spec: {}}
  resources:
    - id: ${id}
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${node}, namespace: web}}
`;
const instance = (kind: string): string =>
  `apiVersion: kro.run/v1alpha1\nkind: ${kind}\nmetadata: {name: i, namespace: web}\n`;
const plain = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, namespace: web}\n';
const set = (name: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: ${name}, namespace: web}
spec:
  resources:
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: web}}
`;

const steps = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: a, namespace: web}
spec:
  steps:
    - name: one
      resources:
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: web}}
    - name: two
      resources:
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: web}}
`;
const provider = (value: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSetInputProvider
metadata:
  name: p
  namespace: web
spec: {type: Static, defaultValues: {k: ${value}}}
`;
const fromProvider = set('a').replace('  resources:', '  inputsFrom: [{name: p}]\n  resources:');
const iterators = (...names: string[]): string =>
  rgd('a', 'A').replace(
    '      template:',
    `      forEach:\n${names.map((name) => `        - ${name}: '\${["x"]}'\n`).join('')}      template:`,
  );

describe('a duplicate is reported with the location of the other one', () => {
  it.each([
    ['a kind', 'kind-defined-twice', [rgd('a', 'App'), rgd('b', 'App')], 5],
    ['an object of two nodes', 'identity-collision', [rgd('a', 'A'), rgd('b', 'B'), instance('A'), instance('B')], 8],
    ['an object of two instances', 'identity-collision', [rgd('a', 'A'), instance('A'), instance('A')], 3],
    ['an object of a node and of the package', 'identity-collision', [plain, rgd('a', 'A'), instance('A')], 3],
    ['an object of two ResourceSets', 'identity-collision', [set('a'), set('b')], 6],
    ['an object of a ResourceSet and of the package', 'identity-collision', [set('a'), plain.replace('cm', 'x')], 6],
    ['an object of two steps of a ResourceSet', 'identity-collision', [steps], 8],
    ['a provider of inputs', 'provider-twice', [provider('a'), provider('b'), fromProvider], 4],
    ['an iterator', 'iterator-name', [iterators('x', 'x')], 9],
    ['an iterator that is a node id', 'iterator-name', [iterators('one')], 7],
    ['the id of a node', 'node-id', [`${rgd('a', 'A')}    - {id: one, template: {}}\n`], 7],
  ])('%s', (_, code, texts, line) => {
    const { diagnostics } = render({ objects: texts.map((text, index) => ({ file: `${index}.yaml`, text })) });
    const found = diagnostics.find((one) => one.code === code);
    const [other] = found?.related ?? [];
    expect(other?.line).toBe(line);
    expect(found?.message).toContain(`(${other?.file}:${line}:`);
    if (texts.length > 1) expect(other?.file).not.toBe(found?.file);
  });
});
