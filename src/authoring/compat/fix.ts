import { formatPath } from '../../core/model/path.ts';
import { getAt, type Path, type Value } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { SchemaChange } from './changes.ts';

/** Returns the edit of an instance that makes it valid for the newer schema; undefined if there is no obvious one. */
export function fixOf(change: SchemaChange, instance: Value, path: Path, schema: Schema): string | undefined {
  const at = formatPath(path);
  const bound = change.after === undefined ? '' : toJsonText(change.after);
  const name = change.change.replace(/-(added|increased|decreased)$/, '');
  switch (name) {
    case 'property-removed':
    case 'unknown-fields-pruned':
      return `remove ${at}`;
    case 'required-default-removed':
      return `add ${at}: ${toJsonText(change.before ?? null)}`;
    case 'required-property':
    case 'required':
      return `add ${at}${describeExpected(schemaAt(schema, change.path))}`;
    case 'minimum':
      return `set ${at} to ${bound} or more`;
    case 'maximum':
      return `set ${at} to ${bound} or less`;
    case 'min-length':
      return `give ${at} at least ${bound} characters`;
    case 'max-length':
      return `give ${at} at most ${bound} characters`;
    case 'min-items':
      return `give ${at} at least ${bound} items`;
    case 'max-items':
      return `give ${at} at most ${bound} items`;
    case 'enum':
    case 'enum-restricted':
      return `set ${at} to${oneOf(schemaAt(schema, change.path))}`;
    case 'pattern':
    case 'pattern-changed':
      return `set ${at} to a text that matches ${typeof change.after === 'string' ? change.after : bound}`;
    case 'nullable-removed':
      return `remove ${at}, or give it a value`;
    case 'type-changed':
      return retyped(at, getAt(instance, path), change.after);
    default:
      return undefined;
  }
}

/** Returns the schema at a path of a change, in which `items` and `values` are steps. */
function schemaAt(schema: Schema, path: Path): Schema | undefined {
  return path.reduce<Schema | undefined>((at, step) => {
    if (at?.properties !== undefined && Object.hasOwn(at.properties, step)) return at.properties[step];
    if (step === 'items') return at?.items;
    return typeof at?.additionalProperties === 'object' ? at.additionalProperties : undefined;
  }, schema);
}

const describeExpected = (schema: Schema | undefined): string => {
  if (schema?.enum !== undefined) return `:${oneOf(schema)}`;
  return schema?.type === undefined ? '' : `, ${/^[aio]/.test(schema.type) ? 'an' : 'a'} ${schema.type}`;
};

const oneOf = (schema: Schema | undefined): string => {
  const values = (schema?.enum ?? []).map((value) => toJsonText(value));
  return values.length === 1 ? ` ${values[0]}` : ` one of ${values.join(', ')}`;
};

/** Returns the same value in the new type. */
function retyped(at: string, value: Value | undefined, type: Value | undefined): string | undefined {
  if (type === 'string' && value !== undefined && (typeof value !== 'object' || value === null)) {
    return `write ${at} as ${toJsonText(String(value))}`;
  }
  const text = typeof value === 'string' ? value : undefined;
  if (type === 'integer' && text !== undefined && /^-?\d+$/.test(text)) return `write ${at} as ${text}`;
  if (type === 'number' && text !== undefined && /^-?\d+(\.\d+)?$/.test(text)) return `write ${at} as ${text}`;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return `write ${at} as ${text}`;
  return undefined;
}
