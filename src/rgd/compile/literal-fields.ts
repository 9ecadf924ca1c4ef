import type { Call, Expr, MapExpr } from '../../cel/index.ts';
import type { Schema } from '../../schema/index.ts';
import { fieldSchema, isOpen } from './field-rules.ts';

/** A key of a map literal for which its object has no field. */
export interface UnknownLiteralField {
  key: string;
  /** Of the key, in the expression. */
  offset: number;
  /** The schema of the object. */
  schema: Schema;
}

/**
 * Map literals with constant keys that stand where an object with declared fields is wanted: a key that the object does
 * not declare is the same mistake as an unknown field of a template. kro sees a map there, accepts it, and the API
 * server refuses the object. Only what surely becomes the value is looked at; a literal inside `dyn()` is not.
 */
export function unknownLiteralFields(expr: Expr, schema: Schema | undefined): UnknownLiteralField[] {
  if (schema === undefined || isOpen(schema)) return [];
  switch (expr.kind) {
    case 'map':
      return inMap(expr, schema);
    case 'list':
      return expr.elements.flatMap(({ value }) => unknownLiteralFields(value, schema.items));
    case 'call':
      return valuesOf(expr).flatMap((value) => unknownLiteralFields(value, schema));
    case 'comprehension':
      switch (expr.macro.does) {
        case 'bind':
          return unknownLiteralFields(expr.result, schema);
        case 'list':
          return unknownLiteralFields(expr.macro.transform, schema.items);
        case 'mapEntry':
          return unknownLiteralFields(expr.macro.transform, schema);
        case 'map':
          return unknownLiteralFields(expr.macro.transform, valueSchema(schema));
        default:
          return [];
      }
    default:
      return [];
  }
}

function inMap(map: MapExpr, schema: Schema): UnknownLiteralField[] {
  const closed = Object.keys(schema.properties ?? {}).length > 0;
  return map.entries.flatMap(({ key, value }) => {
    if (key.kind !== 'literal' || key.literal.type !== 'string')
      return unknownLiteralFields(value, valueSchema(schema));
    const name = key.literal.value;
    const field = fieldSchema(schema, name);
    if (field !== 'unknown') return unknownLiteralFields(value, field);
    return closed ? [{ key: name, offset: key.offset, schema }] : [];
  });
}

/** What a key that is not known before may hold. */
const valueSchema = (schema: Schema): Schema | undefined =>
  typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;

/** The sub-expressions of a call whose value, or whose elements or entries, become those of the call. */
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
    // `optional.of` of a parsed expression is the member `of` of the name `optional`.
    case 'of':
      return target?.kind === 'ident' && target.name === 'optional' ? args : [];
    default:
      return [];
  }
}
