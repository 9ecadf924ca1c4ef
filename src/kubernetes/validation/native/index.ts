import table from '../../../../data/kubernetes-rules.json';
import ofMetadata from '../../../../data/metadata-rules.json';
import type { Problem } from '../../../core/diagnostics/index.ts';
import { lazily } from '../../../core/model/lazily.ts';
import { groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { formatPath, type Path, type Value } from '../../../core/model/value.ts';
import { forms, general, OF_ABSENT } from './checks.ts';
import { kinds } from './kinds.ts';
import { pods } from './pods.ts';
import { amounts } from './resources.ts';
import { rulesOf } from './rule.ts';
import { structural } from './structural.ts';

export const checks = { ...forms, ...general, ...amounts, ...kinds, ...pods, ...structural };

/** The rules by `group/Kind`: what validation functions of k8s.io/kubernetes/pkg/apis require beyond the schemas. */
const rules = lazily(() => rulesOf({ ...ofMetadata, ...table }, checks, OF_ABSENT));

/** Checks a value by the rules of a shape of the tables. */
export function checkPart(name: string, value: Value, path: Path, faults: Problem[]): void {
  const named = rules();
  named(name)?.(value, { path: [...path], faults, condition: '', named }, value);
}

/** Returns what an API server rejects in a new object of one of Kubernetes' own kinds, beyond its schema. */
export function nativeFaults(object: KubeObject): Problem[] {
  const { group, kind } = groupVersionKind(object);
  const faults: Problem[] = [];
  if (object.metadata !== undefined) checkPart('ObjectMeta', object.metadata, ['metadata'], faults);
  checkPart(`${group}/${kind}`, object, [], faults);
  return faults;
}

/**
 * Fields that the published schemas require and the API server does not: lists that Go writes even if they are empty,
 * and fields that it drops or fills in. `*` stands for every kind.
 */
const EXEMPT: readonly (readonly [kind: string, path: RegExp])[] = [
  ['*', /(?:^|\.)podFailurePolicy\.rules$/],
  ['*', /(?:^|\.)dataSource\.(?:kind|name)$/],
  ['*', /\.sysctls\[\d+\]\.value$/],
  ['*', /\.httpHeaders\[\d+\]\.value$/],
  ['*', /\.sleep\.seconds$/],
  ['*', /\.preferredDuringSchedulingIgnoredDuringExecution\[\d+\]\.preference$/],
  ['apiextensions.k8s.io/CustomResourceDefinition', /^spec\.versions\[\d+\]\.(?:served|storage)$/],
  ['/LimitRange', /^spec\.limits$/],
];

export function isExempt({ path, code }: Problem, object: KubeObject): boolean {
  const { group, kind } = groupVersionKind(object);
  const text = formatPath(path);
  const isOf = (of: string): boolean => of === '*' || of === `${group}/${kind}`;
  return code === 'rendered-required' && EXEMPT.some(([of, where]) => isOf(of) && where.test(text));
}
