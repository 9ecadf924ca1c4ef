import { attempt } from '../../core/model/attempt.ts';
import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';

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

/** Returns the description of a value in Markdown. */
type Describe = (schema: Schema) => string;

/**
 * Converts a schema of Kubernetes to JSON Schema (2020-12) that accepts what an API server accepts: null is absent, a
 * required field with a default may be omitted, and unknown fields are rejected. CEL rules and the keys of
 * `x-kubernetes-list-type: map` cannot be expressed; rules are kept under their own keyword.
 */
function toJsonSchema(schema: Schema, mayBeNull: boolean, describe?: Describe): ValueMap {
  const json: ValueMap = {};
  const nullable = mayBeNull || schema.nullable === true;
  if (schema['x-kubernetes-int-or-string'] === true) json.type = ['integer', 'string', ...(nullable ? ['null'] : [])];
  else if (schema.type !== undefined) json.type = nullable ? [schema.type, 'null'] : schema.type;
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

function addBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema, json: ValueMap): void {
  if (minimum !== undefined) json[exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'] = minimum;
  if (maximum !== undefined) json[exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'] = maximum;
}

function addFields(schema: Schema, json: ValueMap, describe: Describe | undefined): void {
  const { properties, additionalProperties, required } = schema;
  const missing = (required ?? []).filter((name) => properties?.[name]?.default === undefined);
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

/**
 * Reports whether a pattern is valid in JSON Schema, whose regular expressions of JavaScript lack some forms of RE2,
 * such as `(?i)`.
 */
const isPattern = (pattern: string): boolean => attempt(() => new RegExp(pattern, 'u'), SyntaxError) !== undefined;

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Returns the JSON Schema of the instances of an RGD, for editors and for checks without render-rgd; with `describe`
 * each field has a `markdownDescription`.
 */
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

const text: ValueMap = { type: ['string', 'null'] };
const integer: ValueMap = { type: ['integer', 'null'] };
const list: ValueMap = { type: ['array', 'null'] };
const texts: ValueMap = { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } };

/** RFC 1123, as for the names of objects and of namespaces. */
const NAME = '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$';
const NAMESPACE = '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$';
const LABEL_KEY =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';
const LABEL_VALUE = '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$';

/** Returns the schema of ObjectMeta of an instance with a name. */
function metadataSchema(namespaced: boolean): ValueMap {
  const described: ValueMap = namespaced ? { description: 'The namespace of the instance, and of its objects.' } : {};
  return {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 253, pattern: NAME },
      namespace: { ...text, ...described, maxLength: 63, pattern: NAMESPACE },
      labels: {
        type: ['object', 'null'],
        propertyNames: { pattern: LABEL_KEY },
        additionalProperties: { type: ['string', 'null'], maxLength: 63, pattern: LABEL_VALUE },
      },
      annotations: texts,
      generateName: text,
      uid: { ...text, maxLength: 63, pattern: LABEL_VALUE },
      resourceVersion: text,
      generation: integer,
      creationTimestamp: text,
      deletionTimestamp: text,
      deletionGracePeriodSeconds: integer,
      ownerReferences: list,
      finalizers: list,
      managedFields: list,
      selfLink: text,
    },
  };
}
