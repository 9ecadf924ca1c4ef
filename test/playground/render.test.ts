import { expect, it } from 'vitest';
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
