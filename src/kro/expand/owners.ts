import type { KubeObject } from '../../core/model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../../core/model/value.ts';

/**
 * Returns the object without owner references to rendered instances: those are not in the cluster, so garbage
 * collection would delete the object. Returns the object itself if it has none.
 */
export function withoutInstanceOwners(object: KubeObject, instanceIds: ReadonlySet<string>): KubeObject {
  const owners = get(get(object, 'metadata'), 'ownerReferences');
  if (!Array.isArray(owners)) return object;
  const remaining = owners.filter((owner) => !isInstance(owner, instanceIds));
  if (remaining.length === owners.length) return object;
  const { ownerReferences: _, ...rest } = object.metadata as ValueMap;
  return { ...object, metadata: remaining.length === 0 ? rest : { ...rest, ownerReferences: remaining } };
}

function isInstance(owner: Value, instanceIds: ReadonlySet<string>): boolean {
  const uid = isMap(owner) ? get(owner, 'uid') : undefined;
  return typeof uid === 'string' && instanceIds.has(uid);
}
