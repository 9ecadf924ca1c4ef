import { get, isMap, type Path, type Value } from '../../core/model/value.ts';
import type { Schema, ValidationRule } from './schema.ts';

export interface ConvertContext {
  /** Called with each keyword whose value has the wrong type; the keyword is ignored. */
  report?(path: Path, message: string): void;
  /** Resolves a `$ref`; without it, or if it returns `undefined`, the schema has no type and accepts anything. */
  resolve?(ref: string): Schema | undefined;
  /** Schemas by their source: a type that is used many times is read once. */
  known?: Map<Value, Schema>;
}

/** Converts an OpenAPI schema in JSON. Keywords that {@link Schema} does not have are ignored. */
export function toSchema(value: Value, context: ConvertContext = {}, path: Path = []): Schema {
  const ref = referenceOf(value);
  if (ref !== undefined) {
    const found = context.resolve?.(ref);
    if (found === undefined) context.report?.([...path, '$ref'], `the reference '${ref}' cannot be followed`);
    return found ?? {};
  }
  const known = isMap(value) ? context.known : undefined;
  const before = known?.get(value);
  if (before !== undefined) return before;
  const schema: Schema = {};
  fillSchema(schema, value, context, path);
  known?.set(value, schema);
  return schema;
}

/** Does the same as {@link toSchema} for an object that others already refer to, which allows cyclic schemas. */
export function fillSchema(schema: Schema, value: Value, context: ConvertContext = {}, path: Path = []): void {
  if (!isMap(value)) {
    context.report?.(path, 'a schema must be a map');
    return;
  }
  for (const key of Object.keys(value)) {
    const read = Object.hasOwn(keywords, key) ? keywords[key as keyof Schema] : undefined;
    const keyword = value[key];
    if (read === undefined || keyword === undefined || keyword === null) continue;
    const result = read(keyword, context, [...path, key]);
    if (result !== undefined) Object.assign(schema, { [key]: result });
  }
  // Built-in types are marked by the format only (k8s.io/apimachinery intstr, OpenAPISchemaFormat).
  if (schema.format === 'int-or-string') schema['x-kubernetes-int-or-string'] = true;
}

/**
 * A reference replaces the whole schema: its siblings are documentation, and Kubernetes wraps it in `allOf` to allow
 * siblings (k8s.io/apiserver/pkg/cel/openapi/resolver PopulateRefs).
 */
function referenceOf(value: Value): string | undefined {
  const ref = get(value, '$ref');
  if (typeof ref === 'string') return ref;
  const allOf = get(value, 'allOf');
  return Array.isArray(allOf) ? allOf.map(referenceOf).find((found) => found !== undefined) : undefined;
}

type KeywordReader<T> = (value: Value, context: ConvertContext, path: Path) => T | undefined;

const typed =
  <T extends Value>(wanted: string, is: (value: Value) => value is T): KeywordReader<T> =>
  (value, context, path) =>
    is(value) ? value : wrong(wanted, context, path);

const text = typed('a string', (value) => typeof value === 'string');
const flag = typed('a boolean', (value) => typeof value === 'boolean');
const amount = typed('a number', (value) => typeof value === 'bigint' || typeof value === 'number');

const count: KeywordReader<bigint> = (value, context, path) => {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : wrong('an integer', context, path);
};

const anything: KeywordReader<Value> = (value) => value;

const listOf =
  <T>(read: KeywordReader<T>): KeywordReader<T[]> =>
  (value, context, path) => {
    if (!Array.isArray(value)) return wrong('a list', context, path);
    return value.flatMap((item, index) => {
      const result = read(item, context, [...path, index]);
      return result === undefined ? [] : [result];
    });
  };

const oneOf =
  <T extends string>(...known: readonly T[]): KeywordReader<T> =>
  (value, context, path) =>
    known.find((candidate) => candidate === value) ?? wrong(`one of ${known.join(', ')}`, context, path);

const schemaMap: KeywordReader<Record<string, Schema>> = (value, context, path) => {
  if (!isMap(value)) return wrong('a map of schemas', context, path);
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, toSchema(property, context, [...path, name])]),
  );
};

const schemaOrFlag: KeywordReader<Schema | boolean> = (value, context, path) =>
  typeof value === 'boolean' ? value : toSchema(value, context, path);

const validationRule: KeywordReader<ValidationRule> = (value, context, path) => {
  const rule = get(value, 'rule');
  if (typeof rule !== 'string') return wrong('a map with a string rule', context, path);
  const result: ValidationRule = { rule };
  for (const key of ['message', 'messageExpression', 'reason', 'fieldPath'] as const) {
    const field = get(value, key);
    if (typeof field === 'string') result[key] = field;
  }
  const optionalOldSelf = get(value, 'optionalOldSelf');
  if (typeof optionalOldSelf === 'boolean') result.optionalOldSelf = optionalOldSelf;
  return result;
};

function wrong(wanted: string, context: ConvertContext, path: Path): undefined {
  context.report?.(path, `must be ${wanted}`);
  return undefined;
}

/** The readers of all keywords; the type ensures that none is missing. */
const keywords: { [Key in keyof Schema]-?: KeywordReader<Exclude<Schema[Key], undefined>> } = {
  type: oneOf('string', 'integer', 'number', 'boolean', 'object', 'array'),
  format: text,
  description: text,
  properties: schemaMap,
  additionalProperties: schemaOrFlag,
  items: toSchema,
  required: listOf(text),
  enum: listOf(anything),
  default: anything,
  nullable: flag,
  minimum: amount,
  maximum: amount,
  exclusiveMinimum: flag,
  exclusiveMaximum: flag,
  multipleOf: amount,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  uniqueItems: flag,
  pattern: text,
  allOf: listOf(toSchema),
  anyOf: listOf(toSchema),
  oneOf: listOf(toSchema),
  not: toSchema,
  'x-kubernetes-preserve-unknown-fields': flag,
  'x-kubernetes-embedded-resource': flag,
  'x-kubernetes-int-or-string': flag,
  'x-kubernetes-list-type': oneOf('atomic', 'set', 'map'),
  'x-kubernetes-list-map-keys': listOf(text),
  'x-kubernetes-map-type': oneOf('atomic', 'granular'),
  'x-kubernetes-validations': listOf(validationRule),
};
