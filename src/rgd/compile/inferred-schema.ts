import { type CelType, formatType, type ObjectType } from '../../cel/index.ts';
import { MAX_SCHEMA_CHARACTERS, type Schema } from '../../schema/index.ts';

/** Types that a cluster or an author declares nest nowhere near as deep. */
const MAX_DEPTH = 64;
/** The characters that the inferred schema of a status may still take; below zero it did not fit. */
export interface Room {
  left: number;
}

/** What a field takes in JSON beside its name: `"":{"type":"string"},`. */
const FIELD = 20;

const ANYTHING: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/**
 * The schema of a status field, inferred from the type of its expression
 * (kro: pkg/graph/schema/conversion_cel_type.go). A type inside of itself is an object without fields, as where kro's
 * schema resolver cuts it off. `undefined` for a type that nests too deeply, and when there is no room left.
 */
export function inferredSchema(type: CelType, room: Room = { left: MAX_SCHEMA_CHARACTERS }): Schema | undefined {
  switch (type.kind) {
    case 'list': {
      const items = inferredSchema(type.element, room);
      return items && { type: 'array', items };
    }
    case 'map': {
      const values = inferredSchema(type.value, room);
      return values && { type: 'object', additionalProperties: values };
    }
    case 'object':
      return fullSchema(type, new Set(), room);
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
function fullSchema(type: CelType, above: Set<unknown>, room: Room): Schema | undefined {
  if (type.kind === 'list') {
    const items = fullSchema(type.element, above, room);
    return items && { type: 'array', items };
  }
  if (type.kind === 'map') {
    const values = fullSchema(type.value, above, room);
    return values && { type: 'object', additionalProperties: values };
  }
  if (type.kind !== 'object') return scalarSchema(type) ?? ANYTHING;
  return objectSchema(type, above, room);
}

function objectSchema(type: ObjectType, above: Set<unknown>, room: Room): Schema | undefined {
  const declaration = type.declaration ?? type.name;
  if (above.has(declaration)) return { type: 'object' };
  if (above.size > MAX_DEPTH) return undefined;
  above.add(declaration);
  const properties: Record<string, Schema> = {};
  for (const name of type.fieldNames()) {
    room.left -= name.length + FIELD;
    if (room.left < 0) return undefined;
    const field = type.field(name);
    const schema = field && fullSchema(field, above, room);
    if (schema === undefined) return undefined;
    properties[name] = schema;
  }
  above.delete(declaration);
  return Object.keys(properties).length === 0 ? { type: 'object' } : { type: 'object', properties };
}
