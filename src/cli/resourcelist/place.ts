import { groupBy } from '../../core/model/group-by.ts';
import { annotationOf, identityOf, type KubeObject } from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import type { Moves } from './layout.ts';
import type { ResourceList } from './read.ts';

/** kustomize tells its transformers by this what it called an item. */
const KUSTOMIZE_ID = 'kustomize.config.k8s.io/id';

/**
 * What becomes of the items: rendered objects come behind their instance, earlier ones go unless `kept` has their
 * index, everything else stays where it is.
 */
export function placeItems(
  list: ResourceList,
  entries: readonly Entry[],
  earlier: ReadonlyMap<number, KubeObject>,
  kept: ReadonlySet<number>,
): Moves {
  const rendered = new Set(entries.flatMap((entry) => entry.rendered.map(({ object }) => identityOf(object))));
  const byItem = groupBy(entries, (entry) => entry.input.source?.item);
  const removed = new Set<number>();
  const added = new Map<number, KubeObject[]>();
  list.items.forEach((_, index) => {
    const own = byItem.get(index) ?? [];
    const goes = earlier.has(index) ? !kept.has(index) : own.some((entry) => isTwinInKustomize(entry, rendered));
    const objects = own.flatMap((entry) => entry.rendered.map(({ object }) => object));
    if (goes) removed.add(index);
    else if (objects.length > 0) added.set(index, objects);
  });
  return { removed, added };
}

/**
 * kustomize refuses two items of one identity, local-config or not, so the live object that supplied a value cannot
 * stay beside the rendered one. Nothing is lost: what kustomize reads it never writes back.
 */
const isTwinInKustomize = ({ role, input: { object } }: Entry, rendered: ReadonlySet<string>): boolean =>
  role === 'observed' && annotationOf(object, KUSTOMIZE_ID) !== undefined && rendered.has(identityOf(object));
