import { groupBy } from '../../core/model/group-by.ts';
import { annotationOf, identityOf, type KubeObject } from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import type { Moves } from './layout.ts';
import type { ResourceList } from './read.ts';

/** The annotation with which kustomize identifies an item for its transformers. */
const KUSTOMIZE_ID = 'kustomize.config.k8s.io/id';

/**
 * Arranges the items: rendered objects come after their instance, earlier ones are removed unless `kept` has their
 * index, everything else keeps its position.
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
 * kustomize rejects two items of one identity, local-config or not, so the live object that supplied a value cannot
 * stay beside the rendered one. Nothing is lost, because kustomize never writes its input back.
 */
const isTwinInKustomize = ({ role, input: { object } }: Entry, rendered: ReadonlySet<string>): boolean =>
  role === 'observed' && annotationOf(object, KUSTOMIZE_ID) !== undefined && rendered.has(identityOf(object));
