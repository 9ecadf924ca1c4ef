import { describe, expect, it } from 'vitest';
import { validatePackage } from '../../../src/check/validate/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { toDiagnostics } from '../../../src/yaml/locate/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

// What Kubernetes counts: https://kubernetes.io/docs/concepts/policy/resource-quotas/

const found = (...documents: string[]): string[] => {
  const objects = readStreams([{ file: 'a.yaml', text: documents.join('\n---\n') }], new Collector());
  return toDiagnostics(validatePackage({ objects }, defaultRenderOptions).reports)
    .filter(({ code }) => code === 'quota-exceeded')
    .map(({ severity, field, message }) => `${severity} ${field}: ${message}`);
};
const quota = (hard: string, rest = ''): string =>
  `{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: web}, spec: {hard: {${hard}}${rest}}}`;
const container = (requests: string, limits = ''): string =>
  `{name: c, image: "a:1", resources: {requests: {${requests}}, limits: {${limits}}}}`;
const pod = (...containers: string[]): string => `{containers: [${containers.join(', ')}]}`;
const rgd = (kind: string, group: string, spec: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1, kind: App, spec: {replicas: integer}}
  resources:
  - id: load
    template: {apiVersion: ${group}, kind: ${kind}, metadata: {name: "\${schema.metadata.name}"}, spec: ${spec}}`;
const deployment = (spec: string): string =>
  rgd(
    'Deployment',
    'apps/v1',
    `{replicas: "\${schema.spec.replicas}", selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: ${spec}}}`,
  );
const app = (name: string, replicas: number, namespace = 'web'): string =>
  `{apiVersion: kro.run/v1, kind: App, metadata: {name: ${name}, namespace: ${namespace}}, spec: {replicas: ${replicas}}}`;

describe('a ResourceQuota of the package', () => {
  const load = deployment(pod(container('cpu: 500m, memory: 100Mi', 'memory: 1Gi'), container('cpu: 250m')));

  it('is compared with the requests and replicas of the rendered objects in its namespace', () => {
    const hard =
      'requests.cpu: "2", cpu: 3, requests.memory: 400Mi, limits.memory: 4Gi, pods: 3, count/deployments.apps: 1';
    expect(found(quota(hard), load, app('a', 3), app('b', 1), app('c', 9, 'other'))).toEqual([
      'warning spec.hard["requests.cpu"]: the objects of the package need 3, and it allows 2: Deployment/a, Deployment/b',
      'warning spec.hard.pods: the objects of the package need 4, and it allows 3: Deployment/a, Deployment/b',
      'warning spec.hard["count/deployments.apps"]: the objects of the package need 2, and it allows 1: Deployment/a, Deployment/b',
    ]);
  });

  it('may be sufficient, for another namespace, or for some pods only', () => {
    expect(found(quota('requests.cpu: 750m, pods: "1"'), load, app('a', 1))).toEqual([]);
    expect(found(quota('pods: "1"').replace('web', 'db'), load, app('a', 2))).toEqual([]);
    expect(found(quota('pods: "1"', ', scopes: [BestEffort]'), load, app('a', 2))).toEqual([]);
  });

  it('counts a limit as the request, the larger of init containers and containers, and rounds up', () => {
    const spec = `{containers: [${container('', 'cpu: 100m')}], initContainers: [${container('cpu: 1500u')}, ${container('memory: 64Mi')}]}`;
    expect(found(quota('requests.cpu: 99m, memory: 127Mi'), deployment(spec), app('a', 2))).toEqual([
      'warning spec.hard["requests.cpu"]: the objects of the package need 200m, and it allows 99m: Deployment/a',
      'warning spec.hard.memory: the objects of the package need 128Mi, and it allows 127Mi: Deployment/a',
    ]);
    const sidecar = container('cpu: "1"').replace('{name', '{restartPolicy: Always, name');
    const beside = `{containers: [${container('cpu: "1"')}], initContainers: [${sidecar}]}`;
    expect(found(quota('cpu: "1"'), deployment(beside), app('a', 1))[0]).toContain('need 2, and it allows 1');
  });

  it('counts Jobs, other objects and storage, and no DaemonSet', () => {
    const daemons = rgd(
      'DaemonSet',
      'apps/v1',
      `{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: ${pod(container('cpu: 9'))}}}`,
    );
    expect(found(quota('pods: 0, cpu: 1'), daemons, app('a', 1))).toEqual([]);
    const jobs = rgd(
      'Job',
      'batch/v1',
      `{parallelism: 4, template: {spec: {restartPolicy: Never, containers: [${container('cpu: 1')}]}}}`,
    );
    expect(found(quota('pods: 3, count/jobs.batch: 0'), jobs, app('a', 1))).toHaveLength(2);
    const claim = rgd(
      'PersistentVolumeClaim',
      'v1',
      '{accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}',
    );
    expect(found(quota('requests.storage: 1Gi, persistentvolumeclaims: 0'), claim, app('a', 1))[0]).toContain(
      'need 2048Mi',
    );
  });
});
