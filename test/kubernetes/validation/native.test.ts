import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import ofKinds from '../../../data/kubernetes-rules.json';
import schema from '../../../data/kubernetes-rules.schema.json';
import ofMetadata from '../../../data/metadata-rules.json';
import { parseJson } from '../../../src/core/encoding/json.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { listOf, type ValueMap } from '../../../src/core/model/value.ts';
import { forms } from '../../../src/kubernetes/validation/native/checks.ts';
import { checks } from '../../../src/kubernetes/validation/native/index.ts';
import { readPackageText } from '../../cluster/documents.ts';
import { type Mutant, mutated } from '../../cluster/refusals/mutants.ts';
import { faultsOf, ownFaults } from '../../cluster/refusals/ours.ts';
import {
  confirmedBy,
  isSameField,
  requirementRecorder,
  requirements,
  requirementsIn,
  ruleTable,
} from '../../cluster/refusals/requirements.ts';

/** A change, and what an API server says of the object with it. */
interface Judged extends Mutant {
  refused: boolean;
  /** The fields that it names. */
  fields: readonly string[];
}

const read = (name: string): string => readFileSync(`test/cluster/refusals/${name}`, 'utf8');
const objects = readPackageText(read('objects.yaml'));
const verdicts = read('verdicts.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const { base, refused, path, fields, ...rest } = parseJson(line) as ValueMap;
    const steps = (path as (string | bigint)[]).map((step) => (typeof step === 'bigint' ? Number(step) : step));
    const named = listOf(fields).map(String);
    return { ...rest, base: Number(base), path: steps, refused: refused === true, fields: named } as Judged;
  });

/** What depends on the cluster: its address families, its ports, and whether CIDR blocks may have more bits set. */
const OF_THE_CLUSTER = /ipFamilyPolicy|healthCheckNodePort|nodePort|externalTrafficPolicy|loadBalancerSourceRanges/i;

/** What other checks decide: CEL expressions of policies are compiled, and admission needs a service account. */
const ELSEWHERE =
  /^ValidatingAdmissionPolicy spec\.(?:variables|validations|matchConditions)\b|^Pod spec\.serviceAccountName/;

/** What is not checked: rare fields, and empty texts where the schema has a list of values. The list may only shrink. */
const NOT_CHECKED = [
  /^ConfigMap metadata\.finalizers\.0 /,
  /^CustomResourceDefinition .*(?:\.properties\.a "first"|\.subresources\.status \{)/,
  /^ValidatingAdmissionPolicyBinding spec\.paramRef\.name /,
  /^Pod spec\.volumes\.\d+\.(?:storageos|flocker|iscsi)\.\w+ "/,
  /^Pod spec\.volumes\.\d+\.projected\.sources\.\d\.clusterTrustBundle\.signerName ""/,
  /^Pod .*\.(?:recursiveReadOnly|localhostProfile|procMount|runAsUserName) ""/,
  /^Deployment spec\.template\.spec\.overhead \{/,
];

/** A field that a feature gate of the API server switches off: it is dropped before it is checked. */
const OF_A_GATE = /grpc .*"mode"/;

/** Fields that an API server names in its own way: ours, and its own after a bar. */
const NAMED_OTHERWISE = [
  // It leaves out steps.
  /\.downwardAPI(?:\.items\[\d\]\.\S+)? .*\| .*\.downwarA?P?I/,
  /\.downwardAPI\.items\[\d\]\.\S+ \| .*\.downwardAPI\./,
  /\.serviceAccountToken\.path \| .*\.projected\.path$/,
  /\.resources\.requests\.storage \| .*\.resources\[storage\]$/,
  /\.template\.metadata\.labels\S* \| .*\.template\.labels$/,
  // It has other names.
  /^stringData.+ \| data\[/,
  /\.gcePersistentDisk\.\w+ \| .*\.persistentDisk\./,
  /\.namespaces\[\d\] \| .*\.namespace$/,
  /\.tolerations\[\d\]\.value \| .*\.operator$/,
  /\.overhead\.cpu \| .*\.overhead\.limits\[cpu\]$/,
  /spec\.clusterIP \| spec\.clusterIPs\[0\]$/,
  /\.fieldRef\.apiVersion \| .*\.fieldRef\.fieldPath$/,
  /\.fc\.lun \| .*\.fc\.targetWWNs$/,
  /^spec\.minReplicas \| spec\.metrics$/,
  /^spec\.targetCPUUtilizationPercentage \| spec\.metrics\[0\]/,
  /^spec\.ingressClassName \| annotations\./,
  // It fills in an empty value, and names what that lacks.
  /^spec(?:\.jobTemplate(?:\.spec)?|\.selector)? \| .*\.template\.(?:metadata\.labels|spec\.containers)/,
  // It names the first error of a schema, or another one of the same change.
  /\["\$schema"\] \| .*\.openAPIV3Schema$/,
  /\| .*\.not\.x-kubernetes-preserve-unknown-fields/,
];

describe("objects of Kubernetes' own kinds", () => {
  it.each(objects.map((object) => [object.kind, object]))('are accepted: %s', (_, object) => {
    expect(faultsOf(object)).toEqual([]);
  });

  it('are rejected as by an API server', () => {
    const missed = verdicts.filter((one) => one.refused && faultsOf(changed(one)).length === 0).map(title);
    const known = [OF_THE_CLUSTER, ELSEWHERE, ...NOT_CHECKED];
    expect(missed.filter((one) => !known.some((pattern) => pattern.test(one)))).toEqual([]);
    const own = missed.filter((one) => !ELSEWHERE.test(one));
    expect(own.length).toBeLessThan(0.01 * verdicts.filter(({ refused }) => refused).length);
  });

  it('are rejected at a field that an API server names', () => {
    const elsewhere = new Set<string>();
    for (const one of verdicts.filter(({ refused, fields }) => refused && fields.length > 0)) {
      const ours = ownFaults(changed(one)).map(({ field }) => field);
      if (ours.length === 0 || isSameField(ours, one.fields)) continue;
      elsewhere.add(`${ours.join(' ')} | ${one.fields.join(' ')}`);
    }
    const others = [...elsewhere].filter((fields) => !NAMED_OTHERWISE.some((pattern) => pattern.test(fields)));
    expect(others).toEqual([]);
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
    const strict = verdicts.filter(
      (one) => !one.refused && !OF_A_GATE.test(title(one)) && faultsOf(changed(one)).length > 0,
    );
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

  it.each([
    '* * * * *',
    '@hourly',
    '@every 1h30m',
    '@every 2562047h',
    '@every 0',
    '0 0 1 JAN sun',
    '*/5 1-3,7 ? * 1-5/2',
  ])('is not reported for the schedule %s', (schedule) => {
    const cron = objects.find(({ kind }) => kind === 'CronJob') as KubeObject;
    expect(faultsOf({ ...cron, spec: { ...(cron.spec as ValueMap), schedule } })).toEqual([]);
  });

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
    '@every 99999999999h',
    '@every 2562048h',
    '*/9223372036854775808 * * * *',
    'TZ=UTC * * * * *',
  ])('is reported for the schedule %s', (schedule) => {
    const cron = objects.find(({ kind }) => kind === 'CronJob') as KubeObject;
    expect(faultsOf({ ...cron, spec: { ...(cron.spec as ValueMap), schedule } })).toHaveLength(1);
  });
});

const table = ruleTable;
const all = Object.values(table).flatMap((rules) => [...requirementsIn(rules)]);

/** Requirements without a case of an API server, each for a reason. */
const WITHOUT_CASE: readonly string[] = [
  // The object has a quarter of a megabyte.
  'Metadata {"operator":"annotationBytes"}',
  // They are for custom resources: the recorded answers of the library of the API server have them.
  'EmbeddedMeta {"field":"name","operator":"pathSegment"}',
  'EmbeddedMeta {"field":"generateName","operator":"prefix"}',
  'EmbeddedMeta {"field":"namespace","operator":"label"}',
  'EmbeddedMeta {"field":"ownerReferences","operator":"oneController"}',
  'InstanceMeta {"field":"namespace","operator":"label"}',
  'InstanceMeta {"field":"uid","operator":"labelValue"}',
  'InstanceMeta {"field":"ownerReferences","operator":"oneController"}',
];

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
    const parts = all.flatMap(({ part }) => part ?? []);
    const operators = all.flatMap(({ operator }) => operator ?? []);
    const ofKeys = all.flatMap(({ operator, values }) => (operator === 'keys' ? (values ?? []).map(String) : []));
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

  it('have a recorded refusal of an API server for each of their requirements', () => {
    const check = requirementRecorder();
    const confirmed = new Set<number>();
    for (const one of verdicts.filter(({ refused }) => refused))
      for (const index of confirmedBy(check(changed(one)), one.fields)) confirmed.add(index);
    const without = [...requirements.keys()].filter((index) => !confirmed.has(index));
    const named = without.map((index) => {
      const { of, requirement } = requirements[index] as (typeof requirements)[number];
      return `${of} ${JSON.stringify(requirement)}`;
    });
    expect(named).toEqual(WITHOUT_CASE);
  });
});
