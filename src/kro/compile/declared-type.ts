import { ownValue } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import {
  type CelType,
  DYN,
  escapedFieldName,
  formatType,
  formatTypeWith,
  type ListType,
  listOf,
  type MapType,
  mapOf,
  type ObjectType,
  STRING,
  TYPE_NAMES,
} from '../../languages/cel/index.ts';
import { celReserved } from './check-definition.ts';

/** The maximum nesting of lists and maps, which may be recursive by reference. Deeper values may be anything. */
const MAX_NESTED = 64;

/**
 * Returns the CEL type that kro declares for a schema (kro: pkg/cel/schemas.go, after k8s.io/apiserver SchemaDeclType),
 * `undefined` for a field that expressions cannot see. Objects are named by their path: `__type_web.spec`.
 */
export function declaredType(schema: Schema, name: string, reading: Reading = {}, nested = 0): CelType | undefined {
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
      return ownValue(STRING_FORMATS, schema.format ?? '') ?? STRING;
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
  const element = declaredType(schema.items, `${name}.@idx`, reading, nested + 1);
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
    const value = declaredType(additional, `${name}.@elem`, reading, nested + 1);
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
      const propertySchema = ownValue(schema.properties, property);
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

/** Returns the name of a type in messages: the own name of a struct is the path of a field in kro's notation. */
export const typeText = (type: CelType): string =>
  formatTypeWith(type, TYPE_NAMES, ({ name }) => (name.startsWith('__type_') ? 'object' : name));

/**
 * Returns why a value of a type may not be written into a field of another, by structure (kro:
 * pkg/cel/compatibility.go). kro finds no fields in the objects of a collection and compares none
 * (resolveDeclTypeFromPath).
 */
export const mismatch = (actual: CelType, expected: CelType, inCollection = false): string | undefined =>
  compare(actual, expected, inCollection ? undefined : new Map());

function compare(actual: CelType, expected: CelType, seen: Pairs | undefined): string | undefined {
  if (actual.kind === 'dyn' || expected.kind === 'dyn' || actual === expected) return undefined;
  if (actual.kind === 'optional') return compare(actual.value, expected, seen);
  if (expected.kind === 'optional') return compare(actual, expected.value, seen);
  if (expected.kind === 'object' && seen === undefined) return undefined;
  if (expected.kind === 'object' && actual.kind === 'map') return fieldsInto(actual, expected, seen);
  if (expected.kind === 'map' && actual.kind === 'object') return fieldsInto(actual, expected, seen);
  // kro compares the fields of types with fields: any other type is accepted as an object here (see hasNoFields).
  if (expected.kind === 'object' && actual.kind !== 'object') return undefined;
  if (expected.kind === 'map' && isLibraryStruct(actual)) return undefined;
  // kro compares only the first type parameter, which for a map is its keys (areListTypesCompatible).
  if (expected.kind === 'list' && actual.kind === 'map') {
    return within('list element', compare(actual.key, expected.element, seen));
  }
  if (actual.kind !== expected.kind) return `got ${typeText(actual)}, expected ${typeText(expected)}`;
  if (actual.kind === 'list' && expected.kind === 'list') {
    return within('list element', compare(actual.element, expected.element, seen));
  }
  if (actual.kind === 'map' && expected.kind === 'map') {
    return (
      within('map key', compare(actual.key, expected.key, seen)) ??
      within('map value', compare(actual.value, expected.value, seen))
    );
  }
  if (actual.kind === 'object' && expected.kind === 'object') {
    return actual.name === expected.name ? undefined : fieldsInto(actual, expected, seen);
  }
  if (actual.kind === 'opaque' && expected.kind === 'opaque' && actual.name !== expected.name) {
    return `got ${actual.name}, expected ${expected.name}`;
  }
  return undefined;
}

/** Reports whether a map is accepted as a list, so that Kubernetes rejects it. */
export function fillsListWithMap(actual: CelType, expected: CelType): boolean {
  if (actual.kind === 'optional') return fillsListWithMap(actual.value, expected);
  if (expected.kind === 'list' && actual.kind === 'list') return fillsListWithMap(actual.element, expected.element);
  if (expected.kind === 'map' && actual.kind === 'map') return fillsListWithMap(actual.value, expected.value);
  return expected.kind === 'list' && actual.kind === 'map';
}

/** Reports whether a value that is accepted as an object or a map has no fields, so that Kubernetes rejects it. */
export const hasNoFields = (actual: CelType, expected: CelType): boolean =>
  (expected.kind === 'object' && !['object', 'map', 'dyn', 'null', 'optional', 'param'].includes(actual.kind)) ||
  (expected.kind === 'map' && isLibraryStruct(actual));

const within = (where: string, reason: string | undefined): string | undefined => reason && `${where}: ${reason}`;

/** The fields of the value must be a subset of those of the target; in a map, any of them may be a key. */
function fieldsInto(
  actual: ObjectType | MapType,
  expected: ObjectType | MapType,
  seen: Pairs | undefined,
): string | undefined {
  const isOpen = actual.kind === 'object' && expected.kind === 'object' && expected.open;
  if (isOpen || guarded(actual, expected, seen)) return undefined;
  // An empty literal has keys of any type, which kro rejects.
  if (actual.kind === 'map' && actual.key.kind !== 'string')
    return `map keys must be strings to fill an object, got ${typeText(actual.key)}`;
  const names =
    actual.kind === 'object' ? actual.fieldNames() : expected.kind === 'object' ? expected.fieldNames() : [];
  for (const name of names) {
    const type = actual.kind === 'map' ? actual.value : actual.field(name);
    const target = expected.kind === 'map' ? expected.value : expected.field(name);
    if (target === undefined && actual.kind === 'object')
      return `field '${name}' exists in the value but not in the target`;
    const reason = type && target && compare(type, target, seen);
    if (reason !== undefined) return within(`field '${name}'`, reason);
  }
  return undefined;
}

/** Pairs of types that match, or are being compared, by their declarations. */
type Pairs = Map<unknown, Set<unknown>>;

/** A pair that is being compared, as in recursive schemas, counts as matching; so does one that was compared before. */
function guarded(actual: CelType, expected: CelType, seen: Pairs | undefined): boolean {
  // No object is compared with another one then.
  if (seen === undefined) return false;
  const one = declarationOf(actual);
  const other = declarationOf(expected);
  const partners = seen.get(one) ?? new Set();
  seen.set(one, partners);
  const depth = Math.max(formatType(actual).split('.').length, formatType(expected).split('.').length);
  if (depth > 64 || partners.has(other)) return true;
  partners.add(other);
  return false;
}

const declarationOf = (type: CelType): unknown =>
  (type.kind === 'object' ? type.declaration : undefined) ?? formatType(type);

/** For kro the types of Kubernetes' libraries are structs without fields, except those of `ip` and `cidr`. */
export const isLibraryStruct = (type: CelType): boolean =>
  type.kind === 'opaque' && type.name.startsWith('kubernetes.');
