import { groupKind } from '../../core/model/object.ts';
import type { Outline } from '../../kubernetes/front-end/index.ts';

/**
 * Returns the kinds, as `Kind.group`, that nodes with these ids render if they are kinds of RGDs, and the kinds that
 * those render in turn. Objects of such nested instances name only the nearest instance, and the instances of a pending
 * node are unknown.
 */
export function kindsOfPendingNodes(ids: ReadonlySet<string>, defined: readonly Outline[]): Set<string> {
  const rendersOf = new Map(defined.map((rgd) => [groupKind(rgd), rgd.nodes.map(groupKind)]));
  const found = new Set(defined.flatMap(({ nodes }) => nodes.filter(({ id }) => ids.has(id)).map(groupKind)));
  // Iterating a Set includes items that are added meanwhile.
  for (const kind of found) for (const inner of rendersOf.get(kind) ?? []) found.add(inner);
  return new Set([...found].filter((kind) => rendersOf.has(kind)));
}
