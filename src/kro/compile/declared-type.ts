import type { Schema } from '../../kubernetes/schema/index.ts';
import {
  type CelType,
  DYN,
  escapedFieldName,
  type ListType,
  listOf,
  mapOf,
  type ObjectType,
  STRING,
} from '../../languages/cel/index.ts';
import { celReserved } from './names.ts';

/**
 * Returns the CEL type that kro declares for a schema (kro: pkg/cel/schemas.go, after k8s.io/apiserver SchemaDeclType).
 * Objects are nominal and named by their path: `__type_deployment.spec.template`. `undefined` means that expressions
 * cannot see the field (for example a list without items). A field that keeps unknown fields and has no type is hidden
 * too, as in kro, unless `lenient`: then it is dyn.
 */
export function declaredType(schema: Schema, name: string, reading: Reading = {}): CelType | undefined {
  return typeInside(schema, name, reading, 0);
}

/** The maximum nesting of lists and maps, which may be recursive by reference. Deeper values may be anything. */
const MAX_NESTED = 64;

function typeInside(schema: Schema, name: string, reading: Reading, nested: number): CelType | undefined {
  if (nested > MAX_NESTED) return ANYTHING;
  const type = typeOf(schema, name, reading, nested);
  if (type === undefined || schema.nullable !== true) return type;
  return { ...type, nullable: true };
}

export interface Reading {
  /** A field that keeps unknown fields and has no type is dyn. */
  lenient?: boolean;
  /** Lists are neither sets nor keyed, whatever the schema says. */
  plainLists?: boolean;
}

/** Any value except null, unless it is nullable. */
const ANYTHING: CelType = { kind: 'dyn', strict: true };

function typeOf(schema: Schema, name: string, reading: Reading, nested: number): CelType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return ANYTHING;
  switch (schema.type) {
    case 'array':
      return declaredList(schema, name, reading, nested);
    case 'object':
      return declaredObject(schema, name, reading, nested);
    case 'string':
      return STRING_FORMATS[schema.format ?? ''] ?? STRING;
    case 'boolean':
      return { kind: 'bool' };
    case 'number':
      return { kind: 'double' };
    case 'integer':
      return { kind: 'int' };
    default:
      return reading.lenient && schema['x-kubernetes-preserve-unknown-fields'] === true ? ANYTHING : undefined;
  }
}

const STRING_FORMATS: Readonly<Record<string, CelType>> = {
  byte: { kind: 'bytes' },
  duration: { kind: 'duration' },
  date: { kind: 'timestamp' },
  'date-time': { kind: 'timestamp' },
};

function declaredList(schema: Schema, name: string, reading: Reading, nested: number): CelType | undefined {
  if (schema.items === undefined) return undefined;
  const element = typeInside(schema.items, `${name}.@idx`, reading, nested + 1);
  if (element === undefined) return undefined;
  const type: ListType = listOf(element);
  const listType = reading.plainLists ? undefined : schema['x-kubernetes-list-type'];
  if (listType === 'set') return { ...type, listType };
  if (listType === 'map') return { ...type, listType, mapKeys: schema['x-kubernetes-list-map-keys'] ?? [] };
  return type;
}

function declaredObject(schema: Schema, name: string, reading: Reading, nested: number): CelType {
  const additional = schema.additionalProperties;
  if (typeof additional === 'object') {
    const value = typeInside(additional, `${name}.@elem`, reading, nested + 1);
    return mapOf(STRING, value ?? (additional.nullable === true ? DYN : ANYTHING));
  }
  // kro has no type for `additionalProperties: true`; without declared fields it is a readable map here.
  if (additional === true && schema.properties === undefined) return mapOf(STRING, DYN);
  return objectType(schema, name, reading);
}

function objectType(schema: Schema, name: string, reading: Reading): ObjectType {
  const byEscapedName = new Map<string, string>();
  for (const property of Object.keys(schema.properties ?? {})) {
    const escaped = escapedFieldName(property);
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
      types.set(escaped, propertySchema && declaredType(propertySchema, `${name}.${escaped}`, reading));
    }
    return types.get(escaped) ?? (open ? DYN : undefined);
  };
  return {
    kind: 'object',
    name,
    open,
    declaration: schema,
    ...(schema.properties === undefined ? { bare: true } : {}),
    field,
    fieldNames: () => [...byEscapedName.keys()].filter((escaped) => field(escaped) !== undefined),
  };
}
