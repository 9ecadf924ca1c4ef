import table from '../../../data/kubernetes.json';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { NEWEST_KUBERNETES } from '../../core/model/render.ts';
import { type KindRegistry, kindName, type Schema } from './schema.ts';

type Definitions = (name: string) => Schema | undefined;

/**
 * Reads definitions on demand into schemas that all readers share and that may be cyclic. A referenced one is read
 * after the current one and not recursively, because chains may have any length.
 */
export function definitionsFrom<T>(
  find: (name: string) => T | undefined,
  read: (schema: Schema, written: T, definition: Definitions, name: string) => void,
): Definitions {
  const known = new Map<string, Schema | undefined>();
  const deferred: (() => void)[] = [];
  const definition: Definitions = (name) => {
    if (known.has(name)) return known.get(name);
    const written = find(name);
    const schema: Schema | undefined = written === undefined ? undefined : {};
    known.set(name, schema);
    if (written === undefined || schema === undefined) return undefined;
    deferred.push(() => read(schema, written, definition, name));
    // The first caller reads the others too.
    if (deferred.length === 1) {
      for (const readNext of deferred) readNext();
      deferred.length = 0;
    }
    return schema;
  };
  return definition;
}

type Resolve = (ref: string) => Schema | undefined;

/** A schema in the table: `TYPE`, `TYPE:FORMAT` or `#DEFINITION`; a list of items, list type and keys; a map. */
export type Notation = string | readonly [Notation?, ...string[]] | WrittenSchema;

/** `*` is a map with such values; the other keywords are those of OpenAPI. */
export interface WrittenSchema extends Omit<Schema, 'properties' | 'additionalProperties' | 'oneOf' | 'items'> {
  '*'?: Notation;
  properties?: Record<string, Notation>;
  additionalProperties?: Notation;
  oneOf?: Notation[];
}

export function readNotation(schema: Schema, written: Notation, resolve: Resolve): void {
  if (isMap(written)) fill(schema, written, resolve);
  else Object.assign(schema, read(written, resolve));
}

function read(written: Notation, resolve: Resolve): Schema {
  if (typeof written === 'string') return written.startsWith('#') ? (resolve(written.slice(1)) ?? {}) : scalar(written);
  return isMap(written) ? fill({}, written, resolve) : list(written, resolve);
}

const isMap = (written: Notation): written is WrittenSchema => typeof written === 'object' && !Array.isArray(written);

const scalars = new Map<string, Schema>();

const scalar = (name: string): Schema =>
  getOrCompute(scalars, name, () => {
    const [type, format] = name.split(':');
    return { type: type as Exclude<Schema['type'], undefined>, ...(format === undefined ? {} : { format }) };
  });

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

/** The format of the table is described in tools/kubernetes-types/README.md. */
const { definitions, kinds } = table;

/** Kubernetes' own definitions by name without `io.k8s.`: `api.core.v1.Pod`. */
export const builtinDefinition: Definitions = definitionsFrom(builtinNotation, readNotation);

/** The kinds that the newest API server of Kubernetes itself serves, alpha and beta versions included. */
export const builtinKinds: KindRegistry = {
  release: NEWEST_KUBERNETES,
  find(asked) {
    const line = builtinLines().get(kindName(asked));
    const schema = line && builtinDefinition(line.definition);
    return schema && { schema, namespaced: line.namespaced };
  },
  names: () => builtinLines().keys(),
};

/** A kind of the table. */
export interface KindLine {
  namespaced: boolean;
  definition: string;
}

/** Reads `GROUP VERSION KIND`, the scope and the definition. */
export function readKindLine(line: string): KindLine & { name: string } {
  const [written = '', version = '', kind = '', scope, definition = ''] = line.split(' ');
  const group = written === '-' ? '' : written;
  return { name: kindName({ group, version, kind }), namespaced: scope === 'N', definition };
}

export const builtinLines = lazily(() => {
  const lines = new Map<string, KindLine>();
  for (const line of kinds.split('\n')) {
    const { name, ...kind } = readKindLine(line);
    lines.set(name, kind);
  }
  return lines;
});

/** Returns a definition of the newest release. Others are not parsed, to start fast. */
export function builtinNotation(name: string): Notation | undefined {
  const text = textOf(name);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Finds a definition in the table, whose lines are sorted by name. */
function textOf(name: string): string | undefined {
  const wanted = `${name} `;
  let from = 0;
  let to = definitions.length;
  while (from < to) {
    const start = definitions.lastIndexOf('\n', ((from + to) >> 1) - 1) + 1;
    const end = lineEnd(start);
    if (definitions.startsWith(wanted, start)) return definitions.slice(start + wanted.length, end);
    if (definitions.slice(start, start + wanted.length) < wanted) from = end + 1;
    else to = start;
  }
  return undefined;
}

function lineEnd(start: number): number {
  const end = definitions.indexOf('\n', start);
  return end < 0 ? definitions.length : end;
}

/** `metadata` of every kind: Kubernetes' ObjectMeta. */
export const objectMetaSchema: Schema = builtinDefinition('apimachinery.pkg.apis.meta.v1.ObjectMeta') ?? {};

/** `metadata` of cluster-scoped instances (kro: NamespacelessObjectMetaSchema). */
export const namespacelessObjectMetaSchema: Schema = withoutProperty(objectMetaSchema, 'namespace');

function withoutProperty(schema: Schema, name: string): Schema {
  const { [name]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}
