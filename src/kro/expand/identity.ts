import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { matches, type Selector } from '../../core/model/label-selector.ts';
import { lazily } from '../../core/model/lazily.ts';
import {
  groupKind,
  groupVersionKind,
  type InputObject,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
  type Source,
  withNamespace,
} from '../../core/model/object.ts';
import { get, mapOf, type ValueMap } from '../../core/model/value.ts';
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

/** An object with the fields that selectors read, cached because thousands of selectors may read it. */
export interface Candidate {
  readonly object: KubeObject;
  readonly namespace: string;
  readonly labels: ValueMap;
}

/** Returns the objects of a kind that a selector may find: each once, by namespace and name. */
export type Candidates = (group: string, kind: string) => readonly Candidate[];

/** The candidates among observed objects and plain ones of the package. They are indexed when the first one is wanted. */
export function createCandidates(observed: ObservedObjects, plain: ReadonlyMap<string, KubeObject>): Candidates {
  const index = lazily(() => {
    const unobserved = [...plain].flatMap(([key, object]) => (observed.find(key) === undefined ? [object] : []));
    const all = [...observed.all(), ...unobserved].reverse().map((object) => [identityOf(object), object] as const);
    const sorted = [...new Map(all).values()].sort(byNamespaceAndName);
    return groupBy(sorted.map(candidateOf), ({ object }) => groupKind(groupVersionKind(object)));
  });
  return (group, kind) => index().get(groupKind({ group, kind })) ?? [];
}

/** Returns the candidates in the namespace, '' for all, that match. */
export function selected(all: readonly Candidate[], selector: Selector, namespace: string): KubeObject[] {
  const found: KubeObject[] = [];
  for (const one of all) {
    if ((namespace === '' || one.namespace === namespace) && matches(selector, one.labels)) found.push(one.object);
  }
  return found;
}

export const candidateOf = (object: KubeObject): Candidate => ({
  object,
  namespace: namespaceOf(object),
  labels: mapOf(get(get(object, 'metadata'), 'labels')),
});

export function byNamespaceAndName(a: KubeObject, b: KubeObject): number {
  return compare(namespaceOf(a), namespaceOf(b)) || compare(nameOf(a), nameOf(b));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
