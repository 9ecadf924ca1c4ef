import objectMeta from '../../../data/instance-metadata.schema.json';
import table from '../../../data/rgd.schema.json';
import { attempt } from '../../core/model/attempt.ts';
import type { Limits } from '../../core/model/limits.ts';
import { get, ownValue, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { boundsOf, sampleInstance, typeName } from '../sample/index.ts';

/** JSON Schemas, for editors and for checks without render-rgd. */

/** Keywords with the same meaning in both. */
const SAME = [
  'description',
  'enum',
  'default',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'uniqueItems',
] as const satisfies readonly (keyof Schema)[];

type Describe = (schema: Schema) => string;

/**
 * Converts a schema of Kubernetes to JSON Schema (2020-12) that accepts what an API server accepts, as far as it can be
 * expressed: null is absent, a required field with a default may be omitted, and unknown fields are rejected.
 */
function toJsonSchema(schema: Schema, mayBeNull: boolean, describe?: Describe): ValueMap {
  const json: ValueMap = {};
  const nullable = mayBeNull || schema.nullable === true;
  addType(schema, nullable, json);
  for (const key of SAME) {
    const value = schema[key] as Value | undefined;
    if (value !== undefined) json[key] = value;
  }
  if (nullable && schema.enum !== undefined) json.enum = [...schema.enum, null];
  addBounds(schema, json);
  if (schema.pattern !== undefined && isPattern(schema.pattern)) json.pattern = schema.pattern;
  if (schema.items !== undefined) json.items = toJsonSchema(schema.items, false, describe);
  if (schema['x-kubernetes-list-type'] === 'set') json.uniqueItems = true;
  addFields(schema, json, describe);
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = schema[key];
    if (parts !== undefined) json[key] = parts.map((part) => toJsonSchema(part, false));
  }
  if (schema.not !== undefined) json.not = toJsonSchema(schema.not, false);
  const rules = schema['x-kubernetes-validations'];
  if (rules !== undefined) json['x-kubernetes-validations'] = rules as unknown as Value;
  if (describe !== undefined) json.markdownDescription = describe(schema);
  return json;
}

function addType(schema: Schema, nullable: boolean, json: ValueMap): void {
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const types = isIntOrString ? ['integer', 'string'] : [schema.type ?? ''].filter((type) => type !== '');
  if (types.length === 0) return;
  if (nullable) types.push('null');
  json.type = types.length === 1 ? (types[0] as string) : types;
}

function addBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema, json: ValueMap): void {
  if (minimum !== undefined) json[exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'] = minimum;
  if (maximum !== undefined) json[exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'] = maximum;
}

function addFields(schema: Schema, json: ValueMap, describe: Describe | undefined): void {
  const { properties, additionalProperties, required } = schema;
  const missing = (required ?? []).filter((name) => ownValue(properties, name)?.default === undefined);
  if (missing.length > 0) json.required = missing;
  if (properties !== undefined) {
    const fields: ValueMap = {};
    for (const [name, field] of Object.entries(properties)) {
      setKey(fields, name, toJsonSchema(field, !missing.includes(name), describe));
    }
    json.properties = fields;
  }
  if (typeof additionalProperties === 'object')
    json.additionalProperties = toJsonSchema(additionalProperties, true, describe);
  else if (additionalProperties !== true && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    if (schema.type === 'object') json.additionalProperties = false;
  }
}

/** Reports whether JavaScript reads a pattern: it lacks some forms of RE2, such as `(?i)`. */
const isPattern = (pattern: string): boolean => attempt(() => new RegExp(pattern, 'u'), SyntaxError) !== undefined;

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Returns the JSON Schema of the instances of an RGD; with `describe` each field has a `markdownDescription`. */
export function instanceJsonSchema(graph: Graph, describe?: Describe): ValueMap {
  const { status: _, metadata: __, apiVersion: ___, kind: ____, ...fields } = graph.schema.properties ?? {};
  const { markdownDescription: _____, ...inner } = toJsonSchema(
    { ...graph.schema, properties: fields },
    false,
    describe,
  );
  return {
    $schema: DIALECT,
    title: graph.kind,
    description: `An instance of the ResourceGraphDefinition ${graph.name}.`,
    ...inner,
    required: ['apiVersion', 'kind', 'metadata'],
    properties: {
      apiVersion: { const: `${graph.group}/${graph.version}` },
      kind: { const: graph.kind },
      metadata: metadataSchema(graph.namespaced),
      ...(inner.properties as ValueMap),
      // Set by a controller.
      status: {},
    },
  };
}

/** Returns the schema of ObjectMeta of an instance with a name; only a namespaced one has a namespace for its objects. */
function metadataSchema(namespaced: boolean): ValueMap {
  if (namespaced) return objectMeta;
  const { description: _, ...namespace } = objectMeta.properties.namespace;
  return { ...objectMeta, properties: { ...objectMeta.properties, namespace } };
}

/** The JSON Schema of RGD files (kro: api/v1alpha1/resourcegraphdefinition_types.go), for editors. */
export const rgdJsonSchema: ValueMap = table;

/** Returns the JSON Schema of instances for editors, with Markdown and a snippet (`defaultSnippets`). */
export function editorJsonSchema(graph: Graph, limits: Limits): ValueMap {
  const { apiVersion, kind, metadata, spec } = sampleInstance(graph, limits, 'minimal').object;
  const body = { apiVersion, kind, metadata, ...(spec === undefined ? {} : { spec }) } as ValueMap;
  const description = `A new instance of the ResourceGraphDefinition ${graph.name}`;
  return {
    ...instanceJsonSchema(graph, descriptionOf),
    defaultSnippets: [{ label: graph.kind, description, body }],
  };
}

/** Describes a field in Markdown: the author's text, the type, the default, the bounds. */
function descriptionOf(schema: Schema): string {
  const fallback = schema.default === undefined ? [] : [`default ${code(toJsonText(schema.default))}`];
  const facts = [`**${typeName(schema)}**`, ...fallback, ...boundsOf(schema).map(code)].join(', ');
  return schema.description === undefined ? facts : `${schema.description}\n\n${facts}`;
}

const code = (text: string): string => `\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\``;

/** Returns the files of `schema --output-dir` by their names: a schema for each kind, one for RGDs, and one for all. */
export function editorSchemas(graphs: readonly Graph[], limits: Limits): ReadonlyMap<string, ValueMap> {
  const kinds = graphs.map((graph) => ({
    file: `${graph.kind.toLowerCase()}.${graph.group}.json`,
    apiVersion: `${graph.group}/${graph.version}`,
    kind: graph.kind,
    schema: editorJsonSchema(graph, limits),
  }));
  const rgd = {
    file: 'rgd.json',
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    schema: rgdJsonSchema,
  };
  const all = [...kinds, rgd];
  const ofKind = all.map(({ file, apiVersion, kind }) => ({
    if: { properties: { apiVersion: { const: apiVersion }, kind: { const: kind } }, required: ['apiVersion', 'kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: file },
  }));
  const snippets = all.flatMap(({ schema }) => get(schema, 'defaultSnippets') ?? []).flat();
  return new Map([
    ...all.map(({ file, schema }) => [file, schema] as const),
    ['all.json', { $schema: DIALECT, allOf: ofKind, defaultSnippets: snippets as Value }],
  ]);
}
