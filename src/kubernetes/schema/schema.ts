import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { type GroupVersionKind, groupKind } from '../../core/model/object.ts';
import type { KubernetesRelease } from '../../core/model/render.ts';
import type { Value } from '../../core/model/value.ts';

/**
 * An OpenAPI v3 schema (k8s.io/apiextensions-apiserver, JSONSchemaProps) with every `$ref` resolved: schemas may be
 * shared and cyclic, so walk them along a value or with a guard. Immutable once built.
 */
export interface Schema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: string[];
  enum?: Value[];
  default?: Value;
  nullable?: boolean;
  minimum?: bigint | number;
  maximum?: bigint | number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: bigint | number;
  minLength?: bigint;
  maxLength?: bigint;
  minItems?: bigint;
  maxItems?: bigint;
  minProperties?: bigint;
  maxProperties?: bigint;
  uniqueItems?: boolean;
  pattern?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  'x-kubernetes-validations'?: ValidationRule[];
}

export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

export interface KindInfo {
  /** The schema that an API server publishes. */
  schema: Schema;
  namespaced: boolean;
  /** The schema of a CRD as written, against which objects are validated. */
  written?(): Schema;
}

/** Describes kinds by group, version and kind. Registries are searched one after the other. */
export interface KindRegistry {
  find(kind: GroupVersionKind): KindInfo | undefined;
  /** Returns the known kinds for "did you mean" hints: `Kind.version.group`. May be slow. */
  names(): Iterable<string>;
  /** The release of Kubernetes whose kinds it has; undefined if a cluster's document has them, or it has others only. */
  readonly release?: KubernetesRelease;
}

export const kindName = ({ group, version, kind }: GroupVersionKind): string => `${kind}.${version}.${group}`;

export function readKindName(name: string): GroupVersionKind {
  const [kind = '', version = '', ...group] = name.split('.');
  return { kind, version, group: group.join('.') };
}

export function firstOf(registries: readonly KindRegistry[]): KindRegistry {
  const release = registries.map((one) => one.release).find((one) => one !== undefined);
  return {
    ...(release !== undefined && { release }),
    find(kind) {
      for (const registry of registries) {
        const found = registry.find(kind);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    *names() {
      for (const registry of registries) yield* registry.names();
    },
  };
}

/** Returns a function that reports whether a registry knows a kind, in any version. */
export function describedBy(kinds: KindRegistry): (gvk: GroupVersionKind) => boolean {
  const described = lazily(() => new Set([...kinds.names()].map((name) => groupKind(readKindName(name)))));
  return (gvk) => kinds.find(gvk) !== undefined || described().has(groupKind(gvk));
}

/** A schema in another one: of a field, or of the items of a list or the values of a map. */
interface SchemaPart {
  schema: Schema;
  /** The keyword that contains it, or the name of its field. */
  key: string;
  of: 'field' | 'items' | 'values';
}

export function partsOf({ properties = {}, items, additionalProperties }: Schema): SchemaPart[] {
  const parts = Object.entries(properties).map(([key, schema]): SchemaPart => ({ schema, key, of: 'field' }));
  if (items !== undefined) parts.push({ schema: items, key: 'items', of: 'items' });
  if (typeof additionalProperties === 'object')
    parts.push({ schema: additionalProperties, key: 'additionalProperties', of: 'values' });
  return parts;
}

export function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  return valueSchema(schema);
}

export const valueSchema = (schema: Schema | undefined): Schema | undefined =>
  typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;

/** Returns the schema at a path of a value, in which numbers are items of lists. */
export const schemaAt = (schema: Schema | undefined, path: readonly (string | number)[]): Schema | undefined =>
  path.reduce<Schema | undefined>(
    (at, step) => (typeof step === 'number' ? at?.items : memberSchema(at, step)),
    schema,
  );

/** The size of a schema written out in a CRD, where a shared part is repeated for each use. */
interface Extent {
  /** The approximate characters of its JSON. */
  characters: number;
  /** The nesting of fields, items and map values. */
  depth: number;
}

/** Cached extents of schemas. A schema is never changed after it is built. */
export type KnownExtents = WeakMap<Schema, Extent>;

/** Visits each part once, however often it is used, so that this takes no longer than the schema took to write. */
export const extentOf = (schema: Schema, known: KnownExtents): Extent =>
  getOrCompute(known, schema, () => {
    const { properties: _, items: __, additionalProperties: ___, ...own } = schema;
    const extent = { characters: sizeOf(own as Value), depth: 1 };
    for (const { schema: below, key } of partsOf(schema)) {
      const inner = extentOf(below, known);
      extent.characters += key.length + QUOTES + inner.characters;
      extent.depth = Math.max(extent.depth, 1 + inner.depth);
    }
    return extent;
  });

const QUOTES = 4;

function sizeOf(value: Value | undefined): number {
  if (typeof value === 'string') return value.length + 2;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item) + 1, 2);
  if (typeof value !== 'object' || value === null) return 5;
  return Object.keys(value).reduce((sum, key) => sum + key.length + QUOTES + sizeOf(value[key]), 2);
}

/** Returns the characters of a schema beyond those that are written. */
export const multiplied = (schema: Schema, written: Value | undefined): number =>
  Math.max(0, extentOf(schema, new WeakMap()).characters - OWN - PER_WRITTEN * sizeOf(written));

/** The characters that every instance has, and the growth of each written one: `a: string` is a schema with a type. */
const OWN = 3000;
const PER_WRITTEN = 6;
