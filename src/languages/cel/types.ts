import { ownValue } from '../../core/model/value.ts';
/** CEL types (https://github.com/google/cel-spec/blob/master/doc/langdef.md#values). Object types are equal by name. */
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
/** `listType` and `mapKeys` (x-kubernetes-list-type) change `==` and `+`. Items of a `collection` are read one by one. */
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
export interface ObjectType<Class = unknown> extends OfData {
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
  readonly values?: Class;
}
/** A library's own type, for example `kubernetes.Quantity`, with values of a class. */
export interface OpaqueType<Class = unknown> extends OfData {
  kind: 'opaque';
  name: string;
  readonly values?: Class;
}
/** A type variable of a function signature. */
export interface TypeParam extends OfData {
  kind: 'param';
  name: string;
}

type Primitive<K extends PrimitiveKind> = PrimitiveType & { kind: K };

export const DYN: Primitive<'dyn'> = { kind: 'dyn' };
export const NULL: Primitive<'null'> = { kind: 'null' };
export const BOOL: Primitive<'bool'> = { kind: 'bool' };
export const INT: Primitive<'int'> = { kind: 'int' };
export const UINT: Primitive<'uint'> = { kind: 'uint' };
export const DOUBLE: Primitive<'double'> = { kind: 'double' };
export const STRING: Primitive<'string'> = { kind: 'string' };
export const BYTES: Primitive<'bytes'> = { kind: 'bytes' };
export const DURATION: Primitive<'duration'> = { kind: 'duration' };
export const TIMESTAMP: Primitive<'timestamp'> = { kind: 'timestamp' };

export const listOf = <E extends CelType>(element: E): ListType & { element: E } => ({ kind: 'list', element });
export const mapOf = (key: CelType, value: CelType): MapType => ({ kind: 'map', key, value });
export const optionalOf = (value: CelType): OptionalType => ({ kind: 'optional', value });
export const typeOf = (of: CelType): TypeType => ({ kind: 'type', of });
export const opaque = <Class>(name: string): OpaqueType<Class> => ({ kind: 'opaque', name });
export const param = (name: string): TypeParam => ({ kind: 'param', name });

export const TYPE_NAMES: Partial<Record<CelType['kind'], string>> = {
  null: 'null_type',
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

/** Formats the type as cel-go does in messages: `list(string)`, `map(string, int)`, `optional_type(bool)`. */
export const formatType = (type: CelType): string => formatTypeWith(type, TYPE_NAMES, ({ name }) => name);

/** Does the same with other names of kinds and objects; a kind without one has its own name. */
export function formatTypeWith(
  type: CelType,
  written: typeof TYPE_NAMES,
  ofObject: (type: ObjectType) => string = ({ name }) => name,
): string {
  const parts = PARTS[type.kind] && partsOf(type).map((part) => formatTypeWith(part, written, ofObject));
  if (parts !== undefined) return `${type.kind === 'optional' ? 'optional_type' : type.kind}(${parts.join(', ')})`;
  if (type.kind === 'object') return ofObject(type);
  return 'name' in type ? type.name : (written[type.kind] ?? type.kind);
}

/** Formats a type as the checker of cel-go does, which differs from the run-time name for a few. */
export const describeType = (type: CelType): string => formatTypeWith(type, {});

/** The type of an expression with an error; it matches every type, so that one error is reported once. */
export const ERROR: CelType = { kind: 'opaque', name: '!error!' };

/** Returns the name of a type without its parts: `list`, `optional_type`. */
export const typeName = (type: CelType): string => /^[^(]*/.exec(formatType(type))?.[0] ?? '';

const PARTS: Partial<Record<CelType['kind'], readonly string[]>> = {
  list: ['element'],
  map: ['key', 'value'],
  optional: ['value'],
  type: ['of'],
};

export const partsOf = (type: CelType): readonly CelType[] =>
  (ownValue(PARTS, type.kind) ?? []).map((key) => ownValue(type as unknown as Record<string, CelType>, key) as CelType);

/** Returns the type with its parts replaced, or itself if nothing changes. */
export function mapParts(type: CelType, replace: (part: CelType) => CelType): CelType {
  const keys = PARTS[type.kind];
  if (keys === undefined) return type;
  const parts = partsOf(type);
  const replaced = parts.map(replace);
  const isSame = replaced.every((part, index) => part === parts[index]);
  return isSame ? type : { ...type, ...Object.fromEntries(keys.map((key, index) => [key, replaced[index]])) };
}

/** Returns the type of a field, of an element or of an entry in data of a type; undeclared ones are dyn. */
export function partType(type: CelType, field: string | undefined): CelType {
  if (type.kind === 'map') return type.value;
  if (type.kind === 'list') return type.element;
  return (type.kind === 'object' && field !== undefined ? type.field(field) : undefined) ?? DYN;
}

/** The types that CEL names (https://github.com/google/cel-spec/blob/master/doc/langdef.md#types). */
export const namedTypes: ReadonlyMap<string, CelType> = new Map(
  [
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    listOf(DYN),
    mapOf(DYN, DYN),
    NULL,
    optionalOf(DYN),
    STRING,
    TIMESTAMP,
    typeOf(DYN),
    UINT,
  ].map((type): [string, CelType] => [typeName(type), type]),
);

const RESERVED = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

const ESCAPES: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** Returns the data key of a declared field: `a__dash__b` is `a-b` (k8s.io/apiserver/pkg/cel Unescape). */
export function rawFieldName(name: string): string {
  if (!name.includes('__')) return name;
  const whole = /^__([a-z]+)__$/.exec(name)?.[1];
  if (whole !== undefined && RESERVED.has(whole)) return whole;
  return name.replace(/__([^_]+)__/g, (all, word: string) =>
    Object.hasOwn(ESCAPES, word) ? (ESCAPES[word] ?? all) : all,
  );
}

const ESCAPED: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** Returns a property name as an identifier (k8s.io/apiserver/pkg/cel Escape); `undefined` if it cannot be written. */
export function escapedFieldName(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[.\-/]/g, (part) => ownValue(ESCAPED, part) as string);
}
