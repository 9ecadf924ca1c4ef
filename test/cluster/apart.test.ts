import { expect, it } from 'vitest';
import { getAt } from '../../src/model/value.ts';
import { apart } from './apart.ts';
import { batchesOf } from './batches.ts';
import { readPackageText } from './documents.ts';

const objects = readPackageText(`
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App}
  resources:
    - {id: inner, template: {apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: x}}}
    - {id: other, template: {apiVersion: kro.run/v1alpha1, kind: Other, metadata: {name: x}}}
---
{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: one}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shared}}
`);
const cases = [0, 1].map((index) => apart({ name: `case ${index}`, objects, observed: [] }, index));

it('gives the kinds and RGDs of a case names of their own, in templates too', () => {
  const [rgd, instance] = cases[1]?.objects ?? [];
  expect(getAt(rgd, ['metadata', 'name'])).toBe('c1-app');
  expect(getAt(rgd, ['spec', 'schema', 'group'])).toBe('c1.kro.run');
  expect(getAt(rgd, ['spec', 'resources', 0, 'template', 'apiVersion'])).toBe('c1.kro.run/v1alpha1');
  expect(getAt(rgd, ['spec', 'resources', 1, 'template', 'apiVersion'])).toBe('kro.run/v1alpha1');
  expect(instance?.apiVersion).toBe('c1.kro.run/v1alpha1');
});

it('keeps cases apart that need one object', () => {
  expect(batchesOf(cases.map((one) => ({ one, crds: [], written: [], ours: { stage: '' } })))).toHaveLength(2);
  const without = cases.map((one) => ({
    one: { ...one, objects: one.objects.slice(0, 2) },
    crds: [],
    written: [],
    ours: { stage: '' },
  }));
  expect(batchesOf(without)).toHaveLength(1);
});
