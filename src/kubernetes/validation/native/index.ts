import table from '../../../../data/kubernetes-rules.json';
import { groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { formatPath } from '../../../core/model/path.ts';
import type { Violation } from '../conformity/walk.ts';
import { forms, general } from './checks.ts';
import { kinds } from './kinds.ts';
import { pods } from './pods.ts';
import { amounts } from './resources.ts';
import { type Place, type Rule, rulesOf } from './rule.ts';
import { structural } from './structural.ts';

/** Rules by `group/Kind`: what validation functions of k8s.io/kubernetes/pkg/apis require beyond the schemas. */
const ruleOf: (name: string) => Rule | undefined = rulesOf(table, {
  ...forms,
  ...general,
  ...amounts,
  ...kinds,
  ...pods((name) => ruleOf(name)),
  ...structural((name) => ruleOf(name)),
});

/** Returns what an API server rejects in a new object of one of Kubernetes' own kinds, beyond its schema. */
export function nativeFaults(object: KubeObject): Violation[] {
  const { group, kind } = groupVersionKind(object);
  const place: Place = { path: ['metadata'], faults: [], condition: '' };
  ruleOf('ObjectMeta')?.(object.metadata, place, object);
  place.path.pop();
  ruleOf(`${group}/${kind}`)?.(object, place, object);
  return place.faults;
}

/**
 * Fields that the published schemas require and the API server does not: lists that Go writes even if they are empty,
 * and fields that it drops or fills in. `*` stands for every kind.
 */
const PARDONS: readonly (readonly [kind: string, path: RegExp, fault: Violation['kind']])[] = [
  ['*', /(?:^|\.)podFailurePolicy\.rules$/, 'required'],
  ['*', /(?:^|\.)dataSource\.(?:kind|name)$/, 'required'],
  ['*', /\.sysctls\[\d+\]\.value$/, 'required'],
  ['*', /\.httpHeaders\[\d+\]\.value$/, 'required'],
  ['*', /\.sleep\.seconds$/, 'required'],
  ['*', /\.preferredDuringSchedulingIgnoredDuringExecution\[\d+\]\.preference$/, 'required'],
  ['apiextensions.k8s.io/CustomResourceDefinition', /^spec\.versions\[\d+\]\.(?:served|storage)$/, 'required'],
  ['/LimitRange', /^spec\.limits$/, 'required'],
];

export function isExempt({ path, kind: fault }: Violation, object: KubeObject): boolean {
  const { group, kind } = groupVersionKind(object);
  const text = formatPath(path);
  return PARDONS.some(
    ([of, where, what]) => what === fault && (of === '*' || of === `${group}/${kind}`) && where.test(text),
  );
}
