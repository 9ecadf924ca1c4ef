import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/core/model/object.ts';
import type { ValueMap } from '../../../src/core/model/value.ts';
import { fieldDangers } from '../../../src/gitops/plan/dangers/fields.ts';

const object = (apiVersion: string, kind: string, rest: ValueMap): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  ...rest,
});
const told = (before: KubeObject | undefined, after: KubeObject | undefined): string[] =>
  [...fieldDangers(before, after)].map(({ code, message }) => `${code}: ${message}`);

describe('a change of an image', () => {
  const pod = (image: string, list = 'containers'): KubeObject =>
    object('v1', 'Pod', { spec: { [list]: [{ name: 'a', image }] } });
  const codes = (from: string, to: string, list?: string): string[] =>
    [...fieldDangers(pod(from, list), pod(to, list))].map(({ code }) => code);

  // By the order of versions that SemVer and Debian have: numbers as numbers, and a release after its candidates.
  it.each([
    ['a:1.10', 'a:1.9'],
    ['a:v2.0.0', 'a:v1.9.9'],
    ['a:1.27', 'a:1.26.9'],
    ['a:1.2.3.4', 'a:1.2.3.3'],
    ['a:1.2.3', 'a:1.2.3-rc.1'],
    ['a:1.2.3', 'a:1.2.3-beta'],
    ['a:1.2.3-alpine', 'a:1.2.2-alpine'],
    ['localhost:5000/a:2', 'localhost:5000/a:1'],
    ['a:20240102', 'a:20240101'],
  ])('from %s to %s goes back', (from, to) => {
    expect(codes(from, to)).toEqual(['danger-image-older']);
    expect(codes(to, from)).toEqual([]);
    expect(codes(from, to, 'initContainers')).toEqual(['danger-image-older']);
  });

  it.each([
    ['a:1.2.3', 'b:1.2.2'],
    ['a:1.2.3', 'a:1.2.3-alpine'],
    ['a:1.2.3-alpine', 'a:1.2.3'],
    ['a:1.2.3', 'a:1.2.3'],
    ['a:1.2', 'a:1.2.0'],
    ['a:main', 'a:1.0'],
    ['a:1.0', 'a:main'],
    ['a:1.0', 'a:latest@sha256:0123'],
    ['a:latest', 'a'],
    ['a:latest', 'a:1.0'],
  ])('from %s to %s is not dangerous', (from, to) => {
    expect(codes(from, to)).toEqual([]);
  });

  // The kubelet pulls `latest` if there is no tag; a port of the registry is none.
  it.each(['a', 'a:latest', 'localhost:5000/a'])('to %s can be any version', (image) => {
    expect(codes('a:1.0', image)).toEqual(['danger-image-latest']);
  });
});

describe('a change of the number of replicas', () => {
  const deployment = (replicas: ValueMap): KubeObject =>
    object('apps/v1', 'Deployment', { spec: { ...replicas, template: {} } });

  // The API server fills in 1.
  it.each<[string, ValueMap, ValueMap, string[]]>([
    ['3 to 0', { replicas: 3n }, { replicas: 0n }, ['danger-no-replicas: spec.replicas changes from 3 to 0']],
    ['none to 0', {}, { replicas: 0n }, ['danger-no-replicas: spec.replicas changes from 1 to 0']],
    ['0 to 0', { replicas: 0n }, { replicas: 0n }, []],
    ['3 to 1', { replicas: 3n }, { replicas: 1n }, []],
    ['3 to none', { replicas: 3n }, {}, []],
  ])('from %s', (_, before, after, expected) => {
    expect(told(deployment(before), deployment(after))).toEqual(expected);
  });

  it('is not looked at for an object without pods', () => {
    const pool = (replicas: bigint): KubeObject => object('a.example/v1', 'Pool', { spec: { replicas } });
    expect(told(pool(1n), pool(0n))).toEqual([]);
  });
});

describe('a host', () => {
  const ingress = (...hosts: string[]): KubeObject =>
    object('networking.k8s.io/v1', 'Ingress', { spec: { rules: hosts.map((host) => ({ host })) } });
  const route = (kind: string, ...hostnames: string[]): KubeObject =>
    object('gateway.networking.k8s.io/v1', kind, { spec: { hostnames } });
  const lost = (host: string): string => `danger-host-removed: the host ${host} is no longer served`;

  it('is lost with its rule, and with its object', () => {
    expect(told(ingress('a.example', 'b.example'), ingress('b.example', 'c.example'))).toEqual([lost('a.example')]);
    expect(told(ingress('a.example'), undefined)).toEqual([lost('a.example')]);
    expect(told(undefined, ingress('a.example'))).toEqual([]);
  });

  it.each(['HTTPRoute', 'GRPCRoute', 'TLSRoute'])('is lost with the name of a %s', (kind) => {
    expect(told(route(kind, 'a.example', 'b.example'), route(kind, 'b.example'))).toEqual([lost('a.example')]);
  });

  it('is none of another kind', () => {
    expect(told(route('TCPRoute', 'a.example'), route('TCPRoute'))).toEqual([]);
  });
});

describe('a load balancer', () => {
  const service = (type: string): KubeObject => object('v1', 'Service', { spec: { type } });
  const released = ['danger-address-removed: the load balancer and its address are released'];

  it('is released with its Service, or with another type', () => {
    expect(told(service('LoadBalancer'), service('ClusterIP'))).toEqual(released);
    expect(told(service('LoadBalancer'), undefined)).toEqual(released);
    expect(told(service('LoadBalancer'), service('LoadBalancer'))).toEqual([]);
    expect(told(service('ClusterIP'), service('LoadBalancer'))).toEqual([
      'danger-service-public: its type changes from ClusterIP to LoadBalancer: it can be reached from outside of the cluster',
    ]);
    expect(told(service('NodePort'), undefined)).toEqual([]);
  });
});

describe('a claim', () => {
  const claim = (storage: string): KubeObject =>
    object('v1', 'PersistentVolumeClaim', { spec: { resources: { requests: { storage } } } });

  it('that is smaller is rejected by an API server', () => {
    const smaller = 'danger-volume-smaller: the requested storage falls from 10Gi to 9Gi';
    expect(told(claim('10Gi'), claim('9Gi'))).toEqual([smaller]);
    expect(told(claim('1Gi'), claim('1024Mi'))).toEqual([]);
    expect(told(claim('1Gi'), claim('2Gi'))).toEqual([]);
  });
});

describe('permissions', () => {
  const rbac = 'rbac.authorization.k8s.io/v1';
  const role = (...verbs: string[]): KubeObject =>
    object(rbac, 'ClusterRole', { rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs }] });
  const binding = (name: string, ...subjects: ValueMap[]): KubeObject =>
    object(rbac, 'RoleBinding', { roleRef: { name }, subjects });
  const wider = (what: string): string => `danger-access-wider: ${what}`;

  it('of a role are listed, three at most', () => {
    expect(told(role('get'), role('get', 'list'))).toEqual([
      wider('it allows more than before: list deployments.apps'),
    ]);
    expect(told(role('get'), role('list', 'watch', 'create', 'update', 'patch'))).toEqual([
      wider(
        'it allows more than before: list deployments.apps, watch deployments.apps, create deployments.apps and 2 more',
      ),
    ]);
    expect(told(role('*'), role('get'))).toEqual([]);
    expect(told(role('get', 'list'), role('get'))).toEqual([]);
    expect(told(undefined, role('*'))).toEqual([]);
  });

  it('of a core resource have no group', () => {
    const secrets = (verb: string): KubeObject =>
      object(rbac, 'Role', { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: [verb] }] });
    expect(told(secrets('list'), secrets('get'))).toEqual([wider('it allows more than before: get secrets')]);
  });

  it('of a binding are those of its new subjects', () => {
    const one = { kind: 'ServiceAccount', name: 'a', namespace: 'n' };
    const other = { kind: 'User', name: 'b' };
    expect(told(binding('edit', one), binding('edit', one, other))).toEqual([
      wider('User b gets the permissions of edit'),
    ]);
    expect(told(binding('edit', other), binding('edit', one))).toEqual([
      wider('ServiceAccount n a gets the permissions of edit'),
    ]);
    expect(told(undefined, binding('edit', one))).toEqual([]);
    expect(told(undefined, binding('cluster-admin', one))).toEqual([wider('it binds subjects to cluster-admin')]);
  });

  it('of objects of other groups are none', () => {
    const fake = (subjects: ValueMap[]): KubeObject =>
      object('a.example/v1', 'RoleBinding', { roleRef: { name: 'edit' }, subjects });
    expect(told(fake([]), fake([{ kind: 'User', name: 'b' }]))).toEqual([]);
  });
});
