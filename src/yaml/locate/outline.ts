import { EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { plainKey } from '../../core/text/plain-scalar.ts';
import { scalarText } from '../parse/index.ts';

/** The positions of the parts of a document; offsets count from the start of its text. */
export interface Outline {
  start: number;
  /** Set for scalars that have text. */
  scalar?: ScalarEvent;
  /** The entries of a map, including those of `<<`. */
  entries?: Map<string, { key: ScalarEvent; value: Outline }>;
  items?: Outline[];
}

interface State {
  source: string;
  events: readonly Event[];
  at: number;
  anchors: Map<string, Outline>;
}

export function outlineDocument(source: string, events: readonly Event[]): Outline {
  return outlineNode({ source, events, at: 1, anchors: new Map() }) ?? { start: 0 };
}

function outlineNode(state: State): Outline | undefined {
  const event = state.events[state.at++];
  if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return undefined;
  const name = state.source.slice(event.anchorStart, event.anchorEnd);
  if (event.type === EVENT_ID.ALIAS) return state.anchors.get(name) ?? { start: event.anchorStart - 1 };
  const outline = outlineContent(state, event);
  if (event.anchorStart >= 0) state.anchors.set(name, outline);
  return outline;
}

function outlineContent(state: State, event: Event): Outline {
  if (event.type === EVENT_ID.SCALAR) {
    return event.valueStart < 0 ? { start: -1 } : { start: event.valueStart, scalar: event };
  }
  if (event.type === EVENT_ID.MAPPING) return outlineMapping(state, event.start);
  const items: Outline[] = [];
  const outline = { start: event.type === EVENT_ID.SEQUENCE ? event.start : 0, items };
  for (let item = outlineNode(state); item !== undefined; item = outlineNode(state)) items.push(item);
  return outline;
}

function outlineMapping(state: State, start: number): Outline {
  const entries: NonNullable<Outline['entries']> = new Map();
  const written = new Set<string>();
  for (;;) {
    const key = state.events[state.at];
    const isKey = outlineNode(state) !== undefined;
    const value = isKey ? outlineNode(state) : undefined;
    if (value === undefined) return { start, entries };
    if (key?.type !== EVENT_ID.SCALAR) continue;
    const text = scalarText(state.source, key);
    const isPlain = key.style === SCALAR_STYLE.PLAIN;
    if (isPlain && text === '<<') {
      for (const source of value.items?.toReversed() ?? [value]) {
        for (const [name, entry] of source.entries ?? []) if (!written.has(name)) entries.set(name, entry);
      }
      continue;
    }
    const name = isPlain && key.tagStart < 0 ? (plainKey(text) ?? text) : text;
    entries.set(name, { key, value });
    written.add(name);
  }
}
