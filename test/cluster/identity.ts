import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../src/core/model/object.ts';

/** Returns what identifies an object in an API server, without the version. */
export function identityIn(object: KubeObject, namespace: string): string {
  const { group, kind } = groupVersionKind(object);
  return [group, kind, namespaceOf(object) || namespace, nameOf(object)].join(' ');
}
