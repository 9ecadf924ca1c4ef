import type { Source } from '../../src/api/index.ts';

export const rgd = (kind: string, value = '${schema.spec.text}'): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: ${kind.toLowerCase()}}
spec:
  schema: {apiVersion: v1alpha1, kind: ${kind}, spec: {text: string}}
  resources:
  - id: cm
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}"}, data: {v: "${value}"}}
`;
export const source = (kind: string, value?: string) => ({ file: `${kind}.yaml`, text: rgd(kind, value) });
export const instance = (kind: string, name: string, text: unknown = 'x'): Source => ({
  apiVersion: 'kro.run/v1alpha1',
  kind,
  metadata: { name, namespace: 'web' },
  spec: { text },
});
export const kinds = Array.from({ length: 24 }, (_, index) => `Kind${String.fromCharCode(65 + index)}`);
export const all = kinds.map((kind) => source(kind));
