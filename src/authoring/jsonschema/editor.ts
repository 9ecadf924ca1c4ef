import table from '../../../data/rgd.schema.json';
import type { Limits } from '../../core/model/limits.ts';
import { get, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { boundsOf, sampleInstance, typeName } from '../sample/index.ts';
import { DIALECT, instanceJsonSchema } from './instance.ts';

/** The JSON Schema of RGD files (kro: api/v1alpha1/resourcegraphdefinition_types.go), for editors. */
export const rgdJsonSchema: ValueMap = table;

/**
 * Returns the JSON Schema of the instances of an RGD with additions for editors: `markdownDescription` of each field,
 * and a snippet of an instance (`defaultSnippets`). Validators ignore both.
 */
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

/**
 * Returns the files of `schema --output-dir` by their names: a schema for each kind, one for RGDs, and one for all of them.
 */
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
