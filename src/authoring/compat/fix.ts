import { formatPath } from '../../core/model/path.ts';
import { getAt, type Path, type Value } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { SchemaChange } from './changes.ts';

/** The edits of a field (`AT`), with what the newer schema expects there, and with the earlier and current value. */
const EDITS: Readonly<Record<string, string>> = {
  'property-removed': 'remove AT',
  'unknown-fields-pruned': 'remove AT',
  'required-default-removed': 'add AT: WAS',
  'required-property': 'add AT_EXPECTED',
  required: 'add AT_EXPECTED',
  minimum: 'set AT to IS or more',
  maximum: 'set AT to IS or less',
  'min-length': 'give AT at least IS characters',
  'max-length': 'give AT at most IS characters',
  'min-items': 'give AT at least IS items',
  'max-items': 'give AT at most IS items',
  enum: 'set AT to_VALUES',
  'enum-restricted': 'set AT to_VALUES',
  pattern: 'set AT to a text that matches TEXT',
  'pattern-changed': 'set AT to a text that matches TEXT',
  'nullable-removed': 'remove AT, or give it a value',
};

/** Returns the edit of an instance that makes it valid for the newer schema; undefined if there is no obvious one. */
export function fixOf(
  { change, before, after, path: field }: SchemaChange,
  instance: Value,
  path: Path,
  schema: Schema,
): string | undefined {
  const at = formatPath(path);
  if (change === 'type-changed') return retyped(at, getAt(instance, path), after);
  const words: Readonly<Record<string, () => string>> = {
    AT: () => at,
    WAS: () => toJsonText(before ?? null),
    IS: () => toJsonText(after ?? null),
    TEXT: () => String(after),
    _EXPECTED: () => describeExpected(schemaAt(schema, field)),
    _VALUES: () => oneOf(schemaAt(schema, field)),
  };
  const edit = EDITS[change.replace(/-(added|increased|decreased)$/, '')];
  return edit?.replace(/_?[A-Z]+/g, (word) => words[word]?.() ?? word);
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
