import { groupKind } from '../../core/model/object.ts';
import type { Outline } from '../../kubernetes/front-end/index.ts';

/**
 * The kinds, as `Kind.group`, that nodes with these ids render when they are kinds of RGDs themselves, and what those
 * render in turn. Objects of such nested instances name only the nearest instance, and while a node waits nobody knows
 * which instances it would have made.
 */
export function kindsOfPendingNodes(ids: ReadonlySet<string>, defined: readonly Outline[]): Set<string> {
  const rendersOf = new Map(defined.map((rgd) => [groupKind(rgd), rgd.nodes.map(groupKind)]));
  const found = new Set(defined.flatMap(({ nodes }) => nodes.filter(({ id }) => ids.has(id)).map(groupKind)));
  // A Set yields what is added while it is walked.
  for (const kind of found) for (const inner of rendersOf.get(kind) ?? []) found.add(inner);
  return new Set([...found].filter((kind) => rendersOf.has(kind)));
}
