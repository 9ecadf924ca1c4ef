import { attempt } from '../../core/model/attempt.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { equal, isMap, ownValue, type Value, type ValueMap } from '../../core/model/value.ts';
import { doubleQuoted, indented, itemWriter, toYaml, yamlNumber, yamlScalar } from '../emit/index.ts';
import {
  type Entry,
  isAlias,
  isBlockScalar,
  isMergeKey,
  isSyntaxProblem,
  type MapNode,
  parseTree,
  type Range,
  type ScalarNode,
  type YamlNode,
} from '../tree/index.ts';

/** Thrown if a part of a text cannot be changed without other changes. */
export class Entangled extends Error {
  override name = 'Entangled';
}

const UNUSUAL = new Entangled('is written in an unusual way');

/** A change of a text: the characters from `start` to `end` become `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

const PIECE = 65_536;

/**
 * Returns the text with its edits, in pieces of moderate size. At one position insertions come before a removal.
 * @throws RangeError if two edits overlap
 */
export function withEdits(text: string, edits: readonly Edit[]): string[] {
  const ordered = edits.toSorted((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start));
  const pieces: string[] = [];
  let piece = '';
  let at = 0;
  const add = (part: string): void => {
    piece += part;
    if (piece.length < PIECE) return;
    pieces.push(piece);
    piece = '';
  };
  for (const { start, end, text: changed } of ordered) {
    if (start < at) throw new RangeError(`two changes overlap at ${start}`);
    add(text.slice(at, start));
    add(changed);
    at = end;
  }
  add(text.slice(at));
  pieces.push(piece);
  return pieces;
}

/** Keys that every YAML reader reads as strings; short ones may be words such as `y`. */
const PLAIN_KEY = /^[A-Za-z][\w./-]{5,}$/;

/** Returns a value in flow style on one line; with `quoted` as JSON. */
export function flowText(value: Value, quoted: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, quoted)).join(', ')}]`;
  if (typeof value === 'number') return yamlNumber(value);
  if (!isMap(value)) return typeof value === 'string' ? doubleQuoted(value) : String(value);
  const keys = Object.keys(value);
  const entries = keys.map((key) => {
    const text = quoted || !PLAIN_KEY.test(key) ? doubleQuoted(key) : key;
    return `${text}: ${flowText(value[key] as Value, quoted)}`;
  });
  return `{${entries.join(', ')}}`;
}

/** Reports whether a value only has strings, nulls, maps and lists, on which all readers agree. */
export const isOnlyText = (value: Value): boolean => {
  if (Array.isArray(value)) return value.every(isOnlyText);
  return isMap(value) ? Object.values(value).every(isOnlyText) : value === null || typeof value === 'string';
};

const isBreak = (char: string | undefined): boolean => char === '\n' || char === '\r';

export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isBreak(text[at - 1])) at--;
  return at;
}

function lineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isBreak(text[at])) at++;
  return at;
}

function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : Math.min(end + 1, text.length);
}

/** Returns the start of the line after an offset, which may be that start already. */
const lineAfter = (text: string, offset: number): number =>
  isLineStart(text, offset) ? offset : nextLine(text, offset);

/** Returns the column of an offset; a byte order mark is not part of the line. */
export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return offset - start - (text[start] === '\uFEFF' ? 1 : 0);
}

export const lineBreakOf = (text: string): string => /\r\n?|\n/.exec(text)?.[0] ?? '\n';

/** Returns the position of a new line after a block node, and after comments that are indented deeper than `column`. */
export function behindNode(text: string, end: number, column: number): number {
  let at = lineAfter(text, end);
  for (let line = at; line < text.length; line = nextLine(text, line)) {
    const comment = /^[ \t]*(?:(#)|(?=[\r\n]|$))/.exec(text.slice(line, lineEnd(text, line)));
    if (comment === null || (comment[1] !== undefined && comment[0].length - 1 <= column)) break;
    if (comment[1] !== undefined) at = nextLine(text, line);
  }
  return at;
}

export const isLineStart = (text: string, offset: number): boolean => offset === 0 || isBreak(text[offset - 1]);

export function addEntries(text: string, map: MapNode, added: ValueMap): Edit[] {
  if (!map.flow) {
    const column = columnOf(text, map.start);
    const at = behindNode(text, map.end, column);
    return [{ start: at, end: at, text: blockLines(added, column, lineBreakOf(text)) }];
  }
  const { entries } = map;
  const last = entries.at(-1);
  const at = last?.value.end ?? map.start + 1;
  const inner = flowText(added, entries.some(({ key }) => hasQuotes(key)) || isJson(text)).slice(1, -1);
  return [{ start: at, end: at, text: last === undefined ? inner : `, ${inner}` }];
}

/** Returns entries of a block map in a column, each line with its line break. */
function blockLines(entries: ValueMap, column: number, lineBreak: string): string {
  return indented(toYaml([entries as KubeObject]), column, lineBreak);
}

/**
 * Removes entries of a map that keeps at least one.
 * @throws Entangled if one of them does not begin its line
 */
export function removeEntries(text: string, { flow, entries }: MapNode, isRemoved: (entry: Entry) => boolean): Edit[] {
  if (flow) {
    const parts = entries.map((entry) => ({ start: entry.key.start, end: entry.value.end }));
    return withoutFlowParts(parts, (index) => isRemoved(entries[index] as Entry));
  }
  return entries.filter(isRemoved).map(({ key, value }) => {
    const start = lineStart(text, key.start);
    if (!/^[ \uFEFF]*$/.test(text.slice(start, key.start))) throw new Entangled('do not stand on lines of their own');
    return { start, end: behindNode(text, value.end, columnOf(text, key.start)), text: '' };
  });
}

/** Removes parts of a flow collection that keeps one, with the comma before them, or after them if none is left. */
export function withoutFlowParts(parts: readonly Range[], isRemoved: (index: number) => boolean): Edit[] {
  let hasKept = false;
  return parts.flatMap(({ start, end }, index) => {
    if (!isRemoved(index)) {
      hasKept = true;
      return [];
    }
    const before = parts[index - 1];
    const behind = parts[index + 1];
    return [hasKept ? { start: before?.end ?? start, end, text: '' } : { start, end: behind?.start ?? end, text: '' }];
  });
}

/**
 * Sets the value of a key without one.
 * @throws Entangled if it cannot be written after the key
 */
export function fillEmpty(text: string, { key, value }: Entry, filled: ValueMap): Edit[] {
  const { start, end } = value;
  if (value.kind !== 'scalar') throw UNUSUAL;
  const written = flowText(filled, hasQuotes(key) || isJson(text));
  if (value.style !== 'empty') return [{ start, end, text: written }];
  if (end <= key.end || !/[:\w>]/.test(text[end - 1] ?? '')) throw UNUSUAL;
  return [{ start: end, end, text: ` ${written}` }];
}

const hasQuotes = ({ style }: ScalarNode): boolean => style === 'double';

const isJson = (text: string): boolean => /^\s*\{\s*"/.test(text);

/**
 * Returns the text of a document with another value, and the comments, order and style of unchanged parts. Returns
 * `undefined` if it cannot be edited, for example because of anchors. The caller reads the result to verify it.
 */
export function textWithValue(text: string, before: ValueMap, after: ValueMap): string | undefined {
  const tree = parseTree(text);
  if (isSyntaxProblem(tree)) return undefined;
  return attempt(() => withEdits(text, mapEdits(text, tree.root, before, after)).join(''), Entangled);
}

function mapEdits(text: string, map: YamlNode, before: ValueMap, after: ValueMap): Edit[] {
  const keys = Object.keys(before);
  const hasCommon = keys.some((key) => Object.hasOwn(after, key));
  if (map.kind !== 'map' || map.entries.length !== keys.length || !hasCommon) throw UNUSUAL;
  const isGone = (entry: Entry): boolean => !isMergeKey(entry) && !Object.hasOwn(after, entry.name);
  const added = Object.entries(after).filter(([key]) => !Object.hasOwn(before, key));
  return [
    ...(map.entries.some(isGone) ? removeEntries(text, map, isGone) : []),
    ...(added.length === 0 ? [] : addEntries(text, map, Object.fromEntries(added))),
    ...map.entries.flatMap((entry) => {
      const old = ownValue(before, entry.name);
      const current = ownValue(after, entry.name);
      if (isMergeKey(entry) || current === undefined || equal(old, current)) return [];
      const edits = attempt(() => valueEdits(text, entry.value, old, current), Entangled);
      return edits ?? wholeEntry(text, map, entry, current);
    }),
  ];
}

function valueEdits(text: string, node: YamlNode, before: Value | undefined, after: Value): Edit[] {
  if (isMap(before) && isMap(after)) return mapEdits(text, node, before, after);
  if (Array.isArray(before) && Array.isArray(after)) return listEdits(text, node, before, after);
  const isLong = [before, after].some((value) => typeof value === 'object' && value !== null);
  const isPlain = node.kind === 'scalar' && node.style !== 'empty' && !isAlias(node) && !isBlockScalar(node);
  if (isLong || !isPlain || (typeof after === 'string' && after.includes('\n'))) throw UNUSUAL;
  const isText = typeof after === 'string' && !isJson(text);
  return [{ start: node.start, end: node.end, text: isText ? yamlScalar(after) : flowText(after, true) }];
}

/** Returns edits of items that keep their index, and of items added or removed at the end. */
function listEdits(text: string, list: YamlNode, before: readonly Value[], after: readonly Value[]): Edit[] {
  const last = list.kind === 'list' ? list.items.at(-1) : undefined;
  if (list.kind !== 'list' || last === undefined || list.items.length !== before.length || after.length === 0)
    throw UNUSUAL;
  const edits = list.items.flatMap(({ value }, index) => {
    const now = after[index];
    return now === undefined || equal(before[index], now) ? [] : valueEdits(text, value, before[index], now);
  });
  if (before.length === after.length) return edits;
  if (list.flow) throw UNUSUAL;
  const column = columnOf(text, last.dash);
  const end = behindNode(text, last.value.end, column);
  const kept = list.items[after.length - 1];
  if (kept !== undefined) return [...edits, { start: behindNode(text, kept.value.end, column), end, text: '' }];
  const lines = itemWriter(column, lineBreakOf(text))(after.slice(before.length));
  return [...edits, { start: end, end, text: lines }];
}

function wholeEntry(text: string, map: MapNode, { name, key, value }: Entry, after: Value): Edit[] {
  if (map.flow) return [{ start: value.start, end: value.end, text: flowText(after, isJson(text)) }];
  const lines = blockLines({ [name]: after }, columnOf(text, key.start), lineBreakOf(text)).trimStart();
  return [{ start: key.start, end: lineAfter(text, value.end), text: lines }];
}
