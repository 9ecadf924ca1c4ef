import type { Value } from '../../core/model/value.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import type { Call, Expr, MapExpr } from '../../languages/cel/index.ts';

/** Reports whether kro accepts anything under a schema. */
export const isOpen = (schema: Schema | undefined): boolean =>
  schema?.['x-kubernetes-preserve-unknown-fields'] === true;

/** Returns the JSON types that a schema allows, `undefined` for any (kro: getExpectedTypes). */
export function expectedTypes(schema: Schema): readonly string[] | undefined {
  if (isOpen(schema)) return undefined;
  if (schema['x-kubernetes-int-or-string'] === true) return ['string', 'integer'];
  const variants = alternativeTypes(schema.oneOf) ?? alternativeTypes(schema.anyOf);
  if (variants !== undefined) return variants;
  return schema.type === undefined ? undefined : [schema.type];
}

function alternativeTypes(schemas: readonly Schema[] | undefined): readonly string[] | undefined {
  const types = new Set<string>();
  for (const schema of schemas ?? []) {
    if (schema.required !== undefined || schema.not !== undefined) types.add('object');
    if (schema.type !== undefined) types.add(schema.type);
  }
  return types.size === 0 ? undefined : [...types];
}

export function typeNameOf(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  return typeof value;
}

export function fits(actual: string, wanted: readonly string[], schema: Schema | undefined): boolean {
  if (wanted.includes(actual)) return true;
  if (actual === 'integer') return wanted.includes('number');
  if (actual === 'object') return schema?.additionalProperties !== undefined && schema.additionalProperties !== false;
  return false;
}

/** Returns the schema of a key; `undefined` if any value is allowed. */
export function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined | 'unknown' {
  if (schema === undefined) return undefined;
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  if (schema.additionalProperties === true) return undefined;
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
    return schema.additionalProperties;
  return schema.type === undefined && schema.properties === undefined ? undefined : 'unknown';
}

interface LiteralProblem {
  /** `unknown`: the object has no such field. `list`: the field is a list, and the value is a map. */
  kind: 'unknown' | 'list';
  key: string;
  offset: number;
  schema: Schema;
}

/**
 * Returns unknown keys of map literals with constant keys in the place of an object with declared fields: the same
 * error as an unknown field of a template. kro sees a map there, accepts it, and the API server rejects the object. The
 * same applies to a map in a list field. Only literals that certainly become the value are checked; a literal inside
 * `dyn()` is not.
 */
export function literalFaults(expr: Expr, schema: Schema | undefined): LiteralProblem[] {
  if (schema === undefined || isOpen(schema)) return [];
  switch (expr.kind) {
    case 'map':
      return inMap(expr, schema);
    case 'list':
      return expr.elements.flatMap(({ value }) => literalFaults(value, schema.items));
    case 'call':
      return valuesOf(expr).flatMap((value) => literalFaults(value, schema));
    case 'bind':
      return literalFaults(expr.body, schema);
    case 'comprehension': {
      const creates = { list: schema.items, map: valueSchema(schema), mapEntry: schema };
      return literalFaults(
        expr.body,
        { all: undefined, exists: undefined, existsOne: undefined, ...creates }[expr.does],
      );
    }
    default:
      return [];
  }
}

function inMap(map: MapExpr, schema: Schema): LiteralProblem[] {
  const closed = Object.keys(schema.properties ?? {}).length > 0;
  return map.entries.flatMap(({ key, value }) => {
    if (key.kind !== 'literal' || key.literal.type !== 'string') return literalFaults(value, valueSchema(schema));
    const name = key.literal.value;
    const field = fieldSchema(schema, name);
    if (field === 'unknown') return closed ? [{ kind: 'unknown', key: name, offset: key.offset, schema }] : [];
    if (value.kind === 'map' && field?.type === 'array')
      return [{ kind: 'list', key: name, offset: value.offset, schema }];
    return literalFaults(value, field);
  });
}

/** Returns the sub-expressions of a call whose value, or whose elements or entries, become those of the call. */
function valuesOf({ name, target, args }: Call): readonly Expr[] {
  if (name === '_?_:_') return args.slice(1);
  // In a parsed expression `optional.of` is the member `of` of the name `optional`.
  if (name === 'of') return target?.kind === 'ident' && target.name === 'optional' ? args : [];
  if (!HANDS_ON.has(name)) return [];
  return target === undefined ? args : [target, ...args];
}

const HANDS_ON = new Set(['_+_', 'merge', 'or', 'orValue', 'optional.of']);
