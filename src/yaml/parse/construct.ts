import { type DocumentEvent, EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { type Code, isError, type Message, phrase, type Severity, shown } from '../../core/diagnostics/index.ts';
import { isMap, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { mayBeTyped, plainKey, resolvePlain, type Scalar } from '../../core/text/plain-scalar.ts';
import { MAX_DEPTH, quoteLength, scalarText } from '../tree/index.ts';
import { MERGE_TAG, resolveWithTag, tagName } from './quotes.ts';

/** A problem of a value in well-formed YAML. `offset` counts from the start of the document's text. */
export interface ValueProblem {
  code: Code;
  message: Message;
  path: Path;
  offset: number;
  severity?: Severity;
  hint?: Message;
  /** The separator that is probably missing before the line of the problem. */
  missing?: '---' | '-';
}

/** The remaining budget of a stream. */
export interface StreamBudget {
  /** Values that aliases add: nested ones multiply, and a few lines could fill any memory. */
  aliased: number;
  /** The number of reported errors. */
  errors: number;
  /** Duplicate keys: the remaining number of reports, and the number of counted ones. */
  twice: { limit: number; counted: number };
}

interface State {
  source: string;
  events: readonly Event[];
  at: number;
  directives: DocumentEvent['directives'];
  /** Values by anchor; `undefined` while a value is being read. */
  anchors: Map<string, Value | undefined>;
  budget: StreamBudget;
  path: (string | number)[];
  faults: ValueProblem[];
}

/** Builds the value of a document from its events, as Kubernetes reads it. */
export function constructDocument(
  source: string,
  events: readonly Event[],
  budget: StreamBudget,
): { value: Value; faults: ValueProblem[] } {
  const [first] = events;
  const directives = first?.type === EVENT_ID.DOCUMENT ? first.directives : [];
  const state: State = { source, events, at: 1, directives, anchors: new Map(), budget, path: [], faults: [] };
  return { value: events.length === 0 ? null : readNode(state), faults: state.faults };
}

function readNode(state: State): Value {
  const event = state.events[state.at++] as Event;
  if (event.type === EVENT_ID.SCALAR) {
    const value = readScalar(state, event);
    if (event.anchorStart >= 0) state.anchors.set(anchorName(state, event), value);
    return value;
  }
  if (event.type === EVENT_ID.ALIAS) return readAlias(state, anchorName(state, event), startOf(event));
  if (event.type !== EVENT_ID.MAPPING && event.type !== EVENT_ID.SEQUENCE) return null;
  const anchor = event.anchorStart >= 0 ? anchorName(state, event) : undefined;
  if (anchor !== undefined) state.anchors.set(anchor, undefined);
  const value = event.type === EVENT_ID.MAPPING ? readMapping(state) : readSequence(state);
  if (anchor !== undefined) state.anchors.set(anchor, value);
  return value;
}

const anchorName = (state: State, event: { anchorStart: number; anchorEnd: number }): string =>
  state.source.slice(event.anchorStart, event.anchorEnd);

const fault = (state: State, code: Code, message: string, offset: number): void => {
  add(state, { code, message: phrase`${message}`, path: [...state.path], offset: Math.max(offset, 0) });
};

/** Limits the problems, because a million of them would fill the memory. */
function add({ faults, budget }: State, found: ValueProblem): void {
  if (isError(found) && budget.errors-- <= 0) return;
  faults.push(found);
}

/** Reports whether a further duplicate key is only counted. */
function isCounted({ twice }: StreamBudget): boolean {
  if (twice.limit > 0) {
    twice.limit -= 1;
    return false;
  }
  twice.counted += 1;
  return true;
}

const isEnd = (state: State): boolean => state.events[state.at]?.type === EVENT_ID.POP;

function readSequence(state: State): Value[] {
  const items: Value[] = [];
  while (!isEnd(state)) {
    state.path.push(items.length);
    items.push(readNode(state));
    state.path.pop();
  }
  state.at++;
  return items;
}

function readMapping(state: State): ValueMap {
  const map: ValueMap = {};
  /** Keys from `<<`: a key in the map itself wins over them. */
  let merged: Set<string> | undefined;
  /** The types of keys that YAML does not read as strings. */
  let types: Map<string, KeyType> | undefined;
  const repeated: Repeated = { keys: [], start: 0, faults: state.faults.length };
  while (!isEnd(state)) {
    const event = state.events[state.at] as Event;
    if (isMergeKey(state, event)) {
      state.at++;
      merged ??= new Set();
      merge(state, map, merged, readNode(state), startOf(event));
      continue;
    }
    const key = readKey(state, event);
    const type = key === undefined || !mayBeTyped(key) ? 'string' : keyType(state, event);
    state.path.push(key ?? '');
    const value = readNode(state);
    if (key !== undefined) {
      const isNew = !Object.hasOwn(map, key) || merged?.delete(key) === true;
      if (!isNew) {
        repeated.start ||= startOf(event);
        repeated.keys.push(key);
        reportDuplicate(state, event, key, type === (types?.get(key) ?? 'string'));
      }
      if (type !== 'string') types = (types ?? new Map()).set(key, type);
      setKey(map, key, value);
    }
    state.path.pop();
  }
  state.at++;
  if (repeated.keys.length > 1) reportMissingSeparator(state, repeated);
  return map;
}

/** The keys that a map repeats. */
interface Repeated {
  keys: string[];
  /** The offset of the first one. */
  start: number;
  /** The number of problems before the map. */
  faults: number;
}

/**
 * Reports two objects in one map: the second one replaces the first. In a document a `---` between them is missing, in
 * a list a `-`. Replaces the reports of the repeated keys.
 */
function reportMissingSeparator(state: State, { keys, start, faults }: Repeated): void {
  const missing = state.path.length === 0 ? '---' : typeof state.path.at(-1) === 'number' ? '-' : undefined;
  if (missing === undefined || !keys.some((key) => IDENTITY.has(key))) return;
  const depth = state.path.length + 1;
  for (const fault of state.faults.splice(faults))
    if (fault.code !== 'duplicate-key' || fault.path.length > depth) state.faults.push(fault);
  const named = [...new Set(keys)].slice(0, 4).map((key) => `'${key}'`);
  const message = phrase`${named.join(', ')} appear twice`;
  add(state, { code: 'missing-separator', message, path: [...state.path], offset: start, missing });
}

/** Keys that identify an object, or a resource of an RGD. */
const IDENTITY: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'id']);

type KeyType = 'string' | 'boolean' | 'bigint' | 'number';

function keyType(state: State, event: Event): KeyType {
  if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN || event.tagStart >= 0) return 'string';
  const value = resolvePlain(textOf(state, event));
  return value === null ? 'string' : (typeof value as KeyType);
}

/**
 * The last key wins, as in Go's YAML. Keys that differ there and are equal in JSON, such as 1 and '1', are read in
 * random order.
 */
function reportDuplicate(state: State, event: Event, key: string, alike: boolean): void {
  if (alike && isCounted(state.budget)) return;
  const written = event.type === EVENT_ID.SCALAR ? textOf(state, event) : key;
  const isWord = written !== key && (key === 'true' || key === 'false');
  const message = isWord
    ? phrase`duplicate key '${shown(key)}': YAML reads the key ${written} as a boolean`
    : phrase`duplicate key '${key}'`;
  add(state, {
    code: 'duplicate-key',
    message: alike ? phrase`${message}; the last one wins` : message,
    path: [...state.path.slice(0, -1), key],
    offset: startOf(event),
    ...(alike ? { severity: 'warning' as const } : {}),
    ...(isWord ? { hint: phrase`put keys such as y, n, on, off, yes and no in quotes: '${written}'` } : {}),
  });
}

/** Returns the start of a node, including its quote. */
function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart - quoteLength(event);
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return 'start' in event ? event.start : 0;
}

function isMergeKey(state: State, event: Event): boolean {
  if (event.type !== EVENT_ID.SCALAR || event.valueEnd - event.valueStart !== 2) return false;
  if (!state.source.startsWith('<<', event.valueStart)) return false;
  return event.tagStart >= 0 ? tagOf(state, event) === MERGE_TAG : event.style === SCALAR_STYLE.PLAIN;
}

/** Of several maps in one list the first wins, as the YAML merge key defines. */
function merge(state: State, map: ValueMap, merged: Set<string>, value: Value, offset: number): void {
  const sources = Array.isArray(value) ? value.toReversed() : [value];
  for (const source of sources) {
    if (!isMap(source)) {
      fault(state, 'yaml-value', "the value of '<<' must be a map or a list of maps", offset);
      continue;
    }
    for (const key of Object.keys(source)) {
      if (Object.hasOwn(map, key) && !merged.has(key)) continue;
      setKey(map, key, source[key] as Value);
      merged.add(key);
    }
  }
}

/** Reads a key; returns `undefined` (reported) if JSON has no such key. */
function readKey(state: State, event: Event): string | undefined {
  if (event.type === EVENT_ID.SCALAR && event.tagStart < 0 && event.anchorStart < 0) {
    state.at++;
    const text = textOf(state, event);
    const key = event.style === SCALAR_STYLE.PLAIN ? plainKey(text) : text;
    if (key === undefined)
      fault(
        state,
        'yaml-value',
        `${text === '' ? 'an empty key' : `'${text}'`} cannot be a key in JSON; put it in quotes`,
        event.valueStart,
      );
    return key;
  }
  const value = readNode(state);
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean')
    return plainKey(String(value));
  fault(state, 'yaml-value', 'a key must be a string', startOf(event));
  return undefined;
}

function readScalar(state: State, event: ScalarEvent): Value {
  const text = textOf(state, event);
  let value: Scalar = text;
  if (event.tagStart >= 0) {
    const tag = tagOf(state, event);
    const resolved = resolveWithTag(text, tag);
    if (resolved === undefined) fault(state, 'yaml-value', `the text does not fit its tag ${tag}`, event.valueStart);
    value = resolved ?? null;
  }
  if (event.tagStart < 0 && event.style === SCALAR_STYLE.PLAIN) value = resolvePlain(text);
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  fault(state, 'yaml-value', `JSON has no number ${text}`, event.valueStart);
  return null;
}

/**
 * Returns the text of a scalar. An escape for half of a character is an error, as in Kubernetes' reader of YAML; its
 * reader of JSON writes U+FFFD instead, and the text is lost.
 */
function textOf(state: State, event: ScalarEvent): string {
  const text = scalarText(state.source, event);
  if (isUnendedBlock(state, event)) return text.replace(/\n$/, '');
  if (event.style !== SCALAR_STYLE.DOUBLE_QUOTED || event.fast) return text;
  const [half] = /\p{Surrogate}/u.exec(text) ?? [];
  if (half === undefined) return text;
  const written = `\\u${half.charCodeAt(0).toString(16)}`;
  fault(state, 'yaml-value', `the escape ${written} is half of a character; write the whole one`, event.valueStart);
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** A block scalar on the last line of a text without a final line break: Go adds none, whatever the chomping. */
function isUnendedBlock({ source }: State, { style, valueEnd }: ScalarEvent): boolean {
  if (style !== SCALAR_STYLE.LITERAL_BLOCK && style !== SCALAR_STYLE.FOLDED_BLOCK) return false;
  return valueEnd >= source.length && /[^\s]$|[^\s][ \t]+$/.test(source.slice(source.lastIndexOf('\n') + 1));
}

const tagOf = (state: State, event: ScalarEvent): string =>
  tagName(state.source.slice(event.tagStart, event.tagEnd), state.directives);

/** Copies the value of an anchor for every use, so that values are never shared. */
function readAlias(state: State, name: string, offset: number): Value {
  const value = state.anchors.get(name);
  if (value !== undefined) {
    if (state.budget.aliased < 0) return null;
    const copy = copyWithin(state.budget, value, state.path.length);
    if (state.budget.aliased < 0) fault(state, 'yaml-alias', 'the aliases of this file expand to too much', offset);
    return copy;
  }
  const inside = state.anchors.has(name);
  fault(
    state,
    'yaml-alias',
    inside ? `the value of the anchor '${name}' contains itself` : `no anchor '${name}' comes before this alias`,
    offset,
  );
  return null;
}

/** Copies a value within the budget; strings count by their length. */
function copyWithin(budget: StreamBudget, value: Value, depth: number): Value {
  budget.aliased -= typeof value === 'string' ? 1 + (value.length >> 6) : 1;
  if (depth > MAX_DEPTH) budget.aliased = -1;
  if (budget.aliased < 0) return null;
  if (Array.isArray(value)) return value.map((item) => copyWithin(budget, item, depth + 1));
  if (!isMap(value)) return value;
  const copy: ValueMap = {};
  for (const key of Object.keys(value)) setKey(copy, key, copyWithin(budget, value[key] as Value, depth + 1));
  return copy;
}
