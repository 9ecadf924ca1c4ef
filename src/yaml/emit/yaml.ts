import type { KubeObject } from '../../core/model/object.ts';
import { isMap, ownValue, type Value, type ValueMap } from '../../core/model/value.ts';
import { yamlNumber } from './json.ts';
import { blockText, fitsBlock, yamlScalar } from './scalar.ts';

const OBJECT_KEYS = ['apiVersion', 'kind', 'metadata'];
const METADATA_KEYS = ['name', 'namespace', 'labels', 'annotations'];
/** YAML readers search the `:` of a simple key up to this length; longer keys need a `?`. */
const MAX_SIMPLE_KEY = 1000;
/** The maximum number of cached texts, of keys at usual depths and of short strings. */
const MAX_REMEMBERED = 10_000;
const USUAL_DEPTH = 32;
const SHORT = 100;
const PIECE = 16_384;

/** Returns objects as YAML documents in block style; see `writeYaml`. */
export function toYaml(objects: Iterable<KubeObject>): string {
  let text = '';
  writeYaml(objects, (piece) => {
    text += piece;
  });
  return text;
}

/**
 * Writes documents in pieces of moderate size, so that a caller who encodes them never has all of the text twice.
 * apiVersion, kind and metadata come first; other fields keep their order.
 */
export function writeYaml(objects: Iterable<KubeObject>, take: (piece: string) => void): void {
  const writer = new Writer(take);
  let separator = '';
  for (const object of objects) {
    writer.object(object, separator);
    // Readers that split streams at "\n---" (kustomize, Helm) would take the line break before it from a block scalar.
    separator = writer.endsInBlock ? '\n---\n' : '---\n';
  }
  writer.handOver(1);
}

/** Returns a writer of single documents, with the cache of `writeYaml`. */
export const documentWriter = (): ((object: KubeObject) => string) =>
  textWriter((writer, object: KubeObject) => writer.object(object, ''));

/** Returns a writer of items of a block list with dashes in a column, as lines. Fields keep their order. */
export function itemWriter(column: number, lineBreak = '\n'): (items: readonly Value[]) => string {
  const textOf = textWriter((writer, items: readonly Value[]) => writer.list(items, 0, ''));
  return (items) => (items.length === 0 ? '' : `${indented(textOf(items), column, lineBreak)}${lineBreak}`);
}

export function indented(text: string, column: number, lineBreak: string): string {
  const lines = column === 0 ? text : text.replace(/^(?=[^\n])/gm, ' '.repeat(column));
  return lineBreak === '\n' ? lines : lines.replaceAll('\n', lineBreak);
}

function textWriter<T>(write: (writer: Writer, value: T) => void): (value: T) => string {
  let text = '';
  const writer = new Writer((piece) => {
    text += piece;
  });
  return (value) => {
    text = '';
    write(writer, value);
    writer.handOver(1);
    return text;
  };
}

class Writer {
  /** Whether the last value is a block scalar that keeps its last line break. */
  endsInBlock = false;
  private text = '';
  /** The cached text of strings on one line, with the space before: the same names, labels and images are frequent. */
  private readonly known = new Map<string, string>();
  /** The start of an entry by depth and key: a line break, the indentation, `KEY:`. */
  private readonly starts: Map<string, string>[] = [];

  constructor(private readonly take: (piece: string) => void) {}

  handOver(length: number): void {
    if (this.text.length < length) return;
    this.take(this.text);
    this.text = '';
  }

  object(object: KubeObject, firstLead: string): void {
    let lead: string | undefined = firstLead;
    for (const key of keysFirst(object, OBJECT_KEYS)) {
      const value = object[key] as Value;
      if (key === 'metadata' && isMap(value)) {
        this.start(key, 0, lead);
        this.entries(value, keysFirst(value, METADATA_KEYS), 1, undefined);
      } else this.entry(key, value, 0, lead);
      lead = undefined;
    }
    this.text += '\n';
    this.handOver(PIECE);
  }

  /** Writes `KEY: VALUE` after `lead`, or on its own line. */
  private entry(key: string, value: Value, depth: number, lead: string | undefined): void {
    this.start(key, depth, lead);
    if (isMap(value)) this.entries(value, Object.keys(value), depth + 1, undefined);
    // As in kubectl, a list is not indented under its key.
    else if (Array.isArray(value)) this.list(value, depth, undefined);
    else this.scalar(value, depth);
  }

  private start(key: string, depth: number, lead: string | undefined): void {
    const start = this.startOf(key, depth);
    this.text += lead === undefined ? start : lead + start.slice(1 + depth * 2);
  }

  private startOf(key: string, depth: number): string {
    if (depth >= USUAL_DEPTH || key.length > SHORT) return makeStart(key, depth);
    this.starts[depth] ??= new Map();
    const starts = this.starts[depth] as Map<string, string>;
    return starts.get(key) ?? remember(starts, key, makeStart(key, depth));
  }

  private entries(map: ValueMap, keys: readonly string[], depth: number, firstLead: string | undefined): void {
    let lead = firstLead;
    for (const key of keys) {
      this.entry(key, ownValue(map, key) as Value, depth, lead);
      lead = undefined;
    }
    if (keys.length === 0) this.write(' {}');
  }

  list(list: readonly Value[], depth: number, firstLead: string | undefined): void {
    const start = `${breakAt(depth)}-`;
    let lead = firstLead === undefined ? start : `${firstLead}-`;
    for (const item of list) {
      this.handOver(PIECE);
      this.text += lead;
      if (isMap(item)) this.entries(item, Object.keys(item), depth + 1, ' ');
      else if (Array.isArray(item)) this.list(item, depth + 1, ' ');
      else this.scalar(item, depth);
      lead = start;
    }
    if (list.length === 0) this.write(' []');
  }

  private scalar(value: null | boolean | bigint | number | string, depth: number): void {
    const known = typeof value === 'string' ? this.known.get(value) : undefined;
    if (known !== undefined) this.write(known);
    else if (typeof value === 'number') this.write(` ${yamlNumber(value)}`);
    else if (typeof value !== 'string') this.write(` ${value}`);
    else if (value.includes('\n') && fitsBlock(value)) {
      this.text += ` ${blockText(value, '  '.repeat(depth + 1))}`;
      this.endsInBlock = value.endsWith('\n');
    } else {
      const written = ` ${yamlScalar(value)}`;
      this.write(value.length > SHORT ? written : remember(this.known, value, written));
    }
  }

  private write(text: string): void {
    this.text += text;
    this.endsInBlock = false;
  }
}

function keysFirst(map: ValueMap, first: readonly string[]): string[] {
  const keys = first.filter((key) => Object.hasOwn(map, key));
  for (const key of Object.keys(map)) if (!first.includes(key)) keys.push(key);
  return keys;
}

function makeStart(key: string, depth: number): string {
  const lineBreak = breakAt(depth);
  const text = yamlScalar(key);
  return text.length > MAX_SIMPLE_KEY ? `${lineBreak}? ${text}${lineBreak}:` : `${lineBreak}${text}:`;
}

function remember(memory: Map<string, string>, text: string, written: string): string {
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(text, written);
  return written;
}

const breakAt = (depth: number): string => `\n${'  '.repeat(depth)}`;
