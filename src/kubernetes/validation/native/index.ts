import { groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import type { Violation } from '../conformity/walk.ts';
import { access } from './access.ts';
import { objectMetadata } from './metadata.ts';
import { network } from './network.ts';
import { fields, type Rule } from './rule.ts';
import { scalers } from './scaling.ts';
import { stores } from './stores.ts';
import { workloads } from './workloads.ts';

export { isPardoned } from './pardons.ts';

/** Rules by group and kind: what validation functions of k8s.io/kubernetes/pkg/apis require beyond the schemas. */
const RULES: Readonly<Record<string, Rule>> = { ...workloads, ...network, ...stores, ...access, ...scalers };

const everyKind = fields({ metadata: objectMetadata });

/** Returns what an API server rejects in a new object of one of Kubernetes' own kinds, beyond its schema. */
export function nativeFaults(object: KubeObject): Violation[] {
  const { group, kind } = groupVersionKind(object);
  const faults: Violation[] = [];
  const place = { path: [], faults };
  everyKind(object, place);
  if (Object.hasOwn(RULES, `${group}/${kind}`)) RULES[`${group}/${kind}`]?.(object, place);
  return faults;
}
