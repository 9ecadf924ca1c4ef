import { expect, it } from 'vitest';
import { validate } from '../../../src/api/index.ts';

const rgdOf = (apiVersion: string, kind: string, spec: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: web}
spec:
  schema: {apiVersion: v1alpha1, kind: Web, spec: {path: string}}
  resources:
    - id: one
      template:
        apiVersion: ${apiVersion}
        kind: ${kind}
        metadata: {name: "\${schema.metadata.name}"}
        spec: ${spec}
---
apiVersion: kro.run/v1alpha1
kind: Web
metadata: {name: a, namespace: b}
spec: {path: ./apps}
`;

const KUSTOMIZATION =
  '{interval: 10m, prune: true, path: "${schema.spec.path}", sourceRef: {kind: GitRepository, name: a}}';

it.each([
  ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization', KUSTOMIZATION],
  ['argoproj.io/v1alpha1', 'AppProject', '{sourceRepos: ["${schema.spec.path}"]}'],
])('knows the kind %s %s in a node of an RGD', (apiVersion, kind, spec) => {
  const text = rgdOf(apiVersion, kind, spec);
  expect(validate({ objects: [{ file: 'a.yaml', text }] }).diagnostics).toEqual([]);
  const wrong = validate({
    objects: [
      { file: 'a.yaml', text: text.replace('prune: true', 'prune: 1').replace('sourceRepos: [', 'sourceRepos: [1, ') },
    ],
  });
  expect(wrong.diagnostics.map(({ code }) => code)).toEqual(['rendered-type']);
});

it('warns of another kind of these groups, and rejects both with strict, as kro does without their CRDs', () => {
  const text = rgdOf('argoproj.io/v1alpha1', 'Rollout', '{}');
  expect(validate({ objects: [{ file: 'a.yaml', text }] }).diagnostics.map(({ code }) => code)).toContain(
    'unknown-kind',
  );
  const known = rgdOf('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', KUSTOMIZATION);
  expect(
    validate({ objects: [{ file: 'a.yaml', text: known }] }, { strict: true }).diagnostics.map(({ code }) => code),
  ).toContain('unknown-kind');
});
