import { EVENT_ID, type Event, type ScalarEvent } from 'js-yaml';
import {
  isKindName,
  isPlainField,
  isSecretKind,
  isSecretListKind,
  LAST_APPLIED,
  maybeSecret,
  mentionsSecret,
  type Position,
  positionOf,
} from '../../core/redaction/index.ts';
import { countUpTo } from '../../core/text/ascending.ts';
import type { DocumentRange } from '../../core/text/documents.ts';
import { isSyntaxProblem, parseDocument, quoteLength } from './events.ts';
import { scalarText } from './scalar-text.ts';

/** A range of a document that is a Secret; offsets count in the document. */
export interface SecretRange {
  start: number;
  end: number;
  /** The ranges in it without values: names and labels, but not comments. */
  plain: readonly (readonly [start: number, end: number])[];
}

/**
 * Returns the Secrets of one document of YAML or JSON. A document that cannot be parsed, or that lost its kind, is
 * treated as a Secret unless it clearly is none.
 */
export function secretRanges(document: string, parsed = parseDocument(document)): SecretRange[] {
  if (isSyntaxProblem(parsed)) return mayHoldSecret(document) ? [{ start: 0, end: document.length, plain: [] }] : [];
  const { source, events, original } = parsed;
  if (!mayHoldSecret(document) && !namesSecret(source, events)) return [];
  const root = readNode({ source, events, at: 1, end: 0, anchors: new Map(), starts: textStarts(source, events) });
  const ranges: SecretRange[] = [];
  const hasKind = root?.entries?.some(
    ({ key, value }) => key.scalar?.text === 'kind' && isKindName(value.scalar?.text ?? ''),
  );
  if (hasKind !== true && mayHoldSecret(document)) return [{ start: 0, end: document.length, plain: [] }];
  if (root !== undefined) collect(root, 'object', { ranges, seen: new Set() });
  if (isMentionedElsewhere(source, ranges)) return [{ start: 0, end: document.length, plain: [] }];
  return ranges.map(({ start, end, plain }) => ({
    // The comments of a document belong to its object.
    start: start === root?.start ? 0 : original(start),
    end: end >= source.length ? document.length : original(end),
    plain: plain.map(([from, to]) => [original(from), original(to)]),
  }));
}

/**
 * Reports whether a text of unknown content may contain a Secret: it mentions one, hides it, or does not identify
 * itself.
 */
export const mayHoldSecret = (document: string): boolean =>
  mentionsSecret(document) || (!namesKind(document) && /\bdata\b/.test(document));

/** Longer texts are not similar to a kind of a Secret. */
const MOST_CHARACTERS = 24;

/**
 * Reports whether a scalar is `data`, or may be the kind of a Secret or of a list of them: without one, nothing is a
 * Secret.
 */
function namesSecret(source: string, events: readonly Event[]): boolean {
  const seen = new Set<string>();
  return events.some((event) => {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) return false;
    if (event.valueEnd - event.valueStart > MOST_CHARACTERS) return false;
    const text = scalarText(source, event);
    if (seen.has(text)) return false;
    seen.add(text);
    return text === 'data' || isSecretKind(text) || isSecretListKind(text);
  });
}

/**
 * Returns a function that reports whether an unidentified document of a stream may have been separated from a Secret by
 * markers inside it. Each document is scanned once, on demand.
 */
export function tornOffIn(text: string, documents: readonly DocumentRange[]): (index: number) => boolean {
  const textOf = ({ start, end }: DocumentRange): string => text.slice(start, end);
  const isNamedSecret = (document: string): boolean => /secret|stringData/i.test(document);
  let decisive: { index: number; isSecret: boolean }[] | undefined;
  return (index) => {
    const document = documents[index];
    if (document === undefined || namesKind(textOf(document))) return false;
    decisive ??= documents.flatMap((one, at) => {
      const isSecret = isNamedSecret(textOf(one));
      return isSecret || /\bkind\b/i.test(textOf(one)) ? [{ index: at, isSecret }] : [];
    });
    const known = decisive;
    const after = countUpTo(index, known.length, (at) => known[at]?.index ?? 0);
    const before = known[after - 1]?.index === index ? after - 2 : after - 1;
    return known[before]?.isSecret === true || known[after]?.isSecret === true;
  };
}

/**
 * Reports whether a text mentions a Secret where none was found: in a comment, in a block scalar, or after an error.
 * Its values may be anywhere then.
 */
const isMentionedElsewhere = (source: string, ranges: readonly SecretRange[]): boolean =>
  [...source.matchAll(MENTION)].some(({ index }) => !ranges.some(({ start, end }) => start <= index && index < end));

const MENTION = /\bkind["']?[ \t]*:[ \t]*["']?Secret(?:List)?\b|\bstringData["']?[ \t]*:/g;

const namesKind = (document: string): boolean => /\bkind\b/.test(document);

/** Reports whether a line, or a part of it, shows more of a Secret than names. */
export function showsSecret(document: string, from: number, to: number, ranges: readonly SecretRange[]): boolean {
  return ranges.some(({ start, end, plain }) => {
    let at = Math.max(from, start);
    const last = Math.min(to, end);
    for (const [plainStart, plainEnd] of plain) {
      if (plainEnd <= at || plainStart >= last) continue;
      if (!isPunctuation(document.slice(at, plainStart))) return true;
      at = Math.max(at, plainEnd);
    }
    return at < last && !isPunctuation(document.slice(at, last));
  });
}

const isPunctuation = (text: string): boolean => /^[\s{}[\],:"'?|>-]*$/.test(text);

interface Node {
  /** The index of its first event; of an alias, that of its anchor. */
  content: number;
  /** From the end of the previous part to the start of the next one, so that comments are included. */
  start: number;
  end: number;
  scalar?: { text: string; start: number; end: number };
  entries?: { key: Node; value: Node }[];
  items?: Node[];
}

interface State {
  source: string;
  events: readonly Event[];
  at: number;
  /** The end of the last scalar. */
  end: number;
  anchors: Map<string, Node>;
  /** The start of each event, or of the next one that has a text. */
  starts: readonly number[];
}

function readNode(state: State): Node | undefined {
  const content = state.at++;
  const event = state.events[content];
  if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return undefined;
  const name = state.source.slice(event.anchorStart, event.anchorEnd);
  const start = state.end;
  if (event.type === EVENT_ID.ALIAS) {
    const known = state.anchors.get(name);
    state.end = event.anchorEnd;
    return { content, ...known, start, end: nextStart(state) };
  }
  const node = { content, ...readContent(state, event, start) };
  if (event.anchorStart >= 0) state.anchors.set(name, node);
  return node;
}

function readContent(
  state: State,
  event: Exclude<Event, { type: typeof EVENT_ID.ALIAS }>,
  start: number,
): Omit<Node, 'content'> {
  if (event.type === EVENT_ID.SCALAR) return readScalar(state, event, start);
  if (event.type !== EVENT_ID.MAPPING) {
    const items: Node[] = [];
    for (let item = readNode(state); item !== undefined; item = readNode(state)) items.push(item);
    return { start, end: nextStart(state), items };
  }
  const entries: { key: Node; value: Node }[] = [];
  for (let key = readNode(state); key !== undefined; key = readNode(state)) {
    const value = readNode(state);
    if (value === undefined) break;
    entries.push({ key, value });
  }
  return { start, end: nextStart(state), entries };
}

function readScalar(state: State, event: ScalarEvent, start: number): Omit<Node, 'content'> {
  if (event.valueStart < 0) return { start, end: nextStart(state) };
  const quote = quoteLength(event);
  const scalar = {
    text: scalarText(state.source, event),
    start: event.valueStart - quote,
    end: event.valueEnd + quote,
  };
  state.end = scalar.end;
  return { start, end: nextStart(state), scalar };
}

/** Returns the start of the next part that has a text. */
const nextStart = ({ starts, at, source }: State): number => starts[at] ?? source.length;

/** Iterates backwards, because there may be any number of consecutive empty events. */
function textStarts(source: string, events: readonly Event[]): number[] {
  const starts = new Array<number>(events.length);
  let start = source.length;
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at] as Event;
    if (event.type === EVENT_ID.ALIAS) start = event.anchorStart - 1;
    if (event.type === EVENT_ID.SCALAR && event.valueStart >= 0) start = event.valueStart - quoteLength(event);
    starts[at] = start;
  }
  return starts;
}

/** The results so far, and the parts that were visited in a context: aliases refer to one part many times. */
interface Found {
  ranges: SecretRange[];
  seen: Set<string>;
}

function collect(node: Node, position: Position, found: Found): void {
  const { items, entries } = node;
  if (items === undefined && entries === undefined) return;
  const key = `${node.content} ${position}`;
  if (found.seen.has(key)) return;
  found.seen.add(key);
  if (items !== undefined) for (const item of items) collect(item, position, found);
  if (entries === undefined) return;
  const { ranges } = found;
  const kinds = entries.filter(({ key }) => key.scalar?.text === 'kind').map(({ value }) => value.scalar?.text);
  const has = (wanted: string): boolean => entries.some(({ key }) => key.scalar?.text === wanted);
  // Of a duplicate kind either may be intended.
  const isSecret = (kinds.length === 0 ? [undefined] : kinds).some((kind) => maybeSecret(kind, has, position));
  if (isSecret) {
    const plain: [number, number][] = [];
    const seen = new Set<number>();
    for (const { key, value } of entries) collectPlain(key, value, [], { plain, seen });
    ranges.push({ start: node.start, end: node.end, plain });
    return;
  }
  if (kinds.some((kind) => kind !== undefined && isSecretKind(kind))) {
    const names: Plain = { plain: [], seen: new Set() };
    addScalars(node, names);
    ranges.push({ start: node.start, end: node.end, plain: names.plain });
  }
  for (const { key, value } of entries) {
    const isCopy = key.scalar?.text === LAST_APPLIED && mayHoldSecret(value.scalar?.text ?? '');
    if (isCopy) ranges.push({ start: value.start, end: value.end, plain: [] });
    collect(value, positionOf({ kind: kinds[0], position }, key.scalar?.text ?? ''), found);
  }
}

/** The texts of the fields without values, and the visited parts. */
interface Plain {
  plain: [number, number][];
  seen: Set<number>;
}

function collectPlain(key: Node, value: Node, before: readonly string[], found: Plain): void {
  const path = [...before, key.scalar?.text ?? ''];
  if (!isPlainField(path)) return;
  if (key.scalar !== undefined) found.plain.push([key.scalar.start, key.scalar.end]);
  if (path.length === 1 && path[0] === 'metadata') {
    for (const entry of value.entries ?? []) collectPlain(entry.key, entry.value, path, found);
  } else addScalars(value, found);
}

function addScalars({ content, scalar, entries = [], items = [] }: Node, found: Plain): void {
  if (found.seen.has(content)) return;
  found.seen.add(content);
  if (scalar !== undefined) found.plain.push([scalar.start, scalar.end]);
  for (const item of items) addScalars(item, found);
  for (const { key, value } of entries) {
    addScalars(key, found);
    addScalars(value, found);
  }
}
