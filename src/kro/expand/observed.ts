import { groupKind, type InputObject, type KubeObject } from '../../core/model/object.ts';
import type { Graphs } from '../compile/index.ts';
import { type DefaultNamespace, identity, indexByIdentity } from './identity.ts';

/** The default namespace of a cluster. */
const DEFAULT = 'default';

/** Live objects, matched with the objects of a package. */
export interface ObservedObjects {
  readonly isEmpty: boolean;
  /** Returns each one once, with its location. */
  all(): Iterable<KubeObject>;
  /** Returns the live object for the object of a package with this identity. */
  find(key: string): KubeObject | undefined;
}

/**
 * Indexes live objects. Those in `default` also match objects of the package without a namespace, unless the options
 * set one. A live object without a namespace also matches an object in any namespace if the kind was only assumed to be
 * namespaced, because the cluster knows its scope.
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
