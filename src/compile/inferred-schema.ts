import { type CelType, formatType, type ObjectType } from '../cel/types.ts';
import type { Schema } from '../schema/schema.ts';

const ANYTHING: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/**
 * The schema of a status field, inferred from the type of its expression
 * (kro: pkg/graph/schema/conversion_cel_type.go). `undefined` for a type that contains itself.
 */
export function inferredSchema(type: CelType): Schema | undefined {
  switch (type.kind) {
    case 'list': {
      const items = inferredSchema(type.element);
      return items && { type: 'array', items };
    }
    case 'map': {
      const values = inferredSchema(type.value);
      return values && { type: 'object', additionalProperties: values };
    }
    case 'object':
      return fullSchema(type, new Set());
    case 'dyn':
    case 'param':
      return ANYTHING;
    case 'null':
      return { ...ANYTHING, description: 'null type - any value allowed' };
    case 'timestamp':
      return { description: 'Timestamp representing a creation time', type: 'string', format: 'date-time' };
    default:
      return scalarSchema(type) ?? { ...ANYTHING, description: `unknown CEL type: ${formatType(type)}` };
  }
}

function scalarSchema(type: CelType): Schema | undefined {
  switch (type.kind) {
    case 'bool':
      return { type: 'boolean' };
    case 'int':
    case 'uint':
      return { type: 'integer' };
    case 'double':
      return { type: 'number' };
    case 'string':
      return { type: 'string' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    default:
      return undefined;
  }
}

/** All declared fields, down to scalars. What is neither (timestamps, durations) keeps whatever it holds, as in kro. */
function fullSchema(type: CelType, above: Set<string>): Schema | undefined {
  if (type.kind === 'list') {
    const items = fullSchema(type.element, above);
    return items && { type: 'array', items };
  }
  if (type.kind === 'map') {
    const values = fullSchema(type.value, above);
    return values && { type: 'object', additionalProperties: values };
  }
  if (type.kind !== 'object') return scalarSchema(type) ?? ANYTHING;
  return objectSchema(type, above);
}

function objectSchema(type: ObjectType, above: Set<string>): Schema | undefined {
  // Types are named by their place, so a schema that contains itself shows as ever deeper names.
  if (above.size > 64 || above.has(type.name)) return undefined;
  above.add(type.name);
  const properties: Record<string, Schema> = {};
  for (const name of type.fieldNames()) {
    const field = type.field(name);
    const schema = field && fullSchema(field, above);
    if (schema === undefined) return undefined;
    properties[name] = schema;
  }
  above.delete(type.name);
  return Object.keys(properties).length === 0 ? { type: 'object' } : { type: 'object', properties };
}
