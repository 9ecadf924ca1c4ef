import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import type { Call, Expr, MapExpr } from '../../languages/cel/index.ts';
import { fieldSchema, isOpen } from './field-rules.ts';

/** A key of a map literal that does not match its field. */
export interface LiteralProblem {
  /** `unknown`: the object has no such field. `list`: the field is a list, and the value is a map. */
  kind: 'unknown' | 'list';
  key: string;
  /** The offset of the key in the expression. */
  offset: number;
  /** The schema of the object. */
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
    case 'comprehension':
      switch (expr.macro.does) {
        case 'bind':
          return literalFaults(expr.result, schema);
        case 'list':
          return literalFaults(expr.macro.transform, schema.items);
        case 'mapEntry':
          return literalFaults(expr.macro.transform, schema);
        case 'map':
          return literalFaults(expr.macro.transform, valueSchema(schema));
        default:
          return [];
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
  const all = target === undefined ? args : [target, ...args];
  switch (name) {
    case '_?_:_':
      return args.slice(1);
    case '_+_':
    case 'merge':
    case 'or':
    case 'orValue':
    case 'optional.of':
      return all;
    // In a parsed expression `optional.of` is the member `of` of the name `optional`.
    case 'of':
      return target?.kind === 'ident' && target.name === 'optional' ? args : [];
    default:
      return [];
  }
}
