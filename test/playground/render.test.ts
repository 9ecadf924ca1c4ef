import { describe, expect, it } from 'vitest';
import { renderPackage } from '../../playground/engine/render.ts';

it('shows an object of a ResourceSet without an apiVersion, which the operator accepts', () => {
  const text = `
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: a, namespace: default}
spec: {resources: [{kind: ConfigMap, metadata: {name: x}}]}
`;
  const { objects } = renderPackage({ files: [{ name: 'input.yaml', text, role: 'objects' }], options: {} });
  expect(objects).toMatchObject([{ key: '/ConfigMap//x', instance: 'ResourceSet/a' }]);
});

describe('a file of inputs on the page', () => {
  const set = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: teams, namespace: default}
spec:
  inputs: [{team: own}]
  resources:
    - {apiVersion: v1, kind: Namespace, metadata: {name: << inputs.team >>}}
`;
  const rendered = (inputs: string): ReturnType<typeof renderPackage> =>
    renderPackage({
      files: [
        { name: 'set.yaml', text: set, role: 'objects' },
        { name: 'inputs.yaml', text: inputs, role: 'inputs' },
      ],
      options: {},
    });

  it('replaces the inputs of a ResourceSet', () => {
    const { objects, diagnostics } = rendered('- team: web\n- team: data\n');
    expect(objects.map(({ name }) => name)).toEqual(['web', 'data']);
    expect(diagnostics).toEqual([]);
  });

  it.each([
    ['has two documents', '- team: web\n---\n- team: data\n', { file: 'inputs.yaml', line: 3 }],
    ['is no list', 'team: web\n', { file: 'set.yaml', line: 1 }],
    ['is empty', '', {}],
  ])('is an error of the command line if it %s', (_, inputs, place) => {
    const { objects, diagnostics } = rendered(inputs);
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'inputs-file', ...place }]);
  });
});
