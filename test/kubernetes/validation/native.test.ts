import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import ofKinds from '../../../data/kubernetes-rules.json';
import schema from '../../../data/kubernetes-rules.schema.json';
import ofMetadata from '../../../data/metadata-rules.json';
import { parseJson } from '../../../src/core/encoding/json.ts';
import { groupVersionKind, type KubeObject } from '../../../src/core/model/object.ts';
import type { ValueMap } from '../../../src/core/model/value.ts';
import { forms } from '../../../src/kubernetes/validation/native/checks.ts';
import { checks } from '../../../src/kubernetes/validation/native/index.ts';
import {
  type Checks,
  type Place,
  type Rule,
  type RuleTable,
  rulesOf,
} from '../../../src/kubernetes/validation/native/rule.ts';
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

  // kube-apiserver 1.37 rejects and accepts the same.
  it.each([
    ['{dataSourceRef: {kind: Other, name: a, namespace: shop}}', 'dataSourceRef.kind'],
    ['{dataSourceRef: {kind: PersistentVolumeClaim, name: a, namespace: A_B}}', 'dataSourceRef.namespace'],
    ['{dataSourceRef: {apiGroup: A_B, kind: Other, name: a, namespace: shop}}', 'dataSourceRef.apiGroup'],
    ['{dataSourceRef: {kind: PersistentVolumeClaim, namespace: shop}}', 'dataSourceRef.name'],
    ['{dataSource: {kind: Other, name: a}}', 'dataSource.kind'],
    [
      '{dataSource: {kind: PersistentVolumeClaim, name: a}, dataSourceRef: {kind: PersistentVolumeClaim, name: b}}',
      'dataSource',
    ],
    ['{dataSourceRef: {kind: PersistentVolumeClaim, name: a, namespace: shop}}', undefined],
    ['{dataSource: {apiGroup: example.com, kind: Other, name: a}}', undefined],
  ])('claims of a StatefulSet have a source that an API server takes: %s', (source, field) => {
    const [set] = objects.filter(({ kind }) => kind === 'StatefulSet') as KubeObject[];
    const [claim] = readPackageText(
      `{apiVersion: v1, kind: X, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}, ${source.slice(1)}}`,
    ) as unknown as { metadata: ValueMap; spec: ValueMap }[];
    const template = { metadata: claim?.metadata ?? null, spec: claim?.spec ?? null };
    const faults = faultsOf({
      ...set,
      spec: { ...(set?.spec as ValueMap), volumeClaimTemplates: [template] },
    } as KubeObject);
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(
      field === undefined ? [] : [`spec.volumeClaimTemplates[0].spec.${field}`],
    );
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
    '@every 0s0',
    '@every 1',
    '@every 1h 30m',
    '@every .s',
    'TZ=UTC * * * * *',
  ])('is reported for the schedule %s', (schedule) => {
    const cron = objects.find(({ kind }) => kind === 'CronJob') as KubeObject;
    expect(faultsOf({ ...cron, spec: { ...(cron.spec as ValueMap), schedule } })).toHaveLength(1);
  });
});

const table = { ...ofMetadata, ...ofKinds } as RuleTable;

/** Returns the rules of a table, those of nested ones included, and each requirement of a rule by itself. */
function* requirementsIn(rules: readonly object[]): Iterable<Requirement> {
  for (const rule of rules) {
    const { checks: all, rules: inner } = rule as { checks?: object[]; rules?: object[] };
    if (all !== undefined) yield* requirementsIn(all);
    else if (inner !== undefined) yield* requirementsIn(inner);
    else yield rule as Requirement;
  }
}

interface Requirement {
  operator?: string;
  part?: string;
  values?: unknown[];
}

const requirements = Object.values(table).flatMap((rules) => [...requirementsIn(rules)]);

describe('the tables of rules', () => {
  it.each([
    ['of kinds', ofKinds],
    ['of metadata', ofMetadata],
  ])('have the form of their schema: %s', (_, rules) => {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);
    validate(rules);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each([
    ['an operator without its values', { field: 'a', operator: 'min' }],
    ['a text for an integer', { field: 'a', operator: 'min', values: ['1'] }],
    ['two requirements in one', { field: 'a', operator: 'required', part: 'Labels' }],
    ['another key', { field: 'a', operator: 'required', message: 'b' }],
    ['a condition in a text', { field: 'a if b', operator: 'required' }],
    ['a condition without values', { field: 'a', when: [{ field: 'b', operator: 'in' }], operator: 'required' }],
    ['a rule without a field', { operator: 'required' }],
  ])('the schema rejects %s', (_, rule) => {
    expect(new Ajv2020({ strict: false }).compile(schema)({ 'a/B': [rule] })).toBe(false);
  });

  it('name only parts, operators and forms that exist, and each of them is used', () => {
    const parts = requirements.flatMap(({ part }) => part ?? []);
    const operators = requirements.flatMap(({ operator }) => operator ?? []);
    const ofKeys = requirements.flatMap(({ operator, values }) =>
      operator === 'keys' ? (values ?? []).map(String) : [],
    );
    const used = new Set([...parts, ...operators, 'EmbeddedMeta', 'InstanceMeta', 'ObjectMeta', 'PodSpec', 'Junctor']);
    const isForm = (name: string): boolean => Object.hasOwn(forms, name);
    expect(parts.filter((name) => !Object.hasOwn(table, name))).toEqual([]);
    expect(operators.filter((name) => !Object.hasOwn(checks, name))).toEqual([]);
    const known = [...Object.keys(table), ...Object.keys(checks)];
    expect(known.filter((name) => !name.includes('/') && !used.has(name) && !isForm(name))).toEqual([]);
    const unused = Object.keys(forms)
      .filter((name) => !name.endsWith('!'))
      .filter((name) => !used.has(name) && !used.has(`${name}!`) && !ofKeys.includes(name));
    expect(unused).toEqual([]);
    expect(ofKeys.filter((name) => !isForm(name))).toEqual([]);
  });

  it('have a recorded refusal of an API server for a part of their requirements', () => {
    const found = new Set<Requirement>();
    const numbered = structuredClone(table);
    const all = Object.values(numbered).flatMap((rules) => [...requirementsIn(rules)]);
    const operators = all.map(({ operator = '' }) => operator);
    for (const [index, requirement] of all.entries())
      if (requirement.operator !== undefined) requirement.operator = String(index);
    const observed: Checks = Object.fromEntries(
      operators.map((operator, index) => [
        String(index),
        (...values) => {
          const rule = checks[operator]?.(...values) as Rule;
          return (value, place, owner) => {
            const before = place.faults.length;
            rule(value, place, owner);
            if (place.faults.length > before) found.add(all[index] as Requirement);
          };
        },
      ]),
    );
    const named = rulesOf(numbered, observed);
    for (const one of verdicts.filter(({ refused }) => refused)) {
      const object = changed(one);
      const { group, kind } = groupVersionKind(object);
      const place = (path: string[]): Place => ({ path, faults: [], condition: '', named });
      named('ObjectMeta')?.(object.metadata, place(['metadata']), object);
      named(`${group}/${kind}`)?.(object, place([]), object);
    }
    const without = all.filter((one) => one.operator !== undefined && !found.has(one));
    // It may only fall: a new rule comes with an object that an API server refuses.
    expect(without.length).toBeLessThanOrEqual(404);
    expect(found.size).toBeGreaterThan(200);
  });
});
