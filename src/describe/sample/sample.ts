import { Collector, format } from '../../core/diagnostics/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { formatPath, isMap, mapItems, ownValue, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import type { Graph } from '../../kro/compile/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { compileRegex, createBudget, matchesWhile } from '../../languages/cel/index.ts';
import { doubleQuoted, toJsonText } from '../../yaml/emit/index.ts';
import { readStreams } from '../../yaml/parse/index.ts';
import { type FieldPath, ITEM, keyOf, optionalOn, unguardedReads } from '../unguarded/index.ts';
import { boundsOf, typeName } from './notes.ts';
import { matchFor } from './pattern.ts';

/** Returns a value that a schema accepts, except for CEL rules: the default, the first choice, or the least. */
export function sampleValue(schema: Schema): Value {
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.enum ?? [];
  if (choice !== undefined) return choice;
  const sample = schema.type === undefined ? undefined : SAMPLES[schema.type];
  return sample?.(schema) ?? (schema['x-kubernetes-int-or-string'] === true ? 1n : {});
}

const SAMPLES: Readonly<Record<string, (schema: Schema) => Value>> = {
  boolean: () => false,
  integer: sampleInteger,
  number: (schema) => Number(sampleInteger(schema)),
  array: sampleList,
  object: sampleMap,
  string: sampleText,
};

function sampleInteger({ minimum, maximum }: Schema): bigint {
  const least = minimum === undefined ? undefined : BigInt(Math.ceil(Number(minimum)));
  const most = maximum === undefined ? undefined : BigInt(Math.floor(Number(maximum)));
  if (least !== undefined && least > 1n) return least;
  return most !== undefined && most < 1n ? most : 1n;
}

/** The maximum number of items, entries or letters: a sample that needs more reports that it is not valid yet. */
const MOST_ITEMS = 100;
const MOST_LETTERS = 1000;

/** Returns one item if allowed, to show its form. */
function sampleList({ items, minItems, maxItems, uniqueItems, ...rest }: Schema): Value[] {
  const wanted = Math.min(Number(minItems ?? 1n), MOST_ITEMS);
  const length = Math.min(Math.max(wanted, 1), Number(maxItems ?? 1000n));
  const isSet = uniqueItems === true || rest['x-kubernetes-list-type'] !== undefined;
  return Array.from({ length }, (_, index) => {
    const item = sampleValue(items ?? {});
    return isSet && index > 0 ? varied(item, index, items ?? {}) : item;
  });
}

export function varied(value: Value, index: number, schema: Schema): Value {
  if (typeof value === 'bigint') return value + BigInt(index);
  if (typeof value === 'string') return schema.enum?.[index] ?? `${value}-${index + 1}`;
  if (!isMap(value)) return value;
  return mapItems(value, (item, key) => varied(item, index, ownValue(schema.properties, String(key)) ?? {}));
}

/** Returns the required fields; of a map with any keys, one entry if it must have some. */
function sampleMap({ properties, required, additionalProperties, minProperties }: Schema): ValueMap {
  const map: ValueMap = {};
  for (const name of required ?? []) setKey(map, name, sampleValue(ownValue(properties, name) ?? {}));
  if (typeof additionalProperties === 'object') {
    for (let index = 0; index < Math.min(Number(minProperties ?? 0n), MOST_ITEMS); index += 1) {
      setKey(map, `key${index + 1}`, sampleValue(additionalProperties));
    }
  }
  return map;
}

function sampleText({ pattern, minLength, maxLength }: Schema): string {
  const least = Math.min(Number(minLength ?? 0n), MOST_LETTERS);
  const most = Number(maxLength ?? 1000n);
  if (pattern !== undefined) {
    const fits = (text: string): boolean =>
      [...text].length >= least && [...text].length <= most && matchesCheaply(pattern, text);
    const match = ['example', 'a', '1', '', ...matchFor(pattern, least)].find(fits);
    if (match !== undefined) return match;
  }
  return 'example'.slice(0, most).padEnd(least, 'x');
}

const SAMPLE_STEPS = 20_000;

function matchesCheaply(pattern: string, text: string): boolean {
  let left = SAMPLE_STEPS;
  const spend = (steps: number): boolean => {
    left -= steps;
    return left >= 0;
  };
  return matchesWhile(compileRegex(pattern), text, spend) ?? false;
}

/** A sample instance, and why it is not valid yet: CEL rules may need a person. */
export interface Sample {
  object: KubeObject;
  text: string;
  faults: string[];
}

/** How a sample shows optional fields: as comments, not at all, or written out. */
export type Extent = 'commented' | 'minimal' | 'all';

/** Returns an instance with the fields that are required or read without a guard, and other fields as comments. */
export function sampleInstance(graph: Graph, limits: Limits, extent: Extent = 'commented'): Sample {
  const layout = layoutOf(graph, extent);
  const head = [
    `## ${graph.kind}, which the ResourceGraphDefinition ${graph.name} defines.`,
    ...(extent === 'commented'
      ? ['## Fields behind "# " are optional. Their value is the default, or an example.']
      : []),
    `apiVersion: ${graph.group}/${graph.version}`,
    `kind: ${graph.kind}`,
    'metadata:',
    '  name: example',
    ...(graph.namespaced ? ['  namespace: default'] : []),
  ];
  const fields = fieldLines(graph.schema.properties?.spec ?? {}, [], 1, layout);
  const text = visible(`${[...head, ...(fields.length === 0 ? ['spec: {}'] : ['spec:', ...fields])].join('\n')}\n`);
  const reports = new Collector();
  const [first] = readStreams([{ file: 'sample', text }], reports);
  if (first === undefined) throw new Error(`a sample that cannot be read: ${reports.all[0]?.message}`);
  const object = first.object as KubeObject;
  const { problems } = graph.admission.admit(object, createBudget(limits));
  const faults = problems.map(({ path, message }) => `${formatPath(path)}: ${format(message)}`);
  return { object, text, faults };
}

interface Layout {
  /** The optional fields without a default that expressions read, and their parents, by `keyOf`. */
  read: ReadonlySet<string>;
  /** The keys of maps that expressions name, by `keyOf`; of objects the names of their fields. */
  keys: ReadonlyMap<string, ReadonlySet<string>>;
  /** The values for names with an empty default, by `keyOf`. */
  names: ReadonlyMap<string, string>;
  extent: Extent;
}

function layoutOf(graph: Graph, extent: Extent): Layout {
  const read = new Set<string>();
  const keys = new Map<string, Set<string>>();
  const names = new Map<string, string>();
  const addRead = (path: FieldPath): void => path.forEach((_, index) => void read.add(keyOf(path.slice(0, index + 1))));
  for (const { path, expression } of unguardedReads(graph)) {
    for (const field of optionalOn(graph, path)) addRead(field);
    for (const [index, name] of path.entries()) {
      const above = keyOf(path.slice(0, index));
      if (name !== ITEM) keys.set(above, (keys.get(above) ?? new Set()).add(name));
    }
    // A field that is the whole name or namespace of an object, and empty by default, does not render.
    const [metadata, field] = expression.path.slice(-2);
    const isName = expression.parsed.root.kind === 'select' && metadata === 'metadata';
    if (!isName || (field !== 'name' && field !== 'namespace') || schemaAt(graph, path)?.default !== '') continue;
    names.set(keyOf(path), field === 'name' ? 'example' : 'default');
    addRead(path);
  }
  return { read, keys, names, extent };
}

const schemaAt = (graph: Graph, path: FieldPath): Schema | undefined =>
  path.reduce<Schema | undefined>((schema, name) => ownValue(schema?.properties, name), graph.schema.properties?.spec);

/** Returns the lines of the fields of an object, with their notes; optional ones as the layout defines. */
function fieldLines(schema: Schema, path: FieldPath, depth: number, layout: Layout): string[] {
  const active = activeFields(schema, path, layout);
  const indentation = '  '.repeat(depth);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isActive = active.has(name) || layout.extent === 'all';
    if (!isActive && layout.extent === 'minimal') return [];
    const isNeeded = schema.required?.includes(name) === true && field.default === undefined;
    const notes = notesOf(field, isNeeded).map((note) => `${indentation}## ${note}`);
    const lines = `${indentation}${keyText(name)}:${valueText(field, [...path, name], depth, layout)}`.split('\n');
    return [...notes, ...(isActive ? lines : lines.map((line) => commentedOut(line, indentation)))];
  });
}

/** Returns fields that are required or read; or else one field, because without any the object would be null. */
function activeFields(schema: Schema, path: FieldPath, { read }: Layout): ReadonlySet<string> {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  // Rules of an object may read any of its fields.
  if (schema['x-kubernetes-validations'] !== undefined) return new Set(names);
  const needed = required.filter((name) => ownValue(properties, name)?.default === undefined);
  const active = new Set([...needed, ...names.filter((name) => read.has(keyOf([...path, name])))]);
  if (active.size > 0) return active;
  const first = names.find((name) => properties[name]?.default !== undefined) ?? names[0] ?? '';
  return new Set([first]);
}

/** Comments out a line; removing the marks uncomments nested fields too. */
const commentedOut = (line: string, indentation: string): string =>
  /^ *##? /.test(line) ? line : `${indentation}# ${line.slice(indentation.length)}`;

function notesOf(field: Schema, isNeeded: boolean): string[] {
  const described = (field.description ?? '').split('\n').filter((line) => line.trim() !== '');
  const facts = [
    typeName(field),
    ...(isNeeded ? ['required'] : []),
    ...(field.default === undefined ? [] : [`default ${toJsonText(field.default)}`]),
    ...boundsOf(field),
  ];
  return [...described, facts.join(', ')].map((line) => line.replace(/[\r\n]+/g, ' '));
}

/** Returns the text after the colon: a value on the same line, or fields on separate lines. */
function valueText(field: Schema, path: FieldPath, depth: number, layout: Layout): string {
  const { items, additionalProperties } = field;
  const known = layout.names.get(keyOf(path)) ?? (isNetwork(field, path) ? '10.0.0.0/16' : undefined);
  if (known !== undefined) return ` ${flowText(known)}`;
  const indentation = '  '.repeat(depth + 1);
  if (hasFields(field)) return `\n${fieldLines(field, path, depth + 1, layout).join('\n')}`;
  const isEmpty = field.default !== undefined || (field.maxItems !== undefined && field.maxItems < 1n);
  if (isEmpty) return ` ${flowText(sampleValue(field))}`;
  if (field.type === 'array' && items !== undefined && hasFields(items) && (field.minItems ?? 0n) <= 1n) {
    return `\n${indentation}-\n${fieldLines(items, [...path, ITEM], depth + 2, layout).join('\n')}`;
  }
  if (typeof additionalProperties !== 'object') return ` ${flowText(sampleValue(field))}`;
  const names = layout.keys.get(keyOf(path));
  if (!hasFields(additionalProperties)) {
    const value = names === undefined ? sampleValue(field) : mapWith(field, [...names]);
    return ` ${flowText(value)}`;
  }
  const entries = [...(names ?? ['key'])].map((name) => {
    const at = [...path, names === undefined ? ITEM : name];
    const lines = fieldLines(additionalProperties, at, depth + 2, layout).join('\n');
    return `\n${indentation}${keyText(name)}:\n${lines}`;
  });
  return entries.join('');
}

function mapWith(field: Schema, names: readonly string[]): Value {
  const { additionalProperties } = field;
  const map: ValueMap = { ...(sampleValue(field) as ValueMap) };
  const value = sampleValue(typeof additionalProperties === 'object' ? additionalProperties : {});
  for (const name of names) if (!Object.hasOwn(map, name)) setKey(map, name, value);
  return map;
}

/** Reports whether a text is a network without a format: expressions parse it. */
const isNetwork = (field: Schema, path: FieldPath): boolean =>
  /cidr/i.test(path.at(-1) ?? '') &&
  field.type === 'string' &&
  [field.default, field.enum, field.pattern].every((one) => one === undefined);

const hasFields = ({ properties }: Schema): boolean => properties !== undefined && Object.keys(properties).length > 0;

/** Returns a value on one line, with quoted strings. */
function flowText(value: Value): string {
  if (typeof value === 'string') return doubleQuoted(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (!isMap(value)) return toJsonText(value);
  const entries = Object.keys(value).map((key) => `${keyText(key)}: ${flowText(value[key] as Value)}`);
  return `{${entries.join(', ')}}`;
}

const keyText = (key: string): string =>
  /^[A-Za-z_][\w-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key) ? key : doubleQuoted(key);
