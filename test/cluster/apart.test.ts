import { expect, it } from 'vitest';
import type { KubeObject } from '../../src/core/model/object.ts';
import { getAt } from '../../src/core/model/value.ts';
import { type ApartCase, apart } from './apart.ts';
import { batchesOf, type Planned } from './batches.ts';
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

it('gives the kinds and RGDs of a case unique names, in templates too', () => {
  const [rgd, instance] = cases[1]?.objects ?? [];
  expect(getAt(rgd, ['metadata', 'name'])).toBe('c1-app');
  expect(getAt(rgd, ['spec', 'schema', 'group'])).toBe('c1.kro.run');
  expect(getAt(rgd, ['spec', 'resources', 0, 'template', 'apiVersion'])).toBe('c1.kro.run/v1alpha1');
  expect(getAt(rgd, ['spec', 'resources', 1, 'template', 'apiVersion'])).toBe('kro.run/v1alpha1');
  expect(instance?.apiVersion).toBe('c1.kro.run/v1alpha1');
});

const planned = (one: ApartCase, more: Partial<Planned> = {}): Planned => ({
  one: { ...one, objects: one.objects.slice(0, 2) },
  crds: [],
  written: [],
  ours: { stage: '' },
  ...more,
});
const [first, second] = cases as [ApartCase, ApartCase];

const inShared = (one: ApartCase, name: string): ApartCase => ({
  ...one,
  objects: [{ apiVersion: one.objects[1]?.apiVersion ?? '', kind: 'App', metadata: { name, namespace: 'shared' } }],
});
const settings = (one: ApartCase): ApartCase => ({
  ...one,
  objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shared' } }],
});

it('separates cases that need the same object', () => {
  expect(batchesOf(cases.map((one) => planned(one, { one: settings(one) })))).toHaveLength(2);
  expect(batchesOf(cases.map((one) => planned(one)))).toHaveLength(1);
});

it('separates a case whose objects are not known in the namespaces of others', () => {
  const both = [
    planned(first, { one: inShared(first, 'a') }),
    planned(second, { one: inShared(second, 'b') }),
  ] as const;
  expect(batchesOf(both)).toHaveLength(1);
  expect(batchesOf([both[0], { ...both[1], ours: { stage: 'pending' } }])).toHaveLength(2);
});

it('separates a case that writes a CRD which another one needs', () => {
  const [crd] = readPackageText(
    `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: x}}`,
  );
  const [needs, writes] = [
    planned(first, { crds: [crd as KubeObject] }),
    planned(second, { written: [crd as KubeObject] }),
  ];
  expect(batchesOf([needs, writes])).toHaveLength(2);
  expect(batchesOf([needs, { ...writes, written: [], crds: [crd as KubeObject] }])).toHaveLength(1);
});

it('separates cases whose CRDs have the same name', () => {
  const crd = (plural: string, names: string): KubeObject =>
    readPackageText(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.acme.test}
spec: {group: acme.test, names: {plural: ${plural}, ${names}}}
`)[0] as KubeObject;
  const together = (...crds: KubeObject[]): number =>
    batchesOf(crds.map((one, index) => planned(cases[index] as ApartCase, { crds: [one] }))).length;
  expect(together(crd('policies', 'kind: Policy'), crd('policys', 'kind: Policy'))).toBe(2);
  expect(together(crd('gears', 'kind: Gear, shortNames: [g]'), crd('gates', 'kind: Gate, shortNames: [g]'))).toBe(2);
  expect(together(crd('gears', 'kind: Gear'), crd('gates', 'kind: Gate'))).toBe(1);
});

it('groups at most the given number of cases', () => {
  expect(
    batchesOf(
      cases.map((one) => planned(one)),
      1,
    ),
  ).toHaveLength(2);
});

it('gives the namespaces of a case unique names, unless another object may refer to them', () => {
  const [service, reader] = readPackageText(`
{apiVersion: v1, kind: Service, metadata: {name: s, namespace: default}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: s, namespace: web}, data: {of: "s.web.svc"}}
`) as [KubeObject, KubeObject];
  const inDefault = apart({ name: 'd', objects: [...objects, service], observed: [reader] }, 2);
  expect(inDefault.namespace).toBe('c2');
  const namespaces = [...inDefault.objects, ...inDefault.observed].map((one) => getAt(one, ['metadata', 'namespace']));
  expect(namespaces).toEqual([undefined, undefined, 'c2-shared', 'c2', 'web']);
  const told = { ...reader, data: { of: 'default' } };
  expect(apart({ name: 'd', objects: [service], observed: [told] }, 2).namespace).toBe('default');
});
