import { describe, expect, it } from 'vitest';
import { compareVersions, diffPackages } from '../../../src/compare/diff/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';
import { compare, packageOf, versionOf } from './versions.ts';

const KEEP = '{apiVersion: v1, kind: ConfigMap, metadata: {name: keep}}';
const CLAIM =
  '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: "${schema.spec.name}"}, spec: {storageClassName: fast}}';
const SPACE = '{apiVersion: v1, kind: Namespace, metadata: {name: "${schema.spec.name}"}}';
const SET =
  '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: "${schema.spec.name}"}, spec: {serviceName: s, selector: {}, template: {}, volumeClaimTemplates: [{metadata: {name: data}}]}}';
const DEPLOYMENT =
  '{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels: {a: "1"}}, template: {}}}';

const warningsOf = (before: string, after: string | undefined, spec = '{}') =>
  compare(
    packageOf({ keep: KEEP, node: before }),
    packageOf(after === undefined ? { keep: KEEP } : { keep: KEEP, node: after }, spec),
  ).warnings;

describe('a warning of diff', () => {
  it.each([
    ['a claim that goes', CLAIM, undefined, '{}', 'data-loss', 'PersistentVolumeClaim ns/a is deleted: the volume'],
    [
      'a claim that is renamed',
      CLAIM,
      CLAIM,
      '{name: b}',
      'data-loss',
      'PersistentVolumeClaim ns/a is deleted: the volume',
    ],
    [
      'another storage class',
      CLAIM,
      CLAIM.replace('fast', 'slow'),
      '{}',
      'data-loss',
      'PersistentVolumeClaim ns/a: spec.storageClassName cannot',
    ],
    [
      'a namespace that is renamed',
      SPACE,
      SPACE,
      '{name: b}',
      'data-loss',
      'Namespace a is deleted: every object in it',
    ],
    [
      'a definition whose annotation makes a controller keep what is behind its objects',
      '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: as.example.com, annotations: {cnrm.cloud.google.com/deletion-policy: abandon}}}',
      undefined,
      '{}',
      'data-loss',
      'CustomResourceDefinition as.example.com is deleted: every object of its kind',
    ],
    [
      'a namespace whose annotation makes a controller keep what is behind the objects in it',
      SPACE.replace('metadata: {', 'metadata: {annotations: {services.k8s.aws/deletion-policy: retain}, '),
      undefined,
      '{}',
      'data-loss',
      'Namespace a is deleted: every object in it',
    ],
    ['a set with claims that goes', SET, undefined, '{}', 'data-loss', 'StatefulSet ns/a is deleted: the claims'],
    [
      'other claims',
      SET,
      SET.replace('name: data', 'name: disk'),
      '{}',
      'data-loss',
      'StatefulSet ns/a: spec.volumeClaimTemplates cannot',
    ],
    [
      'another service of a set',
      SET,
      SET.replace('serviceName: s', 'serviceName: t'),
      '{}',
      'recreate',
      'StatefulSet ns/a: spec.serviceName cannot',
    ],
    [
      'another selector',
      DEPLOYMENT,
      DEPLOYMENT.replace('"1"', '"2"'),
      '{}',
      'recreate',
      'Deployment ns/d: spec.selector cannot',
    ],
  ])('reports %s', (_, before, after, spec, kind, start) => {
    const warnings = warningsOf(before, after, spec);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ kind, message: expect.stringContaining(start) });
  });

  it.each([
    ['a set without claims that goes', SET.replace('[{metadata: {name: data}}]', '[]'), undefined],
    [
      'more storage',
      CLAIM,
      CLAIM.replace('storageClassName: fast', 'storageClassName: fast, resources: {requests: {storage: 2Gi}}'),
    ],
    ['a deployment that goes', DEPLOYMENT, undefined],
  ])('is not reported for %s', (_, before, after) => expect(warningsOf(before, after)).toEqual([]));
});

const crd = (field: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.s3.example.com}
spec:
  group: s3.example.com
  scope: Namespaced
  names: {kind: Bucket, plural: buckets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: ${field}}}}
---
`;
const bucket = (spec: string) =>
  packageOf({ b: `{apiVersion: s3.example.com/v1, kind: Bucket, metadata: {name: b}, spec: ${spec}}` });
const rule = (text: string, more = '') => `x-kubernetes-validations: [{rule: ${JSON.stringify(text)}${more}}]`;

describe('a transition rule of a CRD', () => {
  it.each([
    [
      'self == oldSelf',
      `{region: {type: string, ${rule('self == oldSelf', ', message: region is immutable')}}}`,
      '{region: eu}',
      '{region: us}',
      'spec.region (region is immutable) cannot be changed',
    ],
    [
      'of numbers',
      `{size: {type: integer, ${rule('self >= oldSelf')}}}`,
      '{size: 2}',
      '{size: 1}',
      'spec.size (failed rule: self >= oldSelf) cannot',
    ],
    [
      'of an optional',
      `{a: {type: string, ${rule('oldSelf.hasValue() && self == oldSelf.value()', ', optionalOldSelf: true')}}}`,
      '{}',
      '{a: x}',
      'spec.a (failed rule',
    ],
    [
      'of an item',
      `{l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, v: {type: string, ${rule('self == oldSelf')}}}}}}`,
      '{l: [{k: a, v: x}]}',
      '{l: [{k: b, v: w}, {k: a, v: z}]}',
      'spec.l[1].v (failed',
    ],
    [
      'of a default',
      `{region: {type: string, default: eu, ${rule('self == oldSelf')}}}`,
      '{}',
      '{region: us}',
      'spec.region (failed',
    ],
  ])('%s causes a warning', (_, field, before, after, text) => {
    const { warnings } = compare(crd(field) + bucket(before), crd(field) + bucket(after));
    expect(warnings).toMatchObject([{ kind: 'recreate', message: expect.stringContaining(`Bucket ns/b: ${text}`) }]);
    expect(compare(crd(field) + bucket(after), crd(field) + bucket(after)).warnings).toEqual([]);
  });

  it.each([
    ['that holds', `{size: {type: integer, ${rule('self >= oldSelf')}}}`, '{size: 1}', '{size: 2}'],
    ['of a value that is new', `{a: {type: string, ${rule('self == oldSelf')}}}`, '{}', '{a: x}'],
    [
      'of a default that is written out',
      `{region: {type: string, default: eu, ${rule('self == oldSelf')}}}`,
      '{}',
      '{region: eu}',
    ],
  ])('%s causes no warning', (_, field, before, after) =>
    expect(compare(crd(field) + bucket(before), crd(field) + bucket(after)).warnings).toEqual([]),
  );

  it('does not show values of Secrets', () => {
    const field = `{region: {type: string, ${rule('self == oldSelf', `, messageExpression: "'was ' + oldSelf"`)}}}`;
    const secret = (value: string) =>
      packageOf({
        s: `{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {p: ${value}}}`,
        b: '{apiVersion: s3.example.com/v1, kind: Bucket, metadata: {name: b}, spec: {region: "${s.stringData.p}"}}',
      });
    const { warnings } = compare(crd(field) + secret('hunter2'), crd(field) + secret('hunter3'));
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toMatch(/hunter/);
  });
});

describe('custom resources that hold data', () => {
  const made = (head: string, more = '') => {
    const [apiVersion, kind] = head.split(' ');
    return `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: "\${schema.spec.name}"${more}}, spec: {}}`;
  };
  const kinds = [
    'rds.services.k8s.aws/v1alpha1 DBInstance',
    's3.aws.upbound.io/v1beta2 Bucket',
    'rds.aws.m.upbound.io/v1beta1 Instance',
    'postgresql.cnpg.io/v1 Cluster',
    'kafka.strimzi.io/v1beta2 Kafka',
  ];
  it.each(kinds)('%s: a warning if it is removed or renamed', (head) => {
    expect(warningsOf(made(head), undefined)).toMatchObject([{ kind: 'data-loss' }]);
    expect(warningsOf(made(head), made(head), '{name: b}')).toMatchObject([{ kind: 'data-loss' }]);
    expect(warningsOf(made(head), made(head, ', labels: {a: b}'))).toEqual([]);
  });

  it('cause no warning if their controller keeps the data', () => {
    const kept = ', annotations: {services.k8s.aws/deletion-policy: retain}';
    expect(warningsOf(made(kinds[0] as string, kept), undefined)).toEqual([]);
  });

  it('include a StatefulSet without claims only if the user names its kind', () => {
    const [old, young] = [packageOf({ keep: KEEP, node: made('apps/v1 StatefulSet') }), packageOf({ keep: KEEP })].map(
      (text) => versionOf(text).objects,
    );
    const named = (holdsData: string[]) => compareVersions(old ?? [], young ?? [], holdsData).warnings;
    expect(named([])).toEqual([]);
    expect(named(['StatefulSet.apps'])).toMatchObject([{ kind: 'data-loss' }]);
  });

  it('include kinds named by the user', () => {
    const text = (own: string) => packageOf({ keep: KEEP, ...(own === '' ? {} : { node: own }) });
    const [old, young] = [text(made('db.example.com/v1 Store')), text('')].map((one) => versionOf(one).objects);
    const named = (holdsData: string[]) => compareVersions(old ?? [], young ?? [], holdsData).warnings;
    expect(named([])).toEqual([]);
    for (const pattern of ['Store.db.example.com', '*.db.example.com', 'Store.*.example.com']) {
      expect(named([pattern])).toMatchObject([{ kind: 'data-loss' }]);
    }
    expect(named(['Other.db.example.com'])).toEqual([]);
  });
});

it('a field of an instance that its RGD makes immutable causes a warning', () => {
  const text = (size: number) =>
    packageOf({ m: KEEP }, `{size: ${size}}`).replace('"integer | default=1"', '"integer | default=1 immutable=true"');
  const of = (before: string, after: string) => {
    const input = (one: string) => ({ objects: readStreams([{ file: 'a.yaml', text: one }], new Collector()) });
    return diffPackages(input(before), input(after), { ...defaultRenderOptions, all: false }).comparison.warnings;
  };
  expect(of(text(1), text(2))).toEqual([
    {
      kind: 'recreate',
      message:
        'Thing ns/t: spec.size cannot be changed in place (field is immutable), the instance must be deleted and created again',
    },
  ]);
  expect(of(text(1), text(1))).toEqual([]);
});

describe('an admission policy', () => {
  const config = (name: string, value: string): string =>
    `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ns}, data: {a: ${value}}}`;
  const policy = (expression: string): string => `
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: p}, spec: {
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]},
  validations: [{expression: ${JSON.stringify(expression)}, messageExpression: "oldObject.data.a + ' is set'"}]}}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: one}, spec: {policyName: p, validationActions: [Deny]}}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: two}, spec: {policyName: p, validationActions: [Warn]}}
`;
  const before = [config('a', 'x'), config('b', 'x')].join('\n---\n');
  const after = [config('a', 'z'), config('c', 'x')].join('\n---\n');
  const said = (expression: string, isBeside: boolean): string[] => {
    const read = (text: string) => readStreams([{ file: 'a.yaml', text }], new Collector());
    const own = { objects: read(isBeside ? after : `${after}\n---\n${policy(expression)}`) };
    const newer = isBeside ? { ...own, policies: read(policy(expression)) } : own;
    const { comparison, reports } = diffPackages({ objects: read(before) }, newer, {
      ...defaultRenderOptions,
      all: true,
    });
    return [...comparison.warnings, ...reports].map(({ message }) => message).sort();
  };

  it.each([true, false])('denies and warns, each once (beside the package: %s)', (isBeside) =>
    expect(said("object != null && oldObject == null && object.data.a == 'x'", isBeside)).toEqual([
      "ConfigMap ns/a: the update gets a warning of the policy 'p': x is set",
      "ConfigMap ns/a: the update is denied by the policy 'p': x is set",
      "ConfigMap ns/b: the deletion gets a warning of the policy 'p': x is set",
      "ConfigMap ns/b: the deletion is denied by the policy 'p': x is set",
    ]),
  );
  it('does not decide', () =>
    expect(said("object == null || object.metadata.uid == ''", true)).toEqual([
      "the policy 'p' is not decided for ConfigMap ns/a, ConfigMap ns/c: it reads fields that only a cluster sets: object.metadata.uid",
    ]));
});
