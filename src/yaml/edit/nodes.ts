import { EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { plainKey } from '../../core/text/plain-scalar.ts';
import { quoteLength, scalarText } from '../parse/index.ts';

/** The events of one document and its text. */
export interface DocumentText {
  text: string;
  events: readonly Event[];
  /** The text of the offsets of events: the original, or a repaired copy. */
  source: string;
  /** Converts an offset of the source to one of the text. */
  original(offset: number): number;
}

/** A node with its position. Offsets count in the text. */
export interface TextNode {
  /** The index of its event. */
  index: number;
  /** The index of the first event after it. */
  next: number;
  /** The start of its content, without anchor and tag; without content, where it would start. */
  start: number;
  /** Its end: of a block scalar after the last line break, of a missing value after its `:`. */
  end: number;
  /** In brackets. */
  flow: boolean;
  /** The position of the `-` of a block list item, -1 for other nodes. */
  dash: number;
}

/** An entry of a map. */
export interface TextEntry {
  /** `undefined` for a key that is not a scalar, and for `<<`. */
  name: string | undefined;
  key: TextNode;
  value: TextNode;
}

/** Computes the positions of nodes on demand. */
export class Nodes {
  private at = 0;
  /** The end of the last node that was read, in the source. */
  private end = 0;

  constructor(readonly document: DocumentText) {}

  root(): TextNode {
    return this.node(1, 0, false);
  }

  event(node: TextNode): Event {
    return this.document.events[node.index] as Event;
  }

  isMap = (node: TextNode): boolean => this.event(node).type === EVENT_ID.MAPPING;
  isList = (node: TextNode): boolean => this.event(node).type === EVENT_ID.SEQUENCE;
  isAlias = (node: TextNode): boolean => this.event(node).type === EVENT_ID.ALIAS;

  /** Returns the entries of a map, in order. */
  entries(map: TextNode): TextEntry[] {
    const entries: TextEntry[] = [];
    this.enter(map);
    while (!this.isEnd()) {
      const key = this.node(this.at, this.end, false);
      const value = this.node(this.at, this.end, true);
      entries.push({ name: this.nameOf(key), key, value });
    }
    return entries;
  }

  /** Returns the items of a list, in order. */
  items(list: TextNode): TextNode[] {
    const items: TextNode[] = [];
    this.enter(list);
    const { original, source } = this.document;
    while (!this.isEnd()) {
      const dash = list.flow ? -1 : original(behindMarker(source, this.end, '-') - 1);
      items.push({ ...this.node(this.at, this.end, false), dash });
    }
    return items;
  }

  /** Returns the node at a path of keys and indexes; `undefined` if it is not written there. */
  find(path: readonly (string | number)[], from = this.root()): TextNode | undefined {
    let node: TextNode | undefined = from;
    for (const step of path) {
      if (node === undefined) return undefined;
      if (typeof step === 'number') node = this.isList(node) ? this.items(node)[step] : undefined;
      else node = this.entry(node, step)?.value;
    }
    return node;
  }

  /** Returns the entry of a key; the last one of several. */
  entry(node: TextNode, name: string): TextEntry | undefined {
    return this.isMap(node) ? this.entries(node).findLast((entry) => entry.name === name) : undefined;
  }

  private enter(node: TextNode): void {
    const event = this.event(node);
    const { source } = this.document;
    this.at = node.index + 1;
    this.end = 'start' in event ? event.start + bracketAt(source, event.start) : 0;
  }

  private isEnd = (): boolean => {
    const event = this.document.events[this.at];
    return event === undefined || event.type === EVENT_ID.POP;
  };

  private node(index: number, from: number, isValue: boolean): TextNode {
    this.at = index;
    this.end = from;
    this.skip(isValue);
    const { events, source, original } = this.document;
    const event = events[index] as Event;
    const start = startOf(event) ?? this.end;
    const flow = 'start' in event && bracketAt(source, event.start) === 1;
    return { index, next: this.at, start: original(start), end: original(this.end), flow, dash: -1 };
  }

  /** Moves past a node. */
  private skip(isValue: boolean): void {
    const { events, source } = this.document;
    const event = events[this.at++] as Event;
    if (event.type === EVENT_ID.SCALAR) this.end = this.endOfScalar(event, isValue);
    else if (event.type === EVENT_ID.ALIAS) this.end = event.anchorEnd;
    else if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      const brackets = bracketAt(source, event.start);
      const isMap = event.type === EVENT_ID.MAPPING;
      this.end = event.start + brackets;
      for (let isEntry = false; !this.isEnd(); isEntry = !isEntry) {
        if (!isMap && brackets === 0) this.end = behindMarker(source, this.end, '-');
        this.skip(isMap && isEntry);
      }
      this.at++;
      if (brackets === 1) this.end = behindBracket(source, this.end);
    }
  }

  private endOfScalar(event: ScalarEvent, isValue: boolean): number {
    if (event.valueStart >= 0) return event.valueEnd + quoteLength(event);
    const properties = Math.max(event.anchorEnd, event.tagEnd);
    if (properties >= 0) return properties;
    return isValue ? behindMarker(this.document.source, this.end, ':') : this.end;
  }

  private nameOf(key: TextNode): string | undefined {
    const event = this.event(key);
    if (event.type !== EVENT_ID.SCALAR) return undefined;
    const text = scalarText(this.document.source, event);
    if (event.style !== SCALAR_STYLE.PLAIN || event.tagStart >= 0) return text;
    return text === '<<' ? undefined : (plainKey(text) ?? text);
  }
}

/** Returns the start of the content of a node, including a quote; `undefined` if it is empty. */
function startOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart < 0 ? undefined : event.valueStart - quoteLength(event);
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return 'start' in event ? event.start : undefined;
}

const bracketAt = (source: string, offset: number): 0 | 1 => (source[offset] === '{' || source[offset] === '[' ? 1 : 0);

/**
 * Spaces, line breaks and comments. A `#` directly after other text does not start a comment, except at the start of a
 * line after a block scalar.
 */
const BLANKS = /(?:[ \t\r\n\uFEFF]+(?:#[^\r\n]*)?|(?<=[\r\n])#[^\r\n]*)*/y;
/** The same, with what may be between the last part of a flow collection and its end. */
const BEFORE_BRACKET = /(?:[ \t\r\n,:?]+(?:#[^\r\n]*)?)*/y;

function behindMarker(source: string, offset: number, marker: ':' | '-'): number {
  BLANKS.lastIndex = offset;
  BLANKS.test(source);
  return source[BLANKS.lastIndex] === marker ? BLANKS.lastIndex + 1 : offset;
}

function behindBracket(source: string, offset: number): number {
  BEFORE_BRACKET.lastIndex = offset;
  BEFORE_BRACKET.test(source);
  return BEFORE_BRACKET.lastIndex + 1;
}
