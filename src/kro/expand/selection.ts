import { matches, type Selector } from '../../core/model/label-selector.ts';
import { groupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';
import type { World } from './world.ts';

/** An object with what a selector asks of it: thousands of selectors may ask. */
export interface Candidate {
  readonly object: KubeObject;
  readonly namespace: string;
  readonly labels: ValueMap;
}

/** Observed objects and package items by `Kind.group`, each once, sorted by namespace and name. Made when it is asked for. */
const byKind = new WeakMap<World['plain'], ReadonlyMap<string, readonly Candidate[]>>();

/** The objects of a kind that a selector may find, in the order in which it finds them. */
export function candidates(group: string, kind: string, world: World): readonly Candidate[] {
  const index = byKind.get(world.plain) ?? indexOf(world);
  byKind.set(world.plain, index);
  return index.get(`${kind}.${group}`) ?? [];
}

function indexOf({ observed, plain }: World): ReadonlyMap<string, readonly Candidate[]> {
  const found = new Map<string, Map<string, KubeObject>>();
  const unobserved = [...plain].flatMap(([key, object]) => (observed.find(key) === undefined ? [object] : []));
  for (const object of [...observed.all(), ...unobserved]) {
    const { group, kind } = groupVersionKind(object);
    const alike = found.get(`${kind}.${group}`) ?? new Map<string, KubeObject>();
    found.set(`${kind}.${group}`, alike);
    const key = identityOf(object);
    if (!alike.has(key)) alike.set(key, object);
  }
  return new Map(
    [...found].map(([name, objects]) => [name, [...objects.values()].sort(byNamespaceAndName).map(candidateOf)]),
  );
}

/** Those of the candidates that are in the namespace, '' for all, and that match. */
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
  labels: labelsOf(object),
});

function labelsOf(object: KubeObject): ValueMap {
  const labels = get(get(object, 'metadata'), 'labels');
  return isMap(labels) ? labels : {};
}

/** The order in which a selector finds objects. */
export function byNamespaceAndName(a: KubeObject, b: KubeObject): number {
  return compare(namespaceOf(a), namespaceOf(b)) || compare(nameOf(a), nameOf(b));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
