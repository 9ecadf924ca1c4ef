import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { lazily } from '../../core/model/lazily.ts';
import {
  groupKind,
  type InputObject,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
  type Source,
  withNamespace,
} from '../../core/model/object.ts';
import type { Graphs } from '../compile/index.ts';

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

export function inNamespace(object: KubeObject, defaultNamespace: DefaultNamespace): KubeObject {
  if (namespaceOf(object) !== '') return object;
  const namespace = defaultNamespace(object);
  return namespace === '' ? object : withNamespace(object, namespace);
}

const DEFAULT = 'default';

export interface ObservedObjects {
  readonly isEmpty: boolean;
  /** Returns each one once, with its location. */
  all(): Iterable<KubeObject>;
  /** Returns the live object for the object of a package with this identity. */
  find(key: string): KubeObject | undefined;
}

/**
 * Indexes live objects. Those in `default` also match objects without a namespace, unless the options set one; one
 * without a namespace matches any namespace of a kind whose scope was only assumed.
 */
export function indexObserved(
  objects: readonly InputObject[],
  graphs: Graphs,
  defaultNamespace: DefaultNamespace,
  chosen: string,
): ObservedObjects {
  const byKey = indexByIdentity(objects, defaultNamespace);
  if (byKey.size === 0) return { isEmpty: true, all: () => [], find: () => undefined };
  const nodes = [...graphs.values()].flatMap((graph) => graph.nodes);
  const assumed = new Set(nodes.filter(({ scopeAssumed }) => scopeAssumed).map(({ gvk }) => groupKind(gvk)));
  return {
    isEmpty: false,
    all: () => byKey.values(),
    find(key) {
      const found = byKey.get(key);
      if (found !== undefined) return found;
      const [group = '', kind = '', namespace = '', ...name] = key.split('/');
      const at = (where: string): KubeObject | undefined => byKey.get(identity(group, kind, where, name.join('/')));
      if (namespace === '') return chosen === '' ? at(DEFAULT) : undefined;
      return assumed.has(groupKind({ group, kind })) ? at('') : undefined;
    },
  };
}

export function byNamespaceAndName(a: KubeObject, b: KubeObject): number {
  return compare(namespaceOf(a), namespaceOf(b)) || compare(nameOf(a), nameOf(b));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
