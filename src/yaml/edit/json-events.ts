import { CHOMPING_MODE, COLLECTION_STYLE, EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,:"[\]{}]+/gs;
const NO_PROPERTIES = { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 };

/** Returns the events of a YAML parser for valid JSON, which it may not read because of tabs or long keys. */
export function jsonEvents(text: string): Event[] {
  const events: Event[] = [{ type: EVENT_ID.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] }];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') events.push({ type: EVENT_ID.POP });
    else if (token === '{' || token === '[') {
      const type = token === '{' ? EVENT_ID.MAPPING : EVENT_ID.SEQUENCE;
      events.push({ type, start: index, style: COLLECTION_STYLE.FLOW, ...NO_PROPERTIES });
    } else events.push(scalar(token, index));
  }
  events.push({ type: EVENT_ID.POP });
  return events;
}

function scalar(token: string, index: number): ScalarEvent {
  const quote = token.startsWith('"') ? 1 : 0;
  return {
    type: EVENT_ID.SCALAR,
    valueStart: index + quote,
    valueEnd: index + token.length - quote,
    ...NO_PROPERTIES,
    style: quote === 1 ? SCALAR_STYLE.DOUBLE_QUOTED : SCALAR_STYLE.PLAIN,
    chomping: CHOMPING_MODE.CLIP,
    indent: -1,
    fast: quote === 1 && !token.includes('\\'),
  };
}
