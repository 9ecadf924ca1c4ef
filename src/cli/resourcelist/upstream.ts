import type { Collector } from '../../core/diagnostics/index.ts';
import { UPSTREAM_IDENTIFIER } from '../../core/model/keys.ts';
import { annotationOf, type KubeObject } from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import { isMarkedUpstream } from '../../kubernetes/select/index.ts';
import { reportUpdated } from './report.ts';

/** Reports whether `kpt pkg get` or `kpt pkg update` processed an object. */
export const isFetched = (object: KubeObject): boolean => annotationOf(object, UPSTREAM_IDENTIFIER) !== undefined;

/**
 * Reports instances that `kpt pkg update` kept whether or not upstream still has them, because the mark in them is a
 * local change. An update has run if it processed rendered objects, because rendering removes its annotations.
 */
export function reportAfterUpdate(
  replaced: ReadonlyMap<string, KubeObject>,
  entries: readonly Entry[],
  reports: Collector,
): void {
  if (![...replaced.values()].some(isFetched)) return;
  const instances = entries
    .filter(({ role, passedThrough }) => role === 'instance' && !passedThrough)
    .map(({ input }) => input.object)
    .filter(isMarkedUpstream);
  if (instances.length > 0) reportUpdated(instances, reports);
}
