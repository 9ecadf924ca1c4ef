import { fromPlain } from '../../src/api/plain.ts';
import { setKey, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { type CelValue, UnknownPart } from '../../src/languages/cel/index.ts';
import type { Draw } from '../differential/draw.ts';
import { anything, drawnValue, type Json, type JsonMap } from '../differential/types.ts';
import { VARIABLES } from './expressions.ts';

/** The path of an unknown part: a variable, then keys and indexes; null is a wildcard. */
export type UnknownPath = readonly (string | number | null)[];

/** Values of all variables, and what of them is unknown. */
export interface World {
  variables: JsonMap;
  unknown: readonly UnknownPath[];
}

export function worldOf(draw: Draw): World {
  const variables = Object.fromEntries(Object.entries(VARIABLES).map(([name, type]) => [name, drawnValue(draw, type)]));
  const unknown: UnknownPath[] = [];
  for (const path of draw.times(1, 4, () => pathIn(draw, variables))) {
    if (!unknown.some((other) => overlaps(path, other))) unknown.push(path);
  }
  return { variables, unknown };
}

/** Returns a path whose parent has a value. */
function pathIn(draw: Draw, variables: JsonMap): UnknownPath {
  const name = draw.pick(Object.keys(variables));
  const path: (string | number | null)[] = [name];
  let at: Json | undefined = variables[name];
  while (draw.chance(80)) {
    const keys = Array.isArray(at) ? [...at.keys()] : isMap(at) ? Object.keys(at) : [];
    if (isMap(at) && draw.chance(8)) return [...path, draw.pick(['no', 'hint', 'title', 'a'])];
    if (keys.length === 0) return path;
    const step = draw.pick<string | number>(keys);
    at = Array.isArray(at) ? at[step as number] : (at as JsonMap)[step];
    path.push(draw.chance(15) ? null : step);
  }
  return path;
}

const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reports whether one path leads into the other: which of them cel-go then names is random. */
function overlaps(one: UnknownPath, other: UnknownPath): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, at) => step === other[at] || step === null || other[at] === null);
}

/** Replaces wildcards by the keys and indexes that the values have. */
export function withoutWildcards({ variables, unknown }: World): UnknownPath[] {
  return unknown.flatMap((path) => expanded(variables, path));
}

function expanded(value: Json | undefined, [step, ...rest]: UnknownPath): UnknownPath[] {
  if (step === undefined) return [[]];
  const at = (key: string | number): UnknownPath[] => expanded(partOf(value, key), rest).map((path) => [key, ...path]);
  if (step !== null) return at(step);
  const keys = Array.isArray(value) ? [...value.keys()] : isMap(value) ? Object.keys(value) : [];
  return keys.flatMap(at);
}

const partOf = (value: Json | undefined, key: string | number): Json | undefined =>
  Array.isArray(value) ? value[key as number] : isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Returns the values of the variables with unknown parts in them. */
export function masked(variables: JsonMap, paths: readonly UnknownPath[]): Readonly<Record<string, CelValue>> {
  const values = fromPlain(variables) as Value;
  return paths.reduce<Value>(
    (value, path) => replaced(value, path, new UnknownPart(textOfPath(path)) as unknown as Value),
    values,
  ) as unknown as Readonly<Record<string, CelValue>>;
}

/** Returns variables with a random value for each unknown part, most of them of the type that it had. */
export function completed(draw: Draw, { variables }: World, paths: readonly UnknownPath[]): JsonMap {
  return paths.reduce<Json>((value, path) => {
    const had = path.reduce<Json | undefined>((at, step) => partOf(at, step as string | number), variables);
    return replaced(value, path, completion(draw, had));
  }, variables) as JsonMap;
}

function completion(draw: Draw, had: Json | undefined): Json {
  if (draw.chance(25)) return anything(draw, 2);
  if (typeof had === 'boolean') return draw.chance(50);
  if (typeof had === 'number') return draw.int(-1, 4);
  if (typeof had === 'string') return draw.pick(['', 'a', 'alpha', 'beta', 'web', '1', 'other']);
  if (Array.isArray(had)) return draw.chance(30) ? [] : had.slice(draw.int(0, had.length)).concat(had.slice(0, 1));
  return had ?? anything(draw, 1);
}

function replaced<T extends Json | Value>(value: T, [step, ...rest]: UnknownPath, by: T): T {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replaced(item as T, rest, by) : item)) as T;
  const copy: ValueMap = { ...(value as ValueMap) };
  const inner = Object.hasOwn(copy, String(step)) ? (copy[String(step)] as T) : (null as T);
  setKey<unknown>(copy, String(step), replaced(inner, rest, by));
  return copy as T;
}

export const textOfPath = (path: UnknownPath): string => JSON.stringify(path);
