import { groupBy } from '../../core/model/group-by.ts';
import { matches, type Selector } from '../../core/model/label-selector.ts';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { groupKind, groupVersionKind, identityOf, type KubeObject, namespaceOf } from '../../core/model/object.ts';
import { get, mapOf, type ValueMap } from '../../core/model/value.ts';
import { byNamespaceAndName, type ObservedObjects } from './identity.ts';

/** An object with the fields that selectors read. */
export interface Candidate {
  readonly object: KubeObject;
  readonly namespace: string;
  readonly labels: ValueMap;
}

/** Objects that selectors may find. They are indexed by namespace and label: thousands of selectors may read them. */
class Selectable<T extends Candidate> {
  #byNamespace: ReadonlyMap<string, Selectable<T>> | undefined;
  readonly #byLabel = new Map<string, ReadonlyMap<unknown, readonly T[]>>();

  constructor(private readonly all: readonly T[]) {}

  get size(): number {
    return this.all.length;
  }

  /** Returns the objects in the namespace, '' for all, that match, in their order. */
  select(selector: Selector, namespace: string): readonly T[] {
    if (namespace !== '') return this.#in(namespace)?.select(selector, '') ?? [];
    return this.#labelled(selector).filter(({ labels }) => matches(selector, labels));
  }

  #in(namespace: string): Selectable<T> | undefined {
    this.#byNamespace ??= new Map(
      [...groupBy(this.all, (one) => one.namespace)].map(([key, all]) => [key, new Selectable(all)]),
    );
    return this.#byNamespace.get(namespace);
  }

  /** Returns the objects with one of the labels that the selector wants: that of the fewest. */
  #labelled(selector: Selector): readonly T[] {
    let fewest = this.all;
    for (const { key, operator, values } of selector) {
      const [value, ...others] = values;
      if (operator !== 'In' || others.length > 0) continue;
      const byValue = getOrCompute(this.#byLabel, key, () => groupBy(this.all, ({ labels }) => get(labels, key)));
      const found = byValue.get(value) ?? [];
      if (found.length < fewest.length) fewest = found;
    }
    return fewest;
  }
}

/** Returns the objects of a kind that a selector may find. */
export type Candidates<T extends Candidate = Candidate> = (group: string, kind: string) => Selectable<T>;

/** Groups candidates by kind. They are computed when the first one is wanted. */
export function candidatesOf<T extends Candidate>(
  all: () => Iterable<T>,
  kindOf: (one: T) => string = ({ object }) => groupKind(groupVersionKind(object)),
): Candidates<T> {
  const none = new Selectable<T>([]);
  const byKind = lazily(
    () => new Map([...groupBy(all(), kindOf)].map(([kind, ofKind]) => [kind, new Selectable(ofKind)])),
  );
  return (group, kind) => byKind().get(groupKind({ group, kind })) ?? none;
}

/** The candidates among observed objects and plain ones of the package: each once, by namespace and name. */
export const createCandidates = (observed: ObservedObjects, plain: ReadonlyMap<string, KubeObject>): Candidates =>
  candidatesOf(() => {
    const unobserved = [...plain].flatMap(([key, object]) => (observed.find(key) === undefined ? [object] : []));
    const all = [...observed.all(), ...unobserved].reverse().map((object) => [identityOf(object), object] as const);
    return [...new Map(all).values()].sort(byNamespaceAndName).map(candidateOf);
  });

export const candidateOf = (object: KubeObject): Candidate => ({
  object,
  namespace: namespaceOf(object),
  labels: mapOf(get(get(object, 'metadata'), 'labels')),
});
