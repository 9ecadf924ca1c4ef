import type { KubeObject } from '../model/object.ts';
import { isMap, setKey, type Value, type ValueMap } from '../model/value.ts';
import { yamlNumber } from './number.ts';
import { blockText, fitsBlock, scalarText } from './scalar.ts';

const OBJECT_KEYS = ['apiVersion', 'kind', 'metadata'];
const METADATA_KEYS = ['name', 'namespace', 'labels', 'annotations'];
/** YAML readers look for the `:` of a simple key this far at most; longer keys need a `?`. */
const MAX_SIMPLE_KEY = 1000;
const MAX_REMEMBERED = 10_000;

/** Objects as YAML documents in block style; see `yamlChunks`. */
export function toYaml(objects: readonly KubeObject[]): string {
  let text = '';
  for (const chunk of yamlChunks(objects)) text += chunk;
  return text;
}

/** One piece of text for each object, the separators included. Identity comes first, everything else in its order. */
export function* yamlChunks(objects: Iterable<KubeObject>): Generator<string> {
  const known = new Map<string, string>();
  let separator = '';
  for (const object of objects) {
    const writer: Writer = { known, text: '', endsInBlock: false };
    writeObject(writer, object);
    yield `${separator}${writer.text.slice(1)}\n`;
    // Readers that split streams at "\n---" (kustomize, Helm) take the line break before it from a block scalar.
    separator = writer.endsInBlock ? '\n---\n' : '---\n';
  }
}

interface Writer {
  /** What strings were written as: the same names, labels and images come back again and again. */
  known: Map<string, string>;
  text: string;
  /** Whether the last thing written is a block scalar that keeps its last line break. */
  endsInBlock: boolean;
}

function writeObject(writer: Writer, object: KubeObject): void {
  for (const key of keysFirst(object, OBJECT_KEYS)) {
    const value = object[key] as Value;
    const ordered = key === 'metadata' && isMap(value) ? pick(value, keysFirst(value, METADATA_KEYS)) : value;
    writeEntry(writer, key, ordered, '\n', '\n');
  }
}

const keysFirst = (map: ValueMap, first: readonly string[]): string[] => [
  ...first.filter((key) => Object.hasOwn(map, key)),
  ...Object.keys(map).filter((key) => !first.includes(key)),
];

function pick(map: ValueMap, keys: readonly string[]): ValueMap {
  const picked: ValueMap = {};
  for (const key of keys) setKey(picked, key, map[key] as Value);
  return picked;
}

/** Writes `KEY: VALUE` behind `lead`; `lineBreak` is a break with the indentation of the map. */
function writeEntry(writer: Writer, key: string, value: Value, lineBreak: string, lead: string): void {
  const keyText = remembered(writer, key);
  writer.text += keyText.length > MAX_SIMPLE_KEY ? `${lead}? ${keyText}${lineBreak}:` : `${lead}${keyText}:`;
  if (isMap(value)) writeMap(writer, value, `${lineBreak}  `, `${lineBreak}  `);
  // As kubectl writes it, a list stands under its key without further indentation.
  else if (Array.isArray(value)) writeList(writer, value, lineBreak, lineBreak);
  else writeScalar(writer, value, lineBreak);
}

function writeMap(writer: Writer, map: ValueMap, lineBreak: string, firstLead: string): void {
  let lead = firstLead;
  for (const key of Object.keys(map)) {
    writeEntry(writer, key, map[key] as Value, lineBreak, lead);
    lead = lineBreak;
  }
  if (Object.keys(map).length === 0) write(writer, ' {}');
}

function writeList(writer: Writer, list: readonly Value[], lineBreak: string, firstLead: string): void {
  let lead = firstLead;
  for (const item of list) {
    writer.text += `${lead}-`;
    if (isMap(item)) writeMap(writer, item, `${lineBreak}  `, ' ');
    else if (Array.isArray(item)) writeList(writer, item, `${lineBreak}  `, ' ');
    else writeScalar(writer, item, lineBreak);
    lead = lineBreak;
  }
  if (list.length === 0) write(writer, ' []');
}

function writeScalar(writer: Writer, value: null | boolean | bigint | number | string, lineBreak: string): void {
  if (typeof value === 'number') write(writer, ` ${yamlNumber(value)}`);
  else if (typeof value !== 'string') write(writer, ` ${value}`);
  else if (value.includes('\n') && fitsBlock(value)) {
    writer.text += ` ${blockText(value, `${lineBreak.slice(1)}  `)}`;
    writer.endsInBlock = value.endsWith('\n');
  } else write(writer, ` ${remembered(writer, value)}`);
}

function write(writer: Writer, text: string): void {
  writer.text += text;
  writer.endsInBlock = false;
}

function remembered(writer: Writer, text: string): string {
  let written = writer.known.get(text);
  if (written !== undefined) return written;
  written = scalarText(text);
  if (writer.known.size >= MAX_REMEMBERED) writer.known.clear();
  writer.known.set(text, written);
  return written;
}
