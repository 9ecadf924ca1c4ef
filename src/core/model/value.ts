/**
 * A JSON value as in Kubernetes. Integers are `bigint` so that int64 is exact; numbers with a fraction or an exponent
 * are `number`. Maps are ordinary objects: read them with `Object.hasOwn`, and write keys of the input with `setKey`,
 * because `__proto__` is a valid key of a Kubernetes map.
 */
export type Value = null | boolean | bigint | number | string | Value[] | ValueMap;

export interface ValueMap {
  [key: string]: Value;
}

export type Path = readonly (string | number)[];

const PLAIN_STEP = /^[A-Za-z0-9_-]+$/;

/** Formats a path: `spec.ports[0].name`, `metadata.annotations["a.b/c"]`. The empty path is ''. */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (!PLAIN_STEP.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

export function isMap(value: unknown): value is ValueMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of an own key, `undefined` if the key (or the map) does not exist. */
export function get(value: Value | undefined, key: string): Value | undefined {
  return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns the value of an own key of a record, such as a table that is asked for a name of the input. */
export function ownValue<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Returns the value at a path, `undefined` if a step of it does not exist. */
export function getAt(value: Value | undefined, path: Path): Value | undefined {
  let current = value;
  for (const step of path) {
    if (typeof step === 'number') current = Array.isArray(current) ? current[step] : undefined;
    else current = get(current, step);
    if (current === undefined) return undefined;
  }
  return current;
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the items of a list, none for any other value. */
export const listOf = (value: Value | undefined): readonly Value[] => (Array.isArray(value) ? value : []);

/** Returns a map, an empty one for any other value. */
export const mapOf = (value: Value | undefined): ValueMap => (isMap(value) ? value : {});

export const textAt = (value: Value | undefined, key: string): string => textOf(get(value, key));

export const listAt = (value: Value | undefined, key: string): readonly Value[] => listOf(get(value, key));

export const textsOf = (value: Value | undefined): string[] => listOf(value).filter((item) => typeof item === 'string');

/** Returns the type of a value in words, as YAML calls it. */
export function typeTitle(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a map';
  return typeof value === 'bigint' ? 'a number' : `a ${typeof value}`;
}

/** Writes an own, enumerable key with any name. */
export function setKey<T>(map: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    map[key] = value;
  }
}

/** Converts the items of a list, or the values of a map, and omits those without a result; returns any other value. */
export function mapItems(value: Value, convert: (item: Value, key: string | number) => Value | undefined): Value {
  if (Array.isArray(value)) return value.map(convert).filter((item) => item !== undefined);
  if (!isMap(value)) return value;
  const converted: ValueMap = {};
  for (const [key, item] of Object.entries(value)) {
    const result = convert(item, key);
    if (result !== undefined) setKey(converted, key, result);
  }
  return converted;
}

export function mergeMaps(map: ValueMap, over: ValueMap): ValueMap {
  const merged: ValueMap = { ...map };
  for (const [key, value] of Object.entries(over)) {
    const known = get(map, key);
    setKey(merged, key, isMap(known) && isMap(value) ? mergeMaps(known, value) : value);
  }
  return merged;
}

export function* textsIn(value: Value | undefined, path: Path = []): Iterable<{ text: string; path: Path }> {
  if (typeof value === 'string') yield { text: value, path };
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  if (isMap(value)) for (const [key, item] of Object.entries(value)) yield* textsIn(item, [...path, key]);
}

/** Returns a text that is the same for equal values, and for no others. */
export function contentText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(contentText).join(',')}]`;
  if (isMap(value)) {
    const entries = Object.keys(value).sort();
    return `{${entries.map((key) => `${JSON.stringify(key)}:${contentText(ownValue(value, key) ?? null)}`).join(',')}}`;
  }
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Reports deep equality as in JSON: 1 and 1.0 differ, and the order of keys does not matter unless they are `ordered`. */
export function equal(a: Value | undefined, b: Value | undefined, ordered = false): boolean {
  if (a === b) return !ordered || Object.is(a, b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index], ordered));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  return keys.every((key, at) => {
    if (ordered && key !== others[at]) return false;
    return Object.hasOwn(b, key) && equal(a[key], b[key], ordered);
  });
}

/** Does the same with the order of keys, because templates keep the order in which they were written. */
export const sameValue = (one: Value, other: Value): boolean => equal(one, other, true);
