import { describe, expect, it } from 'vitest';
import { compare, packageOf } from './versions.ts';

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

describe('a warning', () => {
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
  ])('tells of %s', (_, before, after, spec, kind, start) => {
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
  ])('is not made of %s', (_, before, after) => expect(warningsOf(before, after)).toEqual([]));
});
