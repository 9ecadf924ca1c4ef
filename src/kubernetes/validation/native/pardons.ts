import { groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { formatPath } from '../../../core/model/path.ts';
import type { Violation } from '../conformity/walk.ts';

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

export function isPardoned({ path, kind: fault }: Violation, object: KubeObject): boolean {
  const { group, kind } = groupVersionKind(object);
  const text = formatPath(path);
  return PARDONS.some(
    ([of, where, what]) => what === fault && (of === '*' || of === `${group}/${kind}`) && where.test(text),
  );
}
