import { type CelType, escapedFieldName, listOf, mapOf, type ObjectType } from '../../languages/cel/index.ts';

/**
 * The type of a variable: `dyn`, `null_type`, `bool`, `int`, `uint`, `double`, `string`, `bytes`, `duration`,
 * `timestamp`, `list(T)`, `map(K, V)`, `optional_type(T)`; or the types of the fields of an object.
 * An expression names a field as Kubernetes escapes it: `a-b` is `a__dash__b`.
 */
export type TypeDeclaration = string | { readonly [field: string]: TypeDeclaration };

/** Variables by name. */
export type Variables = { readonly [name: string]: TypeDeclaration };

const KINDS = ['dyn', 'bool', 'int', 'uint', 'double', 'string', 'bytes', 'duration', 'timestamp'] as const;
const PRIMITIVES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['null_type', { kind: 'null' }],
  ...KINDS.map((kind) => [kind, { kind }] as const),
]);

/** The maximum nesting of types: deeper or recursive types are errors. */
const MAX_TYPE_DEPTH = 200;

/** @throws TypeError for an invalid type, with the name of the variable */
export const typeOfDeclaration = (declared: TypeDeclaration, name: string): CelType => typeAt(declared, name, 0);

function typeAt(declared: TypeDeclaration, name: string, depth: number): CelType {
  if (depth > MAX_TYPE_DEPTH) throw tooDeep(name.split('.', 8).join('.'));
  if (typeof declared === 'string') return typeOfText(declared, name, depth);
  if (typeof declared !== 'object' || declared === null) throw noType(String(declared), name);
  return objectOf(declared, name, depth);
}

const tooDeep = (name: string): TypeError =>
  new TypeError(`variable ${name}: the type nests more than ${MAX_TYPE_DEPTH} deep`);

function objectOf(declared: { readonly [field: string]: TypeDeclaration }, name: string, depth: number): ObjectType {
  const fields = new Map(
    Object.entries(declared).map(([field, type]) => [
      escapedFieldName(field) ?? field,
      typeAt(type, `${name}.${field}`, depth + 1),
    ]),
  );
  return {
    kind: 'object',
    name,
    field: (field) => fields.get(field),
    fieldNames: () => [...fields.keys()],
    open: false,
    declaration: declared,
  };
}

function typeOfText(text: string, name: string, depth: number): CelType {
  if (depth > MAX_TYPE_DEPTH) throw tooDeep(name);
  const written = text.trim();
  const primitive = PRIMITIVES.get(written);
  if (primitive !== undefined) return primitive;
  const [, outer, inner = ''] = /^(list|map|optional_type)\((.*)\)$/s.exec(written) ?? [];
  if (outer === 'list') return listOf(typeOfText(inner, name, depth + 1));
  if (outer === 'optional_type') return { kind: 'optional', value: typeOfText(inner, name, depth + 1) };
  // The type of a key cannot contain a comma.
  const comma = inner.indexOf(',');
  if (outer !== 'map' || comma < 0) throw noType(text, name);
  const key = typeOfText(inner.slice(0, comma), name, depth + 1);
  if (!KEYS.includes(key.kind)) throw new TypeError(`variable ${name}: '${inner.slice(0, comma)}' cannot be a map key`);
  return mapOf(key, typeOfText(inner.slice(comma + 1), name, depth + 1));
}

const KEYS: readonly CelType['kind'][] = ['string', 'int', 'uint', 'bool', 'dyn'];

const noType = (text: string, name: string): TypeError => new TypeError(`variable ${name}: '${text}' is not a type`);
