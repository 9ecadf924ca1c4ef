import { MAX_VALUE_DEPTH } from '../../core/model/limits.ts';
import { closingQuote } from '../../core/text/documents.ts';
import { keyText, match } from './scalar.ts';
import { type Entry, emptyNode, type ScalarNode, type SyntaxTree, scalarNode, type YamlNode } from './tree.ts';

/** What follows a bracket, a comma or a key: spaces, line breaks and comments. */
const BLANKS = /(?:[ \t\r\n]+(?:#[^\r\n]*)?|(?<=[\r\n])#[^\r\n]*)*/y;
const PROPERTIES = /(?:[&!][^\s,[\]{}]*[ \t]*)*/y;

/** Returns the tree of a JSON document that begins at an offset; `parseTree` rejects some tabs and long keys. */
export const readJsonTree = (text: string, start: number): SyntaxTree => ({
  root: readFlow(text, start + match(BLANKS, text, start).length, text.length),
  aliases: [],
  hasTags: false,
});

/** Reads a collection in brackets up to its end, or to `limit` if it is not closed. */
export function readFlow(text: string, start: number, limit: number, depth = 0): YamlNode {
  const isMap = text[start] === '{';
  const close = isMap ? '}' : ']';
  const entries: Entry[] = [];
  const values: YamlNode[] = [];
  let at = start + 1;
  const done = (end: number): YamlNode =>
    isMap
      ? { kind: 'map', start, end, flow: true, entries }
      : { kind: 'list', start, end, flow: true, items: values.map((value) => ({ dash: value.start, value })) };
  for (;;) {
    at += match(BLANKS, text, at).length;
    if (at >= limit) return done(limit);
    const char = text[at] as string;
    if (char === close) return done(at + 1);
    if (char === ',' || char === '?') at += 1;
    else if (char === ']' || char === '}') return done(at);
    else {
      const before = at;
      at = isMap ? readEntry(text, at, limit, depth, entries) : readItem(text, at, limit, depth, values);
      if (at <= before) at = before + 1;
    }
  }
}

function readEntry(text: string, start: number, limit: number, depth: number, entries: Entry[]): number {
  const key = readFlowNode(text, start, limit, depth);
  let at = key.end + match(BLANKS, text, key.end).length;
  const isKey = key.kind === 'scalar';
  if (text[at] !== ':' || at >= limit) {
    if (isKey) entries.push({ key, name: keyText(text, key), complete: false, value: emptyNode(key.end) });
    return key.end;
  }
  const colon = at;
  at = colon + 1 + match(BLANKS, text, colon + 1).length;
  const isEmpty = at >= limit || ',}]'.includes(text[at] as string);
  const value = isEmpty ? emptyNode(colon + 1) : readFlowNode(text, at, limit, depth);
  if (isKey) entries.push({ key, name: keyText(text, key), complete: true, value });
  return Math.max(value.end, colon + 1);
}

/** Reads an item, which may be a map of one entry without braces. */
function readItem(text: string, start: number, limit: number, depth: number, values: YamlNode[]): number {
  const value = readFlowNode(text, start, limit, depth);
  values.push(value);
  const at = value.end + match(BLANKS, text, value.end).length;
  return text[at] === ':' ? at + 1 : value.end;
}

function readFlowNode(text: string, from: number, limit: number, depth: number): YamlNode {
  const start = from + match(PROPERTIES, text, from).length;
  const char = text[start] ?? '';
  if (char === '{' || char === '[') {
    return depth > MAX_VALUE_DEPTH ? scalarNode('plain', start, start + 1) : readFlow(text, start, limit, depth + 1);
  }
  if (char === '"' || char === "'") return readQuoted(text, start, limit);
  const end = plainEnd(text, start, limit);
  return end === start ? emptyNode(start) : scalarNode(char === '*' ? 'alias' : 'plain', start, end);
}

/** Reads a quoted scalar; without the final quote it ends with its line. */
export function readQuoted(text: string, start: number, limit: number): ScalarNode {
  const style = text[start] === '"' ? 'double' : 'single';
  const close = closingQuote(text, start, limit);
  if (close >= 0) return scalarNode(style, start, close + 1, 1);
  const line = text.slice(start, limit).search(/[\r\n]/);
  const end = line < 0 ? limit : start + line;
  return { ...scalarNode(style, start, end, 1), innerEnd: end, unclosed: true };
}

/** An expression in brackets without quotes is invalid YAML, but users type it. */
function plainEnd(text: string, start: number, limit: number): number {
  let at = start;
  let braces = 0;
  for (; at < limit; at += 1) {
    const char = text[at] as string;
    if (char === '\n' || char === '\r') break;
    if (text.startsWith('${', at)) {
      braces += 1;
      at += 1;
    } else if (braces > 0) {
      if (char === '{') braces += 1;
      if (char === '}') braces -= 1;
    } else if (',[]{}'.includes(char)) break;
    else if (char === ':' && /[ \t\r\n,[\]{}]|^$/.test(text[at + 1] ?? '')) break;
    else if (char === '#' && /[ \t]/.test(text[at - 1] ?? '')) break;
  }
  while (at > start && /[ \t]/.test(text[at - 1] as string)) at -= 1;
  return at;
}
