import type { Schema } from '../schema/index.ts';
import { listCheck } from './lists.ts';
import { objectCheck } from './objects.ts';
import { booleanCheck, integerCheck, numberCheck, stringCheck } from './scalars.ts';
import { untyped } from './untyped.ts';
import type { Check } from './visit.ts';

/**
 * Compiles a schema of SimpleSchema into a function that returns a checked copy of a value: defaults filled in, nulls
 * dropped, numbers in their own type. The schema is not read again at run time. A type that is used many times is
 * compiled once.
 */
export function compileCheck(schema: Schema): Check {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const check = compile(schema);
  compiled.set(schema, check);
  return check;
}

const compiled = new WeakMap<Schema, Check>();

function compile(schema: Schema): Check {
  switch (schema.type) {
    case 'string':
      return stringCheck(schema);
    case 'integer':
      return integerCheck(schema);
    case 'number':
      return numberCheck(schema);
    case 'boolean':
      return booleanCheck;
    case 'array':
      return listCheck(schema, schema.items === undefined ? untyped : compileCheck(schema.items));
    case 'object':
      return objectCheck(schema, compileCheck);
    default:
      return untyped;
  }
}
