import { MAX_VALUE_DEPTH } from '../core/model/limits.ts';
import { formatPath, mapItems, type Path, setKey, type Value, type ValueMap } from '../core/model/value.ts';
import type { JsonValue } from './types.ts';

/**
 * Converts a JavaScript value: safe integers become exact ones, undefined members are omitted.
 * @throws TypeError for values that JSON cannot represent, that contain themselves or nest too deep, with their path
 */
export const fromPlain = (value: JsonValue, path: Path = []): Value =>
  valueAt(value, { path: [...path], around: new Set() });

/** The position of a walk: the path, and the lists and maps on it. */
interface Walk {
  path: (string | number)[];
  around: Set<object>;
}

function valueAt(value: JsonValue, walk: Walk): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : finite(value, walk);
  if (Array.isArray(value)) {
    enter(value, walk);
    // A plain loop, because map skips the holes of an array.
    const list: Value[] = [];
    for (let index = 0; index < value.length; index += 1) list.push(memberAt(value[index] ?? null, index, walk));
    walk.around.delete(value);
    return list;
  }
  const attributes = isPlainMap(value) ? [] : attributesOf(value);
  if (attributes === undefined) return scalar(value, walk);
  const members = value as { readonly [key: string]: JsonValue | undefined };
  const names = new Map(attributes.map((attribute) => [attribute.name, attribute.baseName]));
  enter(members, walk);
  const map: ValueMap = {};
  for (const key of Object.keys(members)) {
    const member = names.has(key) ? timeText(members[key]) : members[key];
    const name = names.get(key) ?? key;
    if (member !== undefined) setKey(map, name, memberAt(member, name, walk));
  }
  walk.around.delete(members);
  return map;
}

/** The name of a field in a generated class of the Kubernetes client, and in Kubernetes: `_from` is `from`. */
interface Attribute {
  name: string;
  baseName: string;
}

/** Returns the renamed fields of an instance of a generated class; `undefined` for values that are not data. */
function attributesOf(value: unknown): readonly Attribute[] | undefined {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return undefined;
  if (Object.prototype.toString.call(value) !== '[object Object]') return undefined;
  const described = (value.constructor as { getAttributeTypeMap?: unknown } | undefined)?.getAttributeTypeMap;
  const attributes: unknown = typeof described === 'function' ? described.call(value.constructor) : [];
  return Array.isArray(attributes) ? attributes : [];
}

/** Generated classes have timestamps as dates; Kubernetes writes whole seconds without a fraction. */
const timeText = (value: JsonValue | undefined): JsonValue | undefined =>
  (value as unknown) instanceof Date ? (value as unknown as Date).toISOString().replace(/\.0+Z$/, 'Z') : value;

function memberAt(value: JsonValue, step: string | number, walk: Walk): Value {
  walk.path.push(step);
  const member = valueAt(value, walk);
  walk.path.pop();
  return member;
}

function enter(value: object, { path, around }: Walk): void {
  if (around.has(value)) throw new TypeError(`a value that is part of itself, at ${formatPath(path)}`);
  if (around.size >= MAX_VALUE_DEPTH) {
    throw new TypeError(`a value that nests more than ${MAX_VALUE_DEPTH} deep, at ${formatPath(path.slice(0, 8))}...`);
  }
  around.add(value);
}

/** Converts a value to JavaScript: integers that a number represents exactly become numbers, larger ones bigint. */
export function toPlain(value: Value): JsonValue {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  return mapItems(value, (item) => toPlain(item) as Value) as JsonValue;
}

function isPlainMap(value: unknown): value is { readonly [key: string]: JsonValue | undefined } {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function scalar(value: unknown, { path }: Walk): Value {
  const known = value === null || ['string', 'boolean', 'bigint'].includes(typeof value);
  if (known) return value as Value;
  const type = Object.prototype.toString.call(value);
  if (type !== '[object Object]') throw new TypeError(`not a JSON value: ${type}${at(path)}`);
  const { name } = (value as object).constructor;
  const remedy = 'give a plain object, or its YAML text';
  throw new TypeError(`not plain data: an instance of the class '${name}'${at(path)}; ${remedy}`);
}

function finite(value: number, { path }: Walk): number {
  if (!Number.isFinite(value)) throw new TypeError(`not a JSON number: ${value}${at(path)}`);
  return value;
}

const at = (path: Path): string => (path.length === 0 ? '' : `, at ${formatPath(path)}`);
