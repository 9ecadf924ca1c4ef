import { EVENT_ID } from 'js-yaml';
import type { DocumentText } from './nodes.ts';

/** The anchor of an alias. Both are indexes of events. */
export interface Reference {
  alias: number;
  anchor: number;
}

/** Returns all aliases of a document with their anchors: the last one of the name before them. */
export function referencesIn({ events, source }: DocumentText): Reference[] {
  const references: Reference[] = [];
  const anchors = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT || event.anchorStart < 0) continue;
    const name = source.slice(event.anchorStart, event.anchorEnd);
    if (event.type !== EVENT_ID.ALIAS) anchors.set(name, index);
    else references.push({ alias: index, anchor: anchors.get(name) ?? -1 });
  }
  return references;
}
