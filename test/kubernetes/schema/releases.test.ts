import { describe, expect, it } from 'vitest';
import kubernetes from '../../../data/kubernetes.json';
import lifecycles from '../../../data/kubernetes-lifecycles.json';
import minors from '../../../data/kubernetes-minors.json';
import { format } from '../../../src/core/diagnostics/index.ts';
import { groupVersionKind } from '../../../src/core/model/object.ts';
import {
  KUBERNETES_RELEASES,
  type KubernetesRelease,
  NEWEST_KUBERNETES,
  PLANNED_KUBERNETES,
} from '../../../src/core/model/render.ts';
import { kubernetesKinds, partsOf, readKindName, type Schema } from '../../../src/kubernetes/schema/index.ts';
import { deprecatedPaths } from '../../../src/kubernetes/schema/minors.ts';
import { deprecatedKind, unservedField, unservedKind } from '../../../src/kubernetes/schema/releases.ts';
import counts from './minors.json';

const gvkOf = (apiVersion: string, kind: string) => groupVersionKind({ apiVersion, kind });

/** Returns a diagnostic as a line of text. */
function line(problem: ReturnType<typeof unservedKind>): string | undefined {
  if (problem === undefined) return undefined;
  const { code, message, hint } = problem;
  return `${code}: ${format(message)}${hint === undefined ? '' : `; ${format(hint)}`}`;
}

/** Counts the fields of all schemas that a schema reaches, each once. */
function fieldsOf(schema: Schema, seen: Set<Schema>): number {
  const pending = [schema];
  let fields = 0;
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    fields += Object.keys(one.properties ?? {}).length;
    pending.push(...partsOf(one).map((part) => part.schema));
  }
  return fields;
}

describe('the tables of releases', () => {
  it('are those of the releases that the option accepts', () => {
    const older = [...minors.text.matchAll(/^# (.*)$/gm)].map(([, release]) => release);
    expect([lifecycles.newest, ...older]).toEqual([...KUBERNETES_RELEASES]);
    const removals = lifecycles.kinds.split('\n').map((one) => Number(one.split(' ')[5]?.split('.')[1] ?? 0));
    const planned = [lifecycles.newest, ...PLANNED_KUBERNETES].map((one) => Number(one.split('.')[1]));
    expect(Math.max(...removals)).toBe(Math.max(...planned));
    expect(new Set(planned).size).toBe(Math.max(...planned) - Math.min(...planned) + 1);
    expect(kubernetes.version).toMatch(new RegExp(`^v${NEWEST_KUBERNETES}\\.`));
  });

  it.each(counts)('have the kinds and fields that the document of $minor publishes', ({ minor, kinds, fields }) => {
    const registry = kubernetesKinds(minor as KubernetesRelease);
    const names = [...registry.names()];
    const seen = new Set<Schema>();
    const found = names.map((name) => fieldsOf(registry.find(readKindName(name))?.schema ?? {}, seen));
    expect(names).toHaveLength(kinds);
    expect(found.reduce((sum, one) => sum + one, 0)).toBe(fields);
  });

  it('know the release of each registry', () => {
    for (const release of KUBERNETES_RELEASES) expect(kubernetesKinds(release).release).toBe(release);
  });
});

// The releases are those of the deprecation guide of Kubernetes and of its change logs.
describe('a kind that a release does not serve', () => {
  it.each([
    ['policy/v1beta1', 'PodDisruptionBudget', '1.25', 'use policy/v1 PodDisruptionBudget'],
    ['policy/v1beta1', 'PodSecurityPolicy', '1.25', 'remove it'],
    ['batch/v1beta1', 'CronJob', '1.25', 'use batch/v1 CronJob'],
    ['extensions/v1beta1', 'Ingress', '1.22', 'use networking.k8s.io/v1 Ingress'],
    ['networking.k8s.io/v1beta1', 'Ingress', '1.22', 'use networking.k8s.io/v1 Ingress'],
    ['autoscaling/v2beta1', 'HorizontalPodAutoscaler', '1.25', 'use autoscaling/v2 HorizontalPodAutoscaler'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', '1.26', 'use autoscaling/v2 HorizontalPodAutoscaler'],
    ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', '1.22', 'apiextensions.k8s.io/v1 CustomResource'],
    ['apiregistration.k8s.io/v1beta1', 'APIService', '1.22', 'use apiregistration.k8s.io/v1 APIService'],
    ['flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema', '1.32', 'use flowcontrol.apiserver.k8s.io/v1 FlowSchema'],
    ['discovery.k8s.io/v1beta1', 'EndpointSlice', '1.25', 'use discovery.k8s.io/v1 EndpointSlice'],
    ['storage.k8s.io/v1alpha1', 'CSIStorageCapacity', '1.24', 'use storage.k8s.io/v1 CSIStorageCapacity'],
  ])('%s %s was removed in %s', (apiVersion, kind, removed, hint) => {
    const told = line(unservedKind(gvkOf(apiVersion, kind), NEWEST_KUBERNETES));
    expect(told).toContain(`api-removed: ${apiVersion} ${kind} was removed in Kubernetes ${removed}; `);
    expect(told).toContain(hint);
  });

  it('is served by an older release', () => {
    const schemas = gvkOf('flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema');
    expect(unservedKind(schemas, '1.31')).toBeUndefined();
    expect(kubernetesKinds('1.31').find(schemas)?.schema.properties).toHaveProperty('spec');
    expect(unservedKind(schemas, '1.32')?.code).toBe('api-removed');
    expect(kubernetesKinds('1.32').find(schemas)).toBeUndefined();
  });

  it('is not yet served by an older release', () => {
    const claims = gvkOf('resource.k8s.io/v1', 'ResourceClaim');
    expect(line(unservedKind(claims, '1.33'))).toContain(
      'api-not-yet-served: Kubernetes 1.33 does not serve resource.k8s.io/v1 ResourceClaim: 1.34 does',
    );
    expect(unservedKind(claims, '1.34')).toBeUndefined();
  });

  it('stays unknown if no table has it', () => {
    for (const [apiVersion, kind] of [
      ['apps/v1', 'Deploymnt'],
      ['apps/v9', 'Deployment'],
      ['example.com/v1', 'A'],
    ] as const)
      for (const release of KUBERNETES_RELEASES) expect(unservedKind(gvkOf(apiVersion, kind), release)).toBeUndefined();
  });

  it('is known to be removed from the cluster whose document does not have it', () => {
    const budgets = gvkOf('policy/v1beta1', 'PodDisruptionBudget');
    expect(line(unservedKind(budgets, undefined))).toBe(
      'api-removed: policy/v1beta1 PodDisruptionBudget was removed in Kubernetes 1.25; use policy/v1 PodDisruptionBudget',
    );
    expect(unservedKind(gvkOf('resource.k8s.io/v1', 'ResourceClaim'), undefined)).toBeUndefined();
  });
});

describe('a deprecated kind', () => {
  it('has the release that removes it, and its replacement', () => {
    expect(line(deprecatedKind(gvkOf('v1', 'Endpoints'), '1.33'))).toBe(
      'lint-deprecated-api: v1 Endpoints is deprecated since Kubernetes 1.33; use discovery.k8s.io/v1 EndpointSlice',
    );
    expect(deprecatedKind(gvkOf('v1', 'Endpoints'), '1.32')).toBeUndefined();
    expect(line(deprecatedKind(gvkOf('flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema'), '1.30'))).toBe(
      'lint-deprecated-api: flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is deprecated since Kubernetes 1.29, and 1.32 no longer serves it; use flowcontrol.apiserver.k8s.io/v1 FlowSchema',
    );
  });

  it('has the stable version as its replacement if Kubernetes names none', () => {
    expect(line(deprecatedKind(gvkOf('resource.k8s.io/v1beta1', 'ResourceClaim'), '1.35'))).toBe(
      'lint-deprecated-api: resource.k8s.io/v1beta1 ResourceClaim is deprecated since Kubernetes 1.35, and 1.38 no longer serves it; use resource.k8s.io/v1 ResourceClaim',
    );
    expect(line(unservedKind(gvkOf('resource.k8s.io/v1alpha2', 'ResourceClaim'), '1.33'))).toContain('; remove it; ');
    expect(line(unservedKind(gvkOf('resource.k8s.io/v1alpha2', 'ResourceClaim'), '1.34'))).toContain(
      '; use resource.k8s.io/v1 ResourceClaim',
    );
  });

  it('is not reported if it was removed or is not deprecated', () => {
    expect(deprecatedKind(gvkOf('policy/v1beta1', 'PodDisruptionBudget'), '1.29')).toBeUndefined();
    expect(deprecatedKind(gvkOf('apps/v1', 'Deployment'), NEWEST_KUBERNETES)).toBeUndefined();
  });
});

describe('a field', () => {
  const services = gvkOf('v1', 'Service');
  const about = (release: KubernetesRelease) => ({
    gvk: services,
    schema: kubernetesKinds(release).find(services)?.schema,
    release,
  });

  it('is reported for a release that does not serve it yet', () => {
    const path = ['spec', 'trafficDistribution'];
    expect(line(unservedField(about('1.29'), path))).toContain(
      'field-not-served: Kubernetes 1.29 does not serve this field of v1 Service: 1.30 does',
    );
    expect(kubernetesKinds('1.30').find(services)?.schema.properties?.spec?.properties).toHaveProperty(
      'trafficDistribution',
    );
  });

  it('is not reported if no release has it, or if something else describes the kind', () => {
    expect(unservedField(about('1.29'), ['spec', 'clusterIp'])).toBeUndefined();
    expect(unservedField({ ...about('1.29'), schema: {} }, ['spec', 'trafficDistribution'])).toBeUndefined();
  });

  it('has the values that its release accepts', () => {
    const pods = gvkOf('v1', 'Pod');
    const policy = (release: KubernetesRelease) =>
      kubernetesKinds(release).find(pods)?.schema.properties?.spec?.properties?.restartPolicy?.enum;
    for (const release of KUBERNETES_RELEASES) expect(policy(release)).toEqual(['Always', 'Never', 'OnFailure']);
  });

  it('is deprecated where its description says so', () => {
    const pods = gvkOf('apps/v1', 'Deployment');
    const object = {
      spec: { template: { spec: { serviceAccount: 'a', containers: [], volumes: [{ gitRepo: {} }] } } },
    };
    expect(deprecatedPaths(object, pods, '1.37')).toEqual([
      ['spec', 'template', 'spec', 'serviceAccount'],
      ['spec', 'template', 'spec', 'volumes', 0, 'gitRepo'],
    ]);
    expect(deprecatedPaths(object, gvkOf('v1', 'Nothing'), '1.37')).toEqual([]);
  });
});
