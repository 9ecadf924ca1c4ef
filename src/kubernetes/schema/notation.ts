import type { Schema } from './schema.ts';

type Resolve = (ref: string) => Schema | undefined;

/** A schema in the table: `TYPE`, `TYPE:FORMAT` or `#DEFINITION`; a list of items, list type and keys; a map. */
type Notation = string | readonly [Notation?, ...string[]] | WrittenSchema;

/** `*` is a map with such values; the other keywords are those of OpenAPI. */
interface WrittenSchema extends Omit<Schema, 'properties' | 'additionalProperties' | 'oneOf' | 'items'> {
  '*'?: Notation;
  properties?: Record<string, Notation>;
  additionalProperties?: Notation;
  oneOf?: Notation[];
}

/** Reads a schema in the notation of `data/kubernetes.json` into `schema`. */
export function readNotation(schema: Schema, text: string, resolve: Resolve): void {
  const written: Notation = JSON.parse(text);
  if (isMap(written)) fill(schema, written, resolve);
  else Object.assign(schema, read(written, resolve));
}

function read(written: Notation, resolve: Resolve): Schema {
  if (typeof written === 'string') return written.startsWith('#') ? (resolve(written.slice(1)) ?? {}) : scalar(written);
  return isMap(written) ? fill({}, written, resolve) : list(written, resolve);
}

const isMap = (written: Notation): written is WrittenSchema => typeof written === 'object' && !Array.isArray(written);

const scalars = new Map<string, Schema>();

function scalar(name: string): Schema {
  let schema = scalars.get(name);
  if (schema === undefined) {
    const [type, format] = name.split(':');
    schema = { type: type as Exclude<Schema['type'], undefined>, ...(format === undefined ? {} : { format }) };
    scalars.set(name, schema);
  }
  return schema;
}

function list([item = {}, listType, ...keys]: readonly [Notation?, ...string[]], resolve: Resolve): Schema {
  const schema: Schema = { type: 'array', items: read(item, resolve) };
  if (listType !== undefined) schema['x-kubernetes-list-type'] = listType as 'atomic' | 'set' | 'map';
  if (keys.length > 0) schema['x-kubernetes-list-map-keys'] = keys;
  return schema;
}

function fill(schema: Schema, written: WrittenSchema, resolve: Resolve): Schema {
  const { '*': values, properties, additionalProperties, oneOf, ...rest } = written;
  Object.assign(schema, rest);
  const others = values ?? additionalProperties;
  if (others !== undefined) schema.additionalProperties = read(others, resolve);
  if (oneOf !== undefined) schema.oneOf = oneOf.map((one) => read(one, resolve));
  if (values !== undefined || properties !== undefined) schema.type ??= 'object';
  if (schema.enum !== undefined) schema.type ??= 'string';
  // Built-in types are marked by the format only, see `fillSchema`.
  if (schema.format === 'int-or-string') schema['x-kubernetes-int-or-string'] = true;
  if (properties !== undefined) readLater(schema, properties, resolve);
  return schema;
}

/** Reads fields on demand: a Pod refers to a hundred definitions, but most templates use a handful. */
function readLater(schema: Schema, properties: Record<string, Notation>, resolve: Resolve): void {
  Object.defineProperty(schema, 'properties', {
    enumerable: true,
    configurable: true,
    get() {
      const entries = Object.entries(properties).map(([name, property]) => [name, read(property, resolve)]);
      const value = Object.fromEntries(entries);
      Object.defineProperty(schema, 'properties', { value, enumerable: true });
      return value;
    },
  });
}
