import type { KubeObject } from '../../core/model/object.ts';
import { isMap, type Value } from '../../core/model/value.ts';
import { withOwn } from './texts.ts';

/** The values of an object by path; items of lists are named by their `name`, or counted. */
export type Leaves = ReadonlyMap<string, string>;

/** Returns the values of an object, with a mark for the name of its copy. */
export function leavesOf(object: KubeObject, name: string): Leaves {
  const leaves = new Map<string, string>();
  const visit = (value: Value, path: string): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, `${path}[${itemName(item, name) ?? index}]`);
    } else if (isMap(value)) {
      for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`);
    } else leaves.set(path, typeof value === 'string' ? withOwn(value, name) : String(value));
  };
  visit(object, '');
  return leaves;
}

const itemName = (item: Value, own: string): string | undefined =>
  isMap(item) && typeof item.name === 'string' ? withOwn(item.name, own) : undefined;

/** Returns the share of fields, of the smaller set, that the other one has too. */
export function sharedFields(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? ([a, b] as const) : ([b, a] as const);
  if (small.size === 0) return 1;
  let shared = 0;
  for (const path of small) if (large.has(path)) shared += 1;
  return shared / small.size;
}

/** Returns the share of values of both that are equal. */
export function equalValues(a: Leaves, b: Leaves): number {
  const all = new Set([...a.keys(), ...b.keys()]);
  if (all.size === 0) return 1;
  let equal = 0;
  for (const path of all) if (a.get(path) !== undefined && a.get(path) === b.get(path)) equal += 1;
  return equal / all.size;
}

/** Returns the share of fields of both that both have, whatever the items of their lists are called. */
export function samePaths(a: Leaves, b: Leaves): number {
  const ofA = new Set([...a.keys()].map(withoutItems));
  const ofB = new Set([...b.keys()].map(withoutItems));
  const all = new Set([...ofA, ...ofB]);
  if (all.size === 0) return 1;
  let shared = 0;
  for (const path of all) if (ofA.has(path) && ofB.has(path)) shared += 1;
  return shared / all.size;
}

/** Returns a path without the names and numbers of items: `.spec.containers[].image`. */
export const withoutItems = (path: string): string =>
  path
    .split('[')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf(']') + 1)))
    .join('[]');
