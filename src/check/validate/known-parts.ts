import { type Code, Collector, isError, type Report } from '../../core/diagnostics/index.ts';
import type { Expansion } from '../../kro/expand/index.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import type { RenderedTally } from './evidence.ts';
import type { NodeObjects } from './objects.ts';

/** Errors of a finished object, which no pending value is a part of: expressions of names and labels have no stand-in. */
export const OF_OBJECTS: ReadonlySet<Code> = new Set([
  'object-name',
  'object-namespace',
  'object-label',
  'computed-reserved-key',
  'identity-collision',
]);

/**
 * Checks pending objects as far as they are known, and the objects that read them: with a text in the place of each
 * pending value. Adds what is wrong whatever the values are. Returns the expansion with these texts.
 */
export function checkKnownParts(
  expansion: Expansion,
  kinds: KindRegistry,
  { nodeObjects, rendered, reports }: { nodeObjects: NodeObjects; rendered: RenderedTally; reports: Collector },
): Expansion {
  const found = new Collector();
  const marked = expansion.again({ marksPending: true, omitsPending: true }, found);
  nodeObjects.check(marked, kinds, rendered);
  const known = new Set(reports.all.map(keyOf));
  for (const one of found.all) {
    if (isError(one) && OF_OBJECTS.has(one.code) && !known.has(keyOf(one))) reports.add(one);
  }
  return marked;
}

const keyOf = ({ code, message, object, namespace, node, path }: Report): string =>
  JSON.stringify([code, message, object, namespace, node, path]);
