import { type Code, isError, type Message, phrase, type Severity, shown } from '../../core/diagnostics/index.ts';
import { decodeBase64, isFault } from '../../core/encoding/base64.ts';
import { type Allowance, MAX_VALUE_DEPTH, spend } from '../../core/model/limits.ts';
import { isMap, mapItems, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { mayBeTyped, plainKey, resolvePlain, resolveTagged, type Scalar } from '../../core/text/plain-scalar.ts';
import {
  type Entry,
  isAlias,
  isMergeKey,
  type MapNode,
  type ScalarNode,
  type SyntaxTree,
  valueText,
  type YamlNode,
} from '../tree/index.ts';

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
  aliased: Allowance;
  errors: number;
  /** Duplicate keys: the remaining number of reports, and the number of counted ones. */
  twice: { limit: number; counted: number };
}

interface State {
  text: string;
  /** Values by the nodes that have an anchor. */
  anchored: Map<YamlNode, Value>;
  /** The anchors of the values that are being read. */
  open: string[];
  budget: StreamBudget;
  path: (string | number)[];
  faults: ValueProblem[];
}

/** Builds the value of a document from its tree, as Kubernetes reads it. */
export function constructDocument(
  text: string,
  { root }: SyntaxTree,
  budget: StreamBudget,
): { value: Value; faults: ValueProblem[] } {
  const state: State = { text, anchored: new Map(), open: [], budget, path: [], faults: [] };
  return { value: readNode(state, root), faults: state.faults };
}

function readNode(state: State, node: YamlNode): Value {
  const { anchor } = node;
  if (anchor === undefined) return readContent(state, node);
  state.open.push(anchor);
  const value = readContent(state, node);
  state.open.pop();
  state.anchored.set(node, value);
  return value;
}

function readContent(state: State, node: YamlNode): Value {
  if (node.kind === 'map') return readMapping(state, node);
  if (node.kind === 'scalar') return isAlias(node) ? readAlias(state, node) : readScalar(state, node);
  return node.items.map(({ value }, index) => {
    state.path.push(index);
    const item = readNode(state, value);
    state.path.pop();
    return item;
  });
}

const fault = (state: State, code: Code, message: string, offset: number): void => {
  add(state, { code, message: phrase`${message}`, path: [...state.path], offset });
};

/** Limits the problems, because a million of them would fill the memory. */
function add({ faults, budget }: State, found: ValueProblem): void {
  if (isError(found) && budget.errors-- <= 0) return;
  faults.push(found);
}

function readMapping(state: State, { entries }: MapNode): ValueMap {
  const map: ValueMap = {};
  /** Keys from `<<`: a key in the map itself wins over them. */
  let merged: Set<string> | undefined;
  /** The types of keys that YAML does not read as strings. */
  let types: Map<string, KeyType> | undefined;
  const repeated: Entry[] = [];
  const faultsBefore = state.faults.length;
  for (const entry of entries) {
    if (isMergeKey(entry)) {
      merged ??= new Set();
      merge(state, map, merged, readNode(state, entry.value), entry.key.start);
      continue;
    }
    const key = readKey(state, entry.key);
    const type = key === undefined || !mayBeTyped(key) ? 'string' : keyType(state, entry.key);
    state.path.push(key ?? '');
    const value = readNode(state, entry.value);
    if (key !== undefined) {
      const isNew = !Object.hasOwn(map, key) || merged?.delete(key) === true;
      if (!isNew) {
        repeated.push(entry);
        reportDuplicate(state, entry.key, key, type === (types?.get(key) ?? 'string'));
      }
      if (type !== 'string') types = (types ?? new Map()).set(key, type);
      setKey(map, key, value);
    }
    state.path.pop();
  }
  if (repeated.length > 1) reportMissingSeparator(state, repeated, faultsBefore);
  return map;
}

/**
 * Reports two objects in one map, the second of which replaces the first: a `---` between them is missing, or a `-` in a
 * list. It replaces the reports of the repeated keys, those after the first `faultsBefore` ones.
 */
function reportMissingSeparator(state: State, repeated: readonly Entry[], faultsBefore: number): void {
  const missing = state.path.length === 0 ? '---' : typeof state.path.at(-1) === 'number' ? '-' : undefined;
  if (missing === undefined || !repeated.some(({ name }) => IDENTITY.has(name))) return;
  const depth = state.path.length + 1;
  for (const fault of state.faults.splice(faultsBefore))
    if (fault.code !== 'duplicate-key' || fault.path.length > depth) state.faults.push(fault);
  const named = [...new Set(repeated.map(({ name }) => `'${name}'`))].slice(0, 4);
  const message = phrase`${{ key: named.join(', ') }} appear twice`;
  add(state, {
    code: 'missing-separator',
    message,
    path: [...state.path],
    offset: repeated[0]?.key.start ?? 0,
    missing,
  });
}

/** Keys that identify an object, or a resource of an RGD. */
const IDENTITY: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'id']);

type KeyType = 'string' | 'boolean' | 'bigint' | 'number';

/** Reports whether a scalar may be a number, a boolean or null. */
const isPlain = ({ style, tag }: ScalarNode): boolean => tag === undefined && (style === 'plain' || style === 'empty');

function keyType(state: State, key: ScalarNode): KeyType {
  if (!isPlain(key)) return 'string';
  const value = resolvePlain(textOf(state, key));
  return value === null ? 'string' : (typeof value as KeyType);
}

/** The last key wins, as in Go's YAML. Keys that differ there and not in JSON, such as 1 and '1', have a random order. */
function reportDuplicate(state: State, node: ScalarNode, key: string, alike: boolean): void {
  const { twice } = state.budget;
  if (alike && twice.limit-- <= 0) {
    twice.counted += 1;
    return;
  }
  const written = isAlias(node) ? key : textOf(state, node);
  const isWord = written !== key && (key === 'true' || key === 'false');
  const message = isWord
    ? phrase`duplicate key '${{ key: shown(key) }}': YAML reads the key ${{ value: written }} as a boolean`
    : phrase`duplicate key '${{ key }}'`;
  add(state, {
    code: 'duplicate-key',
    message: alike ? phrase`${message}; the last one wins` : message,
    path: [...state.path.slice(0, -1), key],
    offset: node.start,
    ...(alike ? { severity: 'warning' as const } : {}),
    ...(isWord ? { hint: phrase`put keys such as y, n, on, off, yes and no in quotes: '${written}'` } : {}),
  });
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
function readKey(state: State, node: ScalarNode): string | undefined {
  const { style, target } = node;
  if (style !== 'alias' && style !== 'complex' && node.tag === undefined && node.anchor === undefined) {
    const text = textOf(state, node);
    const key = isPlain(node) ? plainKey(text) : text;
    const title = text === '' ? 'an empty key' : `'${text}'`;
    if (key === undefined)
      fault(state, 'yaml-value', `${title} cannot be a key in JSON; put it in quotes`, node.innerStart);
    return key;
  }
  const value = readNode(state, style === 'complex' && target !== undefined ? target : node);
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean')
    return plainKey(String(value));
  fault(state, 'yaml-value', 'a key must be a string', node.start);
  return undefined;
}

function readScalar(state: State, node: ScalarNode): Value {
  const text = textOf(state, node);
  let value: Scalar = text;
  if (isPlain(node)) value = resolvePlain(text);
  if (node.tag !== undefined) {
    const tagged = resolveWithTag(text, node.tag);
    if (tagged === undefined) fault(state, 'yaml-value', `the text does not fit its tag ${node.tag}`, node.innerStart);
    value = tagged ?? null;
  }
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  fault(state, 'yaml-value', `JSON has no number ${text}`, node.innerStart);
  return null;
}

/** Returns the text of a scalar. An escape for half of a character is an error, as in Kubernetes' reader of YAML. */
function textOf(state: State, node: ScalarNode): string {
  const text = valueText(state.text, node);
  if (node.style !== 'double') return text;
  const [half] = /\p{Surrogate}/u.exec(text) ?? [];
  if (half === undefined) return text;
  const written = `\\u${half.charCodeAt(0).toString(16)}`;
  fault(state, 'yaml-value', `the escape ${written} is half of a character; write the whole one`, node.innerStart);
  return text.toWellFormed();
}

/** Copies the value of an anchor for every use, so that values are never shared. */
function readAlias(state: State, { start, end, target }: ScalarNode): Value {
  const value = target && state.anchored.get(target);
  if (value === undefined) {
    const name = state.text.slice(start + 1, end);
    const message = state.open.includes(name)
      ? `the value of the anchor '${name}' contains itself`
      : `no anchor '${name}' comes before this alias`;
    fault(state, 'yaml-alias', message, start);
    return null;
  }
  if (state.budget.aliased.left < 0) return null;
  const copy = copyWithin(state.budget, value, state.path.length);
  if (state.budget.aliased.left < 0) fault(state, 'yaml-alias', 'the aliases of this file expand to too much', start);
  return copy;
}

/** Copies a value within the budget; strings count by their length. */
function copyWithin(budget: StreamBudget, value: Value, depth: number): Value {
  const size = typeof value === 'string' ? 1 + (value.length >> 6) : 1;
  if (depth > MAX_VALUE_DEPTH) budget.aliased.left = -1;
  if (!spend(budget.aliased, size)) return null;
  return mapItems(value, (item) => copyWithin(budget, item, depth + 1));
}

const TAG = /^tag:yaml\.org,2002:(?:(bool|int|float|null)|binary)$/;

/** Returns the value of a scalar with a tag; `undefined` if it does not match. Unknown tags of go-yaml are strings. */
function resolveWithTag(text: string, tag: string): Scalar | undefined {
  const found = TAG.exec(tag);
  if (found === null) return text;
  if (found[1] !== undefined) return resolveTagged(text, found[1] as 'bool' | 'int' | 'float' | 'null');
  const bytes = decodeBase64(text);
  return isFault(bytes) ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
