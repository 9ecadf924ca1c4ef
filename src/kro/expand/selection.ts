import { groupBy } from '../../core/model/group-by.ts';
import { matches, type Selector } from '../../core/model/label-selector.ts';
import { lazily } from '../../core/model/lazily.ts';
import {
  groupKind,
  groupVersionKind,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../../core/model/object.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';
import type { ObservedObjects } from './observed.ts';

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

export function candidateOf(object: KubeObject): Candidate {
  const labels = get(get(object, 'metadata'), 'labels');
  return { object, namespace: namespaceOf(object), labels: isMap(labels) ? labels : {} };
}

/** Compares objects in the order of a selector. */
export function byNamespaceAndName(a: KubeObject, b: KubeObject): number {
  return compare(namespaceOf(a), namespaceOf(b)) || compare(nameOf(a), nameOf(b));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
