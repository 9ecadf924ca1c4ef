import type { Collector } from '../../core/diagnostics/index.ts';
import { UPSTREAM_IDENTIFIER } from '../../core/model/keys.ts';
import { annotationOf, type KubeObject } from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import { isMarkedUpstream } from '../../kubernetes/select/index.ts';
import { reportUpdated } from './report.ts';

/** Whether `kpt pkg get` or `kpt pkg update` has seen an object. */
export const isFetched = (object: KubeObject): boolean => annotationOf(object, UPSTREAM_IDENTIFIER) !== undefined;

/**
 * Reports instances that `kpt pkg update` kept whether upstream still has them or not: the mark that was written into
 * them is a local change. An update has run when it has seen objects that are rendered here, for rendering them again
 * removes what it wrote.
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
