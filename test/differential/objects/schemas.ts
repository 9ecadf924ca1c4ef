import type { JsonValue as Plain } from '../../../src/api/index.ts';
import type { Draw } from '../draw.ts';
import { FORMAT_TEXTS } from './formats.ts';
import { rulesFor } from './rules.ts';
import { valueFor } from './values.ts';

export type JsonSchema = { [keyword: string]: Plain };

const FIELDS = ['a', 'b', 'c', 'd', 'int', 'x-y'] as const;

/** Returns a field of a structural schema, up to so many levels deep. */
export function schemaOf(draw: Draw, depth: number): JsonSchema {
  const schema = draw.pick(depth > 0 ? [...SCALARS, ...NESTED, ...NESTED] : SCALARS)(draw, depth);
  if (draw.chance(25)) schema.nullable = true;
  if (draw.chance(15)) Object.assign(schema, rulesFor(draw, schema));
  if (draw.chance(12)) schema.default = valueFor(draw, schema, 0);
  return schema;
}

type Maker = (draw: Draw, depth: number) => JsonSchema;

const string: Maker = (draw) => {
  const schema: JsonSchema = { type: 'string', maxLength: 20 };
  if (draw.chance(6)) schema.minLength = draw.int(1, 3);
  if (draw.chance(15)) schema.enum = draw.pick([['a', 'b'], ['a', ''], ['abc']]);
  if (draw.chance(6)) schema.pattern = draw.pick(['^[a-c]+$', 'a', '^.{2,4}$', '\\d']);
  return schema;
};

const formatted: Maker = (draw) => ({ type: 'string', format: draw.pick(Object.keys(FORMAT_TEXTS)) });

function bounds(draw: Draw, numbers: readonly number[]): JsonSchema {
  const schema: JsonSchema = {};
  if (draw.chance(15)) {
    schema.minimum = draw.pick(numbers);
    if (draw.chance(30)) schema.exclusiveMinimum = true;
  }
  if (draw.chance(15)) {
    schema.maximum = draw.pick(numbers) + 3;
    if (draw.chance(30)) schema.exclusiveMaximum = true;
  }
  return schema;
}

const integer: Maker = (draw) => {
  const schema: JsonSchema = {
    type: 'integer',
    ...bounds(draw, draw.chance(85) ? [-5, 0, 1] : [2.5, 2147483647, 9007199254740992, 1e19]),
  };
  if (draw.chance(25)) schema.format = draw.pick(['int64', 'int64', 'int32', 'ipv4']);
  if (draw.chance(10)) schema.multipleOf = draw.pick([1, 2, 2.5, 0.5]);
  if (draw.chance(15)) schema.enum = [1, 2, 6];
  return schema;
};

const number: Maker = (draw) => {
  const schema: JsonSchema = { type: 'number', ...bounds(draw, [-5, 0, 0.5, 1.5, 3]) };
  if (draw.chance(25)) schema.format = draw.pick(['float', 'double']);
  if (draw.chance(15)) schema.multipleOf = draw.pick([0.1, 0.25, 0.01, 1.5, 2, 3]);
  if (draw.chance(15)) schema.enum = [0.5, 1.5, 2];
  return schema;
};

const boolean: Maker = (draw) => ({ type: 'boolean', ...(draw.chance(15) ? { enum: [true] } : {}) });

const intOrString: Maker = (draw) => ({
  'x-kubernetes-int-or-string': true,
  ...(draw.chance(50) ? { anyOf: [{ type: 'integer' }, { type: 'string' }] } : {}),
  ...(draw.chance(20) ? { pattern: '^[0-9]+%$' } : {}),
  ...(draw.chance(20) ? { enum: [1, 'a', '80%'] } : {}),
});

const anything: Maker = () => ({ 'x-kubernetes-preserve-unknown-fields': true });

const SCALARS: readonly Maker[] = [
  string,
  string,
  formatted,
  formatted,
  integer,
  number,
  boolean,
  intOrString,
  anything,
];

const object: Maker = (draw, depth) => {
  const names = FIELDS.filter(() => draw.chance(45));
  const properties = Object.fromEntries(names.map((name) => [name, schemaOf(draw, depth - 1)]));
  const schema: JsonSchema = { type: 'object', properties };
  const required = names.filter(() => draw.chance(25));
  if (required.length > 0) schema.required = required;
  if (draw.chance(8)) schema.minProperties = draw.int(1, 2);
  if (draw.chance(8)) schema.maxProperties = draw.int(1, 3);
  if (draw.chance(10)) schema['x-kubernetes-preserve-unknown-fields'] = true;
  if (names.length > 0 && draw.chance(25)) Object.assign(schema, alternatives(draw, properties));
  return schema;
};

/** Returns the parts of schemas below `allOf` and the like, without types. */
function nested(draw: Draw, properties: Record<string, JsonSchema>): JsonSchema {
  const name = draw.pick(Object.keys(properties));
  const { type } = properties[name] as JsonSchema;
  if (draw.chance(45)) return { required: [name] };
  if (draw.chance(15)) return { minProperties: 2 };
  const said: JsonSchema = {};
  if (type === 'string')
    Object.assign(said, draw.pick<JsonSchema>([{ enum: ['a'] }, { minLength: 2 }, { pattern: '^a' }]));
  else if (type === 'integer' || type === 'number') {
    Object.assign(
      said,
      draw.pick<JsonSchema>([{ enum: [1, 2] }, { minimum: 2 }, { maximum: 2 }, { not: { enum: [1] } }]),
    );
  } else if (type === 'array') said.minItems = 1;
  else if (type === 'object') said.maxProperties = 1;
  return { properties: { [name]: said } };
}

function alternatives(draw: Draw, properties: Record<string, JsonSchema>): JsonSchema {
  const one = (): JsonSchema => nested(draw, properties);
  return draw.pick<() => JsonSchema>([
    () => ({ anyOf: draw.times(1, 3, one) }),
    () => ({ oneOf: draw.times(1, 3, one) }),
    () => ({ allOf: draw.times(1, 2, one) }),
    () => ({ not: one() }),
  ])();
}

const map: Maker = (draw, depth) => ({
  type: 'object',
  maxProperties: draw.int(2, 4),
  additionalProperties: draw.chance(10) ? true : schemaOf(draw, depth - 1),
});

const list: Maker = (draw, depth) => {
  const schema: JsonSchema = { type: 'array', maxItems: draw.int(2, 4), items: schemaOf(draw, depth - 1) };
  if (draw.chance(15)) schema.minItems = 1;
  return schema;
};

const set: Maker = (draw, depth) => ({
  type: 'array',
  maxItems: 4,
  items: draw.pick([string, integer, number])(draw, depth),
  'x-kubernetes-list-type': 'set',
});

const mapOfItems: Maker = (draw, depth) => ({
  type: 'array',
  maxItems: 4,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': draw.chance(50) ? ['k'] : ['k', 'n'],
  items: {
    type: 'object',
    required: ['k'],
    properties: {
      k: { type: 'string', maxLength: 5 },
      n: { type: 'integer', default: 1 },
      v: schemaOf(draw, depth - 1),
    },
  },
});

const embedded: Maker = (draw, depth) => ({
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  ...(draw.chance(60) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
  properties: {
    spec: schemaOf(draw, depth - 1),
    ...(draw.chance(30) ? { kind: { type: 'string', enum: ['Pod'], maxLength: 9 } } : {}),
    ...(draw.chance(30)
      ? { metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^[a-b]' } } } }
      : {}),
  },
});

const NESTED: readonly Maker[] = [object, object, object, map, list, set, mapOfItems, embedded];

/** A CRD whose objects have one `spec`. */
export function crdOf(draw: Draw): { crd: Plain; spec: JsonSchema } {
  const names = FIELDS.filter(() => draw.chance(60));
  const fields = names.length === 0 ? ['a'] : names;
  const properties = Object.fromEntries(fields.map((name) => [name, schemaOf(draw, 2)]));
  const spec: JsonSchema = { type: 'object', properties };
  const required = fields.filter(() => draw.chance(10));
  if (required.length > 0) spec.required = required;
  if (draw.chance(15)) Object.assign(spec, alternatives(draw, properties));
  if (draw.chance(20)) Object.assign(spec, rulesFor(draw, spec));
  const root: JsonSchema = { type: 'object', properties: { spec } };
  if (draw.chance(10)) {
    root.properties = {
      spec,
      metadata: { type: 'object', properties: { name: { type: 'string', pattern: draw.pick(['^x', '^x', '^y']) } } },
    };
  }
  if (draw.chance(10)) root['x-kubernetes-validations'] = [{ rule: "self.metadata.name == 'x'" }];
  return { crd: crdWith(root), spec };
}

/** A CRD with a schema. */
export const crdWith = (root: JsonSchema): Plain => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'vees.odd.dev' },
  spec: {
    group: 'odd.dev',
    scope: 'Namespaced',
    names: { kind: 'Vee', listKind: 'VeeList', plural: 'vees', singular: 'vee' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: root } }],
  },
});
