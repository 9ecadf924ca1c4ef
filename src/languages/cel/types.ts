/**
 * CEL types for the checker (https://github.com/google/cel-spec/blob/master/doc/langdef.md#values). Types are plain
 * data; objects are nominal: two object types are equal if their names are.
 */
export type CelType =
  | PrimitiveType
  | ListType
  | MapType
  | OptionalType
  | TypeType
  | ObjectType
  | OpaqueType
  | TypeParam;

type PrimitiveKind =
  | 'dyn'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'duration'
  | 'timestamp';

/** Properties of a schema beyond its type; they change reads, not assignability. */
interface OfData {
  /** null is a value. */
  nullable?: boolean;
}
interface PrimitiveType extends OfData {
  kind: PrimitiveKind;
  /** Set for a dyn with a schema, which null only matches if it is nullable. */
  strict?: boolean;
}
/**
 * `listType` and `mapKeys` come from the schema (x-kubernetes-list-type) and change `==` and `+`, not assignability.
 * The objects of a `collection` are read one by one: no schema describes their list.
 */
export interface ListType extends OfData {
  kind: 'list';
  element: CelType;
  collection?: true;
  listType?: 'set' | 'map';
  mapKeys?: readonly string[];
}
export interface MapType extends OfData {
  kind: 'map';
  key: CelType;
  value: CelType;
}
export interface OptionalType extends OfData {
  kind: 'optional';
  value: CelType;
}
/** The type of a type value such as `int`; `of` is the type it denotes. */
export interface TypeType extends OfData {
  kind: 'type';
  of: CelType;
}
/** A struct with declared fields, for example `__type_deployment.spec`. Field names are CEL-escaped. */
export interface ObjectType extends OfData {
  kind: 'object';
  name: string;
  /** Returns the type of a field, `undefined` if there is none. Computed on first use. */
  field(name: string): CelType | undefined;
  fieldNames(): readonly string[];
  /** Unknown fields are allowed and dyn (x-kubernetes-preserve-unknown-fields). */
  open: boolean;
  /** The declaration: a recursive type has another name and the same declaration. */
  declaration?: object;
  /** No field is declared, so that the data is not converted (kro: pkg/cel/unstructured). */
  bare?: boolean;
}
/** A library's own type, for example `kubernetes.Quantity`. */
export interface OpaqueType extends OfData {
  kind: 'opaque';
  name: string;
}
/** A type variable of a function signature. */
export interface TypeParam extends OfData {
  kind: 'param';
  name: string;
}

export const DYN: CelType = { kind: 'dyn' };
export const NULL: CelType = { kind: 'null' };
export const BOOL: CelType = { kind: 'bool' };
export const INT: CelType = { kind: 'int' };
export const UINT: CelType = { kind: 'uint' };
export const DOUBLE: CelType = { kind: 'double' };
export const STRING: CelType = { kind: 'string' };
export const BYTES: CelType = { kind: 'bytes' };
export const DURATION: CelType = { kind: 'duration' };
export const TIMESTAMP: CelType = { kind: 'timestamp' };

export const listOf = (element: CelType): ListType => ({ kind: 'list', element });
export const mapOf = (key: CelType, value: CelType): MapType => ({ kind: 'map', key, value });
export const optionalOf = (value: CelType): OptionalType => ({ kind: 'optional', value });
export const typeOf = (of: CelType): TypeType => ({ kind: 'type', of });
export const opaque = (name: string): OpaqueType => ({ kind: 'opaque', name });
export const param = (name: string): TypeParam => ({ kind: 'param', name });

const WRITTEN: Partial<Record<CelType['kind'], string>> = {
  null: 'null_type',
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

/** Formats the type as cel-go does in messages: `list(string)`, `map(string, int)`, `optional_type(bool)`. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.element)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'optional':
      return `optional_type(${formatType(type.value)})`;
    case 'type':
      return `type(${formatType(type.of)})`;
    case 'object':
    case 'opaque':
    case 'param':
      return type.name;
    default:
      return WRITTEN[type.kind] ?? type.kind;
  }
}
