import type { Draw } from './draw.ts';

/** The type of a value, as far as generators need to know it. */
export type Type =
  | 'string'
  | 'int'
  | 'bool'
  | 'double'
  | 'dyn'
  | { list: Type }
  | { map: Type }
  | { fields: Readonly<Record<string, Field>> };

export interface Field {
  type: Type;
  /** The field may be missing from a value. */
  optional: boolean;
}

/** JSON as it stands in a package; integers are numbers within 2^53. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonMap = { [key: string]: Json };

export const strings = [
  '',
  'a',
  'web',
  'blue-green',
  'Ünï',
  'a.b/c',
  '10',
  'true',
  'x y',
  '1Gi',
  '2024-01-02T03:04:05Z',
];
export const names = ['alpha', 'beta', 'gamma', 'delta'];
export const keys = ['a', 'b', 'team', 'dash-key', 'dot.key', 'x/y'];
const integers = [0, 1, 2, 3, 7, -1, 80, 8080, 2147483647];
const doubles = [0.5, 1.5, -2.25, 3, 100];

export const isList = (type: Type): type is { list: Type } => typeof type === 'object' && 'list' in type;
export const isMapType = (type: Type): type is { map: Type } => typeof type === 'object' && 'map' in type;
export const isStruct = (type: Type): type is { fields: Readonly<Record<string, Field>> } =>
  typeof type === 'object' && 'fields' in type;

export function sameType(a: Type, b: Type): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A value of a type. */
export function drawnValue(draw: Draw, type: Type): Json {
  if (type === 'string') return draw.pick(draw.chance(60) ? names : strings);
  if (type === 'int') return draw.pick(integers);
  if (type === 'bool') return draw.chance(50);
  if (type === 'double') return draw.pick(doubles);
  if (type === 'dyn') return anything(draw, 2);
  if (isList(type)) return distinct(draw.times(0, 3, () => drawnValue(draw, type.list)));
  if (isMapType(type)) return Object.fromEntries(draw.times(0, 3, () => [draw.pick(keys), drawnValue(draw, type.map)]));
  const fields: JsonMap = {};
  for (const [name, field] of Object.entries(type.fields)) {
    if (!field.optional || draw.chance(60)) fields[name] = drawnValue(draw, field.type);
  }
  return fields;
}

/** A value of any type. */
export function anything(draw: Draw, depth: number): Json {
  const scalars: Type[] = ['string', 'int', 'bool', 'double'];
  if (depth === 0 || draw.chance(50)) return draw.chance(8) ? null : drawnValue(draw, draw.pick(scalars));
  if (draw.chance(50)) return draw.times(0, 3, () => anything(draw, depth - 1));
  return Object.fromEntries(draw.times(0, 3, () => [draw.pick(keys), anything(draw, depth - 1)]));
}

function distinct(values: Json[]): Json[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    return seen.has(text) ? false : seen.add(text) !== undefined;
  });
}
