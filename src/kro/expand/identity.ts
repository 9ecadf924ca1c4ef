import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { lazily } from '../../core/model/lazily.ts';
import {
  type InputObject,
  identityOf,
  type KubeObject,
  namespaceOf,
  type Source,
  withNamespace,
} from '../../core/model/object.ts';

/** Returns the identity of a reference by group, kind, namespace and name. */
export const identity = (group: string, kind: string, namespace: string, name: string): string =>
  `${group}/${kind}/${namespace}/${name}`;

/** Returns the namespace of an object without one: '' for cluster-scoped kinds and if no default is set. */
export type DefaultNamespace = (object: KubeObject) => string;

/** Indexes objects, as expressions see them, by identity; one without a namespace is in the default one. */
export function indexByIdentity(
  objects: readonly InputObject[],
  defaultNamespace: DefaultNamespace,
): Map<string, KubeObject> {
  const index = new Map<string, KubeObject>();
  for (const { object } of objects) {
    const placed = inNamespace(withoutBookkeeping(object), defaultNamespace);
    index.set(identityOf(placed), placed);
  }
  return index;
}

/** Returns the location of the object of an identity; computed on demand, because only errors need it. */
export function sourcesByIdentity(
  objects: readonly InputObject[],
  defaultNamespace: DefaultNamespace,
): (key: string) => Source | undefined {
  const sources = lazily(
    () => new Map(objects.map(({ object, source }) => [identityOf(inNamespace(object, defaultNamespace)), source])),
  );
  return (key) => sources().get(key);
}

/** Returns the object with its namespace in a cluster. */
export function inNamespace(object: KubeObject, defaultNamespace: DefaultNamespace): KubeObject {
  if (namespaceOf(object) !== '') return object;
  const namespace = defaultNamespace(object);
  return namespace === '' ? object : withNamespace(object, namespace);
}
