import { groupVersionKind, type KubeObject } from '../../../src/core/model/object.ts';
import { getAt, isMap, type Path, setKey, type Value, type ValueMap } from '../../../src/core/model/value.ts';
import { builtinKinds, type Schema } from '../../../src/kubernetes/schema/index.ts';
import type { Draw } from '../../differential/draw.ts';

/** An object with one change: another value at a path, or none. */
export interface Mutant {
  /** The index of the original object. */
  base: number;
  path: Path;
  value?: Value;
}

// biome-ignore format: a table
const TEXTS = [
  '', ' ', 'a b', 'Web_1', '1web', 'web-', '-web', 'Web', 'web.example.com', 'a..b', '../a', '/a', '/a/../b', 'a/b', 'a/b/c',
  '*', '*.example.com', 'http://a.example.com', 'x'.repeat(16), 'x'.repeat(64), 'x'.repeat(254), 'None', 'other', 'Other',
  '100x', '64mb', '1GB', '1 Gi', '0', '-1', '0.5', '1e3', '10%', '110%', '3', '1Gi', '2000', 'every day', '* * * *',
  '61 * * * *', '@daily', '@never', '*/5 * * * *', '10.0.0.1', '10.0.0.0/8', '10.0.0.1/8', '::1', '300.0.0.1', 'Always',
  'Never', 'OnFailure', 'TCP', 'tcp', 'true', 'kubernetes.io/tls', 'Europe/Nowhere', 'Pod', 'metadata.name', 'status.podIP',
];
const INTEGERS = [0n, -1n, 1n, 2n, 3n, 10n, 29999n, 65535n, 65536n, 70000n, 86401n, 2n ** 31n - 1n];
const KEYS = [
  'a b',
  'a/b/c',
  '',
  'x'.repeat(64),
  '/a',
  'a.example.com/b',
  'A_b',
  '..',
  'cpu',
  'storage',
  'memory',
  'pods',
];

/** Returns the paths that can be changed: not those that identify the object. */
export function placesIn(object: KubeObject): Path[] {
  const places: Path[] = [];
  const walk = (value: Value, path: Path): void => {
    if (path.length > 0) places.push(path);
    if (Array.isArray(value)) for (const [index, one] of value.entries()) walk(one, [...path, index]);
    else if (isMap(value)) for (const key of Object.keys(value)) walk(value[key] as Value, [...path, key]);
  };
  walk(object, []);
  return places.filter(([first, second]) => !isIdentity(first, second));
}

const isIdentity = (first: unknown, second: unknown): boolean =>
  first === 'apiVersion' ||
  first === 'kind' ||
  first === 'status' ||
  (first === 'metadata' && (second === 'namespace' || second === undefined));

/** Returns an object with the change of a mutant. */
export function mutated(object: KubeObject, { path, value }: Mutant): KubeObject {
  const copy = structuredClone(object);
  const step = path.at(-1) as string | number;
  const parent = getAt(copy, path.slice(0, -1));
  if (Array.isArray(parent) && typeof step === 'number') {
    if (value === undefined) parent.splice(step, 1);
    else parent[step] = value;
  } else if (isMap(parent)) {
    if (value === undefined) delete parent[step];
    else setKey(parent, String(step), value);
  }
  return copy;
}

/** Draws a change of one of the objects; `elsewhere` holds the values of fields of the same name. */
export function drawMutant(
  draw: Draw,
  objects: readonly KubeObject[],
  elsewhere: ReadonlyMap<string, Value[]>,
): Mutant {
  const base = draw.int(0, objects.length - 1);
  const object = objects[base] as KubeObject;
  const path = draw.pick(placesIn(object));
  const before = getAt(object, path) as Value;
  if (draw.chance(18)) return { base, path };
  const same = elsewhere.get(String(path.findLast((step) => typeof step === 'string'))) ?? [];
  if (same.length > 0 && draw.chance(10)) return { base, path, value: fitting(before, draw.pick(same)) };
  if (typeof before === 'string')
    return { base, path, value: draw.chance(97) ? draw.pick(TEXTS) : draw.pick(INTEGERS) };
  if (typeof before === 'bigint')
    return { base, path, value: draw.chance(90) ? draw.pick(INTEGERS) : draw.pick(TEXTS) };
  if (typeof before === 'boolean') return { base, path, value: draw.chance(90) ? !before : 'yes' };
  if (Array.isArray(before)) return { base, path, value: listFor(draw, before) };
  return { base, path, ...added(draw, object, path, (before ?? {}) as ValueMap, elsewhere) };
}

/** Keeps lists as lists, so that most mutants are rejected for their values and not for their types. */
const fitting = (before: Value, other: Value): Value =>
  Array.isArray(before) === Array.isArray(other) ? other : before;

function listFor(draw: Draw, before: readonly Value[]): Value[] {
  const first = before[0] ?? 'a';
  return draw.pick<Value[]>([
    [],
    [...before, first],
    [...before, isMap(first) ? {} : ''],
    before.slice(1),
    [...before].reverse(),
  ]);
}

/** Returns a map with one more field: one of its schema with a value from elsewhere, or any key if all are allowed. */
function added(
  draw: Draw,
  object: KubeObject,
  path: Path,
  before: ValueMap,
  elsewhere: ReadonlyMap<string, Value[]>,
): { value: Value } {
  if (draw.chance(12)) return { value: {} };
  const schema = schemaAt(object, path);
  const fields = Object.entries(schema?.properties ?? {}).filter(
    ([key]) => !Object.hasOwn(before, key) && key !== 'status',
  );
  if (fields.length === 0)
    return { value: { ...before, [draw.pick(KEYS)]: draw.pick(Object.values(before).concat('a', '1')) } };
  const [key, one] = draw.pick(fields);
  const known = elsewhere.get(key) ?? [];
  return { value: { ...before, [key]: known.length > 0 && draw.chance(70) ? draw.pick(known) : valueFor(draw, one) } };
}

function valueFor(draw: Draw, schema: Schema): Value {
  if (schema.enum !== undefined) return draw.pick(schema.enum);
  if (schema.type === 'integer' || schema.type === 'number') return draw.pick(INTEGERS);
  if (schema.type === 'boolean') return draw.chance(50);
  if (schema.type === 'array')
    return draw.chance(30) || schema.items === undefined ? [] : [valueFor(draw, schema.items)];
  if (schema.type !== 'object' && schema.properties === undefined) return draw.pick(TEXTS);
  const value: ValueMap = {};
  for (const key of schema.required ?? []) value[key] = valueFor(draw, schema.properties?.[key] ?? {});
  const [key, one] = draw.pick(Object.entries(schema.properties ?? { a: {} }));
  if (draw.chance(60)) value[key] = valueFor(draw, one);
  return value;
}

function schemaAt(object: KubeObject, path: Path): Schema | undefined {
  let schema = builtinKinds.find(groupVersionKind(object))?.schema;
  for (const step of path) {
    if (typeof step === 'number') schema = schema?.items;
    else
      schema =
        schema?.properties?.[step] ??
        (typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  }
  return schema;
}

/** Returns the values of all fields of some objects by the name of the field. */
export function valuesByField(objects: readonly KubeObject[]): Map<string, Value[]> {
  const values = new Map<string, Value[]>();
  for (const object of objects) {
    for (const path of placesIn(object)) {
      const step = path.at(-1);
      if (typeof step !== 'string') continue;
      values.set(step, [...(values.get(step) ?? []), getAt(object, path) as Value]);
    }
  }
  return values;
}

/** Returns mutants with every field of an object removed, and emptied. */
export function sweep(objects: readonly KubeObject[]): Mutant[] {
  return objects.flatMap((object, base) =>
    placesIn(object).flatMap((path) => {
      const before = getAt(object, path) as Value;
      const empty = Array.isArray(before) ? [] : isMap(before) ? {} : typeof before === 'string' ? '' : 0n;
      return [{ base, path }, ...(typeof before === 'boolean' ? [] : [{ base, path, value: empty }])];
    }),
  );
}
