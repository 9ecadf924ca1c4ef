import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { labelKeyFault, labelValueFault, nameFault } from '../../../src/core/model/names.ts';
import { instanceId, labelValue, nodeLabels, originLabels } from '../../../src/kubernetes/label/index.ts';

describe('instance ids', () => {
  it('are UUIDv5 of the identity in the URL namespace', () => {
    expect(instanceId({ group: 'kro.run', kind: 'Office', namespace: 'work', name: 'hq' })).toBe(
      'cfc469a4-d4a7-5c28-adb1-3e35addd1701',
    );
  });
});

describe('label values', () => {
  it('keep up to 63 characters', () => {
    const value = 'a'.repeat(63);
    expect(labelValue(value, () => expect.unreachable())).toBe(value);
  });

  it('become h- and 40 hex digits of their SHA-256 beyond, as in kro 0.10', () => {
    let told = false;
    const value = labelValue('a'.repeat(64), () => {
      told = true;
    });
    expect(value).toBe(`h-${createHash('sha256').update('a'.repeat(64)).digest('hex').slice(0, 40)}`);
    expect(told).toBe(true);
  });
});

describe('labels', () => {
  const rgd = { name: 'web', uid: undefined };
  const instance = { id: 'i', name: 'n', namespace: '', group: 'g', version: 'v1', kind: 'K' };

  it('name no namespace for cluster-scoped instances and no definition id without a uid', () => {
    const labels = originLabels({ rgd, instance }, () => undefined);
    expect(labels).not.toHaveProperty('kro.run/instance-namespace');
    expect(labels).not.toHaveProperty('kro.run/resource-graph-definition-id');
    expect(labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'render-rgd', 'kro.run/owned': 'true' });
  });

  it('count the items of a collection', () => {
    const labels = nodeLabels({ a: 'b' }, 'node', { index: 2, size: 5 });
    expect(labels).toEqual({
      a: 'b',
      'kro.run/node-id': 'node',
      'kro.run/collection-index': '2',
      'kro.run/collection-size': '5',
    });
  });
});

describe('names', () => {
  it.each([
    ['', 'ConfigMap', 'a.b-c', true],
    ['', 'ConfigMap', 'A', false],
    ['', 'ConfigMap', 'a'.repeat(254), false],
    ['', 'Service', '1a', false],
    ['', 'Service', '-a', false],
    ['policy', 'PodDisruptionBudget', 'A b', true],
    ['', 'Service', 'a.b', false],
    ['serving.knative.dev', 'Service', 'a.b', true],
    ['', 'Namespace', 'a'.repeat(64), false],
    ['', 'Namespace', '1a', true],
    ['rbac.authorization.k8s.io', 'Role', 'system:Node', true],
    ['rbac.authorization.k8s.io', 'Role', 'a/b', false],
  ])('%s/%s %s', (group, kind, name, accepted) => {
    expect(nameFault({ group, kind }, name) === undefined).toBe(accepted);
  });

  it.each([
    ['app', true],
    ['example.test/app_name', true],
    ['Example.test/app', false],
    ['a/b/c', false],
    ['-app', false],
    ['', false],
  ])('label key %j', (key, accepted) => {
    expect(labelKeyFault(key) === undefined).toBe(accepted);
  });

  it.each([
    ['', true],
    ['a.b_c-d', true],
    ['a b', false],
    ['-a', false],
    ['a'.repeat(64), false],
  ])('label value %j', (value, accepted) => {
    expect(labelValueFault(value) === undefined).toBe(accepted);
  });
});
