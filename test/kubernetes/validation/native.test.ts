import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import ofKinds from '../../../data/kubernetes-rules.json';
import ofMetadata from '../../../data/metadata-rules.json';
import { parseJson } from '../../../src/core/encoding/json.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import type { ValueMap } from '../../../src/core/model/value.ts';
import { forms } from '../../../src/kubernetes/validation/native/checks.ts';
import { checks } from '../../../src/kubernetes/validation/native/index.ts';
import { readPackageText } from '../../cluster/documents.ts';
import { type Mutant, mutated } from '../../cluster/refusals/mutants.ts';
import { faultsOf } from '../../cluster/refusals/ours.ts';

const read = (name: string): string => readFileSync(`test/cluster/refusals/${name}`, 'utf8');
const objects = readPackageText(read('objects.yaml'));
const verdicts = read('verdicts.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const { base, refused, path, ...rest } = parseJson(line) as ValueMap;
    const steps = (path as (string | bigint)[]).map((step) => (typeof step === 'bigint' ? Number(step) : step));
    return { ...rest, base: Number(base), path: steps, refused: refused === true } as Mutant & { refused: boolean };
  });

/** What depends on the cluster: its address families, its ports, and whether CIDR blocks may have more bits set. */
const OF_THE_CLUSTER = /ipFamilyPolicy|healthCheckNodePort|nodePort|externalTrafficPolicy|loadBalancerSourceRanges/i;

describe("objects of Kubernetes' own kinds", () => {
  it.each(objects.map((object) => [object.kind, object]))('are accepted: %s', (_, object) => {
    expect(faultsOf(object)).toEqual([]);
  });

  it('are rejected as by an API server', () => {
    const missed = verdicts.filter((one) => one.refused && faultsOf(changed(one)).length === 0).map(title);
    expect(missed.filter((one) => !OF_THE_CLUSTER.test(one))).toEqual([]);
    expect(missed.length).toBeLessThan(0.01 * verdicts.filter(({ refused }) => refused).length);
  });

  it.each([
    ['Deployment', 1],
    ['DaemonSet', 1],
    ['StatefulSet', 0],
  ])('reject a negative history limit if an API server checks it: %s', (kind, count) => {
    const object = objects.find((one) => one.kind === kind) as KubeObject;
    const spec = { ...(object.spec as ValueMap), revisionHistoryLimit: -1n };
    expect(faultsOf({ ...object, spec })).toHaveLength(count);
  });

  // Each was rejected by kube-apiserver 1.37.
  it.each([
    ['StorageClass', '{provisioner: a, allowedTopologies: [TERM, TERM]}', 'allowedTopologies[1].matchLabelExpressions'],
    [
      'StorageClass',
      '{provisioner: a, allowedTopologies: [TERM, OTHER_ORDER]}',
      'allowedTopologies[1].matchLabelExpressions',
    ],
    ['Service', '{spec: {ports: [{port: 80}], ipFamilies: [""]}}', 'spec.ipFamilies[0]'],
    [
      'Pod',
      '{spec: {containers: [{name: a, image: a}], ephemeralContainers: [{name: b, image: b}]}}',
      'spec.ephemeralContainers',
    ],
    [
      'Pod',
      '{spec: {containers: [{name: a, image: a}], volumes: [{name: v, projected: {sources: [NAMES]}}]}}',
      'spec.volumes[0].projected.sources',
    ],
  ])('are rejected for a value that is valid by itself: %s %s', (kind, text, field) => {
    const term = '{matchLabelExpressions: [{key: zone, values: [a, b]}, {key: rack, values: [c]}]}';
    const other = '{matchLabelExpressions: [{key: rack, values: [c]}, {key: zone, values: [b, a]}]}';
    const item = '{path: name, fieldRef: {fieldPath: metadata.name}}';
    const filled = text
      .replaceAll('OTHER_ORDER', other)
      .replaceAll('TERM', term)
      .replaceAll('NAMES', `{downwardAPI: {items: [${item}, ${item}]}}`);
    const apiVersion = kind === 'StorageClass' ? 'storage.k8s.io/v1' : 'v1';
    const [object] = readPackageText(
      `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}, ${filled.slice(1)}`,
    );
    const faults = faultsOf(object as KubeObject);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`${field} `);
  });

  it('are accepted if an API server accepts them', () => {
    const strict = verdicts.filter((one) => !one.refused && faultsOf(changed(one)).length > 0);
    expect(strict.map((one) => `${title(one)}: ${faultsOf(changed(one)).join('; ')}`)).toEqual([]);
  });
});

const changed = (one: Mutant): KubeObject => mutated(objects[one.base] as KubeObject, one);
const title = (one: Mutant): string =>
  `${objects[one.base]?.kind} ${one.path.join('.')} ${JSON.stringify(one.value, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}`;

const pod = (container: ValueMap, more: ValueMap = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'a', image: 'a', ...container }], ...more },
});

const service = (more: ValueMap): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a' },
  spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80n }], ...more },
});

describe('an error of an object', () => {
  it.each<[string, KubeObject]>([
    [
      'spec.containers[0].resources.requests.memory must be a quantity such as 100m, 64Mi or 1.5: a number with no unit, n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi or Ei',
      pod({ resources: { requests: { memory: '64mb' } } }),
    ],
    [
      'spec.containers[0].volumeMounts[0].name Not found: the pod has no such volume',
      pod({ volumeMounts: [{ name: 'x', mountPath: '/x' }] }),
    ],
    ['spec.containers Required value', pod({}, { containers: [] })],
    ['spec.containers[0].image Required value', pod({ image: '' })],
    ['spec.healthCheckNodePort must be between 0 and 65535, inclusive', service({ healthCheckNodePort: 65536n })],
  ])('names the field and the expected value: %s', (message, object) => {
    expect(faultsOf(object)).toEqual([message]);
  });

  it.each([
    ...['metadata.name', 'metadata.namespace', 'metadata.uid', "metadata.labels['app']", "metadata.annotations['A/b']"],
    ...['spec.nodeName', 'spec.serviceAccountName'],
    ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
  ])('are accepted with a variable of the field %s', (fieldPath) => {
    expect(faultsOf(pod({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath } } }] }))).toEqual([]);
  });

  it.each(['* * * * *', '@hourly', '@every 1h30m', '0 0 1 JAN sun', '*/5 1-3,7 ? * 1-5/2'])(
    'is not reported for the schedule %s',
    (schedule) => {
      const cron = objects.find(({ kind }) => kind === 'CronJob') as KubeObject;
      expect(faultsOf({ ...cron, spec: { ...(cron.spec as ValueMap), schedule } })).toEqual([]);
    },
  );

  it.each([
    'every day',
    '* * * *',
    '60 * * * *',
    '* * 0 * *',
    '*/0 * * * *',
    '5-1 * * * *',
    '@never',
    'TZ=UTC * * * * *',
  ])('is reported for the schedule %s', (schedule) => {
    const cron = objects.find(({ kind }) => kind === 'CronJob') as KubeObject;
    expect(faultsOf({ ...cron, spec: { ...(cron.spec as ValueMap), schedule } })).toHaveLength(1);
  });
});

const table = { ...ofMetadata, ...ofKinds };

it('every name in the table of rules is that of a shape or a check, and each of them is used', () => {
  const words = (value: unknown): string[] =>
    typeof value === 'string'
      ? [...value.replace(/\([^)]*\)/g, '').matchAll(/[\w.]+!?/g)].map(([word]) => word)
      : Object.values(value as object).flatMap(words);
  const used = new Set([...words(table), 'EmbeddedMeta', 'InstanceMeta', 'PodSpec', 'Junctor']);
  const known = new Set([...Object.keys(table), ...Object.keys(checks)]);
  const ofKeys = [...JSON.stringify(table).matchAll(/keys\((\w+)\)/g)].map(([, form = '']) => form);
  const isForm = (name: string): boolean => Object.hasOwn(forms, name);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !name.includes('/') && !used.has(name) && !isForm(name))).toEqual([]);
  expect(
    Object.keys(forms)
      .filter((name) => !name.endsWith('!'))
      .filter((name) => !used.has(name) && !used.has(`${name}!`) && !ofKeys.includes(name)),
  ).toEqual([]);
  expect(ofKeys.filter((name) => !isForm(name))).toEqual([]);
});
