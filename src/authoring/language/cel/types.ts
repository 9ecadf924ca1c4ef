import type { Schema } from '../../../kubernetes/schema/index.ts';
import { type CelType, describeType, ERROR, escapedFieldName, type ObjectType } from '../../../languages/cel/index.ts';

/** Formats a type: an object by its kind instead of kro's name. */
export function typeText(type: CelType): string {
  if (type === ERROR) return 'unknown';
  switch (type.kind) {
    case 'object':
      return 'object';
    case 'list':
      return `list(${typeText(type.element)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'optional':
      return `optional(${typeText(type.value)})`;
    default:
      return describeType(type);
  }
}

/** Returns the type inside an optional, or the type itself. */
export const unwrapped = (type: CelType): CelType => (type.kind === 'optional' ? type.value : type);

/** A field of an object type. */
export interface FieldOf {
  /** The name in expressions. */
  name: string;
  /** The name in the schema. */
  property: string;
  type: CelType;
  schema: Schema | undefined;
  required: boolean;
}

/** Returns the fields of an object type that expressions can read. */
export function fieldsOf(type: ObjectType): FieldOf[] {
  const schema = schemaOf(type);
  const byName = new Map(
    Object.keys(schema?.properties ?? {}).map((property) => [escapedFieldName(property) ?? property, property]),
  );
  return type.fieldNames().flatMap((name) => {
    const field = type.field(name);
    if (field === undefined) return [];
    const property = byName.get(name) ?? name;
    const required = schema?.required?.includes(property) ?? false;
    // CEL's reserved words are valid after a dot.
    const written = /^__(\w+)__$/.test(name) && !property.includes('_') ? property : name;
    return [
      {
        name: /^[A-Za-z_]\w*$/.test(written) ? written : name,
        property,
        type: field,
        schema: schema?.properties?.[property],
        required,
      },
    ];
  });
}

/** Returns one field of an object type, by its name in expressions. */
export const fieldNamed = (type: CelType, name: string): FieldOf | undefined =>
  type.kind === 'object' ? fieldsOf(type).find((field) => field.name === name || field.property === name) : undefined;

/** Returns the schema that declares an object type. */
const schemaOf = ({ declaration }: ObjectType): Schema | undefined => declaration as Schema | undefined;
