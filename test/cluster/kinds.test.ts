import { expect, it } from 'vitest';
import type { KubeObject } from '../../src/core/model/object.ts';
import { getAt } from '../../src/core/model/value.ts';
import { readPackageText } from './documents.ts';
import { instancesOf } from './fixtures.ts';
import { approved, permissiveCrds } from './kinds.ts';

const objects = readPackageText(`
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1beta1, kind: App}
  resources:
    - {id: old, template: {apiVersion: acme.test/v1, kind: Gear, metadata: {name: x}}}
    - {id: new, template: {apiVersion: acme.test/v2, kind: Gear, metadata: {name: x}}}
    - {id: own, template: {apiVersion: acme.test/v2, kind: Port, metadata: {name: x}}}
    - {id: core, template: {apiVersion: apps/v9, kind: Deployment, metadata: {name: x}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ports.acme.test}
spec: {group: acme.test, names: {kind: Port}, versions: [{name: v1}]}
---
{apiVersion: kro.run/v1, kind: App, metadata: {name: of-another-version}}
`);

it('recognises an instance in a version that is not served', () => {
  expect(instancesOf({ name: '', label: '', namespace: '', objects, observed: [] })).toHaveLength(1);
});

it('creates one CRD with all versions of a kind, and none for kinds that an RGD or a CRD defines', async () => {
  const api = { knows: async ({ kind }: { kind?: unknown }) => /Definition$/.test(String(kind)) };
  const crds = await permissiveCrds(objects, api);
  expect(crds.map((crd) => getAt(crd, ['metadata', 'name']))).toEqual(['gears.acme.test']);
  const versions = getAt(crds[0], ['spec', 'versions']) as object[];
  expect(versions).toMatchObject([
    { name: 'v1', storage: true },
    { name: 'v2', storage: false },
  ]);
});

it('gives CRDs of protected groups the required annotation', () => {
  const of = (group: string, metadata = '{name: x}') =>
    readPackageText(
      `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: ${metadata}, spec: {group: ${group}}}`,
    )[0] as KubeObject;
  const annotation = (crd: KubeObject) =>
    getAt(approved(crd), ['metadata', 'annotations', 'api-approved.kubernetes.io']);
  expect(annotation(of('gateway.networking.k8s.io'))).toBe('unapproved, for a test');
  expect(annotation(of('k8s.io', '{name: x, annotations: {api-approved.kubernetes.io: "#1"}}'))).toBe('#1');
  expect(annotation(of('s3.services.k8s.aws'))).toBeUndefined();
  expect(annotation(of('not-k8s.io'))).toBeUndefined();
});
