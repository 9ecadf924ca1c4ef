import { type CelType, DYN, type ListType, listOf, mapOf, type ObjectType, STRING } from '../cel/types.ts';
import type { Schema } from '../schema/schema.ts';
import { celReserved } from './names.ts';

/**
 * The CEL type that kro declares for a schema (kro: pkg/cel/schemas.go, after k8s.io/apiserver SchemaDeclType).
 * Objects are nominal and named by their place: `__type_deployment.spec.template`. `undefined` means that
 * expressions cannot see the field (a list without items, say). A field that keeps unknown fields and has no type is
 * hidden too, as in kro, unless `lenient`: then it is dyn.
 */
export function declaredType(schema: Schema, name: string, lenient = false): CelType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return DYN;
  switch (schema.type) {
    case 'array':
      return declaredList(schema, name, lenient);
    case 'object':
      return declaredObject(schema, name, lenient);
    case 'string':
      return STRING_FORMATS[schema.format ?? ''] ?? STRING;
    case 'boolean':
      return { kind: 'bool' };
    case 'number':
      return { kind: 'double' };
    case 'integer':
      return { kind: 'int' };
    default:
      return lenient && schema['x-kubernetes-preserve-unknown-fields'] === true ? DYN : undefined;
  }
}

const STRING_FORMATS: Readonly<Record<string, CelType>> = {
  byte: { kind: 'bytes' },
  duration: { kind: 'duration' },
  date: { kind: 'timestamp' },
  'date-time': { kind: 'timestamp' },
};

function declaredList(schema: Schema, name: string, lenient: boolean): CelType | undefined {
  if (schema.items === undefined) return undefined;
  const element = declaredType(schema.items, `${name}.@idx`, lenient);
  if (element === undefined) return undefined;
  const type: ListType = listOf(element);
  const listType = schema['x-kubernetes-list-type'];
  if (listType === 'set') return { ...type, listType };
  if (listType === 'map') return { ...type, listType, mapKeys: schema['x-kubernetes-list-map-keys'] ?? [] };
  return type;
}

function declaredObject(schema: Schema, name: string, lenient: boolean): CelType {
  const additional = schema.additionalProperties;
  if (additional !== undefined && additional !== false) {
    const value = additional === true ? undefined : declaredType(additional, `${name}.@elem`, lenient);
    return mapOf(STRING, value ?? DYN);
  }
  return objectType(schema, name, lenient);
}

function objectType(schema: Schema, name: string, lenient: boolean): ObjectType {
  const byEscapedName = new Map<string, string>();
  for (const property of Object.keys(schema.properties ?? {})) {
    const escaped = escapeField(property);
    if (escaped !== undefined) byEscapedName.set(escaped, property);
  }
  const types = new Map<string, CelType | undefined>();
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const field = (asked: string): CelType | undefined => {
    const escaped = !byEscapedName.has(asked) && celReserved.has(asked) ? `__${asked}__` : asked;
    const property = byEscapedName.get(escaped);
    if (property === undefined) return open ? DYN : undefined;
    if (!types.has(escaped)) {
      const propertySchema = schema.properties?.[property];
      types.set(escaped, propertySchema && declaredType(propertySchema, `${name}.${escaped}`, lenient));
    }
    return types.get(escaped);
  };
  return {
    kind: 'object',
    name,
    open,
    declaration: schema,
    field,
    fieldNames: () => [...byEscapedName.keys()].filter((escaped) => field(escaped) !== undefined),
  };
}

/**
 * A property name as a CEL identifier (k8s.io/apiserver/pkg/cel Escape): `a-b` is `a__dash__b`, `namespace` is
 * `__namespace__`. `undefined` when the name cannot be written.
 */
export function escapeField(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  if (celReserved.has(name)) return `__${name}__`;
  return name.replace(/__|[.\-/]/g, (part) => ESCAPES[part] as string);
}

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
