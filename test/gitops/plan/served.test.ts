import { describe, expect, it } from 'vitest';
import type { KubernetesRelease } from '../../../src/core/model/render.ts';
import { defaultSettings } from '../../../src/render/options/index.ts';
import { application, planOf, type Texts } from './repository.ts';

const CLAIM = `apiVersion: resource.k8s.io/v1alpha3
kind: ResourceClaim
metadata: { name: a, namespace: web }
spec: { devices: {} }
`;
const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: web }\n';
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: resourceclaims.resource.k8s.io }
spec:
  group: resource.k8s.io
  scope: Namespaced
  names: { kind: ResourceClaim, plural: resourceclaims }
  versions: [{ name: v1alpha3, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;

const plain = { 'argocd/a.yaml': application('a', '{ path: apps/a }'), 'apps/a/b.yaml': CONFIG };
const withClaim = { ...plain, 'apps/a/a.yaml': CLAIM };

/** Returns the codes of the reports of a plan for a release, with the object of each. */
function reported(before: Texts, after: Texts, kubernetes?: KubernetesRelease): string[] {
  const settings = kubernetes === undefined ? defaultSettings : { ...defaultSettings, kubernetes };
  const { reports } = planOf(before, after, undefined, [], { settings });
  return reports.map(({ code, object = '' }) => `${code} ${object}`);
}

describe('an object whose kind the release does not serve', () => {
  const error = 'api-removed ResourceClaim web/a';

  it('is an error if it is added', () => {
    expect(reported(plain, withClaim)).toEqual([error]);
    expect(reported(plain, withClaim, '1.34')).toEqual([error]);
    expect(reported(plain, withClaim, '1.33')).toEqual([]);
  });

  it('is an error if it is changed, and none if it stays or is removed', () => {
    const changed = { ...withClaim, 'apps/a/a.yaml': CLAIM.replace('devices: {}', 'devices: { requests: [] }') };
    expect(reported(withClaim, changed)).toEqual([error]);
    expect(reported(withClaim, { ...withClaim, 'apps/a/b.yaml': `${CONFIG}data: { a: b }\n` })).toEqual([]);
    expect(reported(withClaim, plain)).toEqual([]);
  });

  it('is none if the repository defines the kind', () =>
    expect(reported(plain, { ...withClaim, 'crds/a.yaml': CRD })).toEqual([]));

  it('is judged by the release that its application names', () => {
    const parameters = '[{ name: kubernetes, string: "1.33" }]';
    const own = application('a', `{ path: apps/a, plugin: { name: render-rgd, parameters: ${parameters} } }`);
    const ownPlain = { ...plain, 'argocd/a.yaml': own };
    expect(reported(ownPlain, { ...ownPlain, 'apps/a/a.yaml': CLAIM })).toEqual([]);
    const wrong = own.replace('"1.33"', '"1.34"');
    const without = { ...ownPlain, 'argocd/a.yaml': wrong };
    expect(reported(without, { ...without, 'apps/a/a.yaml': CLAIM })).toEqual([error]);
  });
});
