import { createBudget } from '../cel/index.ts';
import { Collector } from '../diagnostics/index.ts';
import { doubleQuoted, toJsonText } from '../emit/index.ts';
import type { Limits } from '../model/limits.ts';
import type { KubeObject } from '../model/object.ts';
import { formatPath } from '../model/path.ts';
import { isMap, type Value } from '../model/value.ts';
import { readStreams } from '../parse/index.ts';
import type { Graph } from '../rgd/compile/index.ts';
import type { Schema } from '../schema/index.ts';
import { visible } from '../text/visible.ts';
import { boundsOf, typeName } from './notes.ts';
import { sampleValue } from './value.ts';

/** A sample instance, and why it is not valid yet if it is not: rules in CEL cannot be followed without a person. */
export interface Sample {
  object: KubeObject;
  /** YAML with comments: `##` tells about a field, and a line behind `# ` is a field that may be left out. */
  text: string;
  faults: readonly string[];
}

/** An instance of an RGD with every field that there is; what may be left out is commented out. */
export function sampleInstance(graph: Graph, limits: Limits): Sample {
  const head = [
    `## ${graph.kind}, which the ResourceGraphDefinition ${graph.name} defines.`,
    '## Fields behind "# " may be left out; what stands there is the default, or an example.',
    `apiVersion: ${graph.group}/${graph.version}`,
    `kind: ${graph.kind}`,
    'metadata:',
    '  name: example',
    ...(graph.namespaced ? ['  namespace: default'] : []),
  ];
  const fields = fieldLines(graph.schema.properties?.spec ?? {}, 1);
  const text = visible(`${[...head, ...(fields.length === 0 ? ['spec: {}'] : ['spec:', ...fields])].join('\n')}\n`);
  const reports = new Collector();
  const [read] = readStreams([{ file: 'sample', text }], reports);
  if (read === undefined) throw new Error(`a sample that cannot be read: ${reports.all[0]?.message}`);
  const object = read.object as KubeObject;
  const { problems } = graph.admission.admit(object, createBudget(limits));
  const faults = problems.map(({ path, message }) => `${formatPath(path)}: ${message}`);
  return { object, text, faults };
}

/** The fields of an object, each with what there is to know about it; those that may be left out are commented out. */
function fieldLines(schema: Schema, depth: number): string[] {
  const active = activeFields(schema);
  const indentation = '  '.repeat(depth);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isNeeded = schema.required?.includes(name) === true && field.default === undefined;
    const notes = notesOf(field, isNeeded).map((note) => `${indentation}## ${note}`);
    const lines = `${indentation}${keyText(name)}:${valueText(field, depth)}`.split('\n');
    return [...notes, ...(active.includes(name) ? lines : lines.map((line) => commentedOut(line, indentation)))];
  });
}

/** What must be there, or else one field: with none, the object would be null. */
function activeFields({ properties = {}, required = [], ...rest }: Schema): string[] {
  // Rules of an object may read any of its fields.
  if (rest['x-kubernetes-validations'] !== undefined) return Object.keys(properties);
  const needed = required.filter((name) => properties[name]?.default === undefined);
  if (needed.length > 0) return needed;
  const names = Object.keys(properties);
  const [first = ''] = [...names.filter((name) => properties[name]?.default !== undefined), ...names];
  return [first];
}

const commentedOut = (line: string, indentation: string): string => `${indentation}# ${line.slice(indentation.length)}`;

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

/** What stands behind the colon: a value on the same line, or fields on lines of their own. */
function valueText(field: Schema, depth: number): string {
  const { items, additionalProperties } = field;
  const indentation = '  '.repeat(depth + 1);
  if (hasFields(field)) return `\n${fieldLines(field, depth + 1).join('\n')}`;
  const isEmpty = field.default !== undefined || (field.maxItems !== undefined && field.maxItems < 1n);
  if (isEmpty) return ` ${flowText(sampleValue(field))}`;
  if (field.type === 'array' && items !== undefined && hasFields(items) && (field.minItems ?? 0n) <= 1n) {
    return `\n${indentation}-\n${fieldLines(items, depth + 2).join('\n')}`;
  }
  if (typeof additionalProperties === 'object' && hasFields(additionalProperties)) {
    return `\n${indentation}key:\n${fieldLines(additionalProperties, depth + 2).join('\n')}`;
  }
  return ` ${flowText(sampleValue(field))}`;
}

const hasFields = ({ properties }: Schema): boolean => properties !== undefined && Object.keys(properties).length > 0;

/** A value on one line, every text in quotes: no reader takes it for anything else. */
function flowText(value: Value): string {
  if (typeof value === 'string') return doubleQuoted(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (!isMap(value)) return toJsonText(value);
  const entries = Object.keys(value).map((key) => `${keyText(key)}: ${flowText(value[key] as Value)}`);
  return `{${entries.join(', ')}}`;
}

const keyText = (key: string): string =>
  /^[A-Za-z_][\w-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key) ? key : doubleQuoted(key);
