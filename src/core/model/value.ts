/**
 * A JSON value as Kubernetes holds it. Integers are `bigint` so that int64 stays exact, numbers written with a
 * fraction or an exponent are `number`. Maps are ordinary objects: read them with `Object.hasOwn`, write a key
 * that comes from input with `setKey`, since `__proto__` is a legal key of a Kubernetes map.
 */
export type Value = null | boolean | bigint | number | string | Value[] | ValueMap;

export interface ValueMap {
  [key: string]: Value;
}

/** A step into a value: a map key or a list index. */
export type Path = readonly (string | number)[];

export function isMap(value: unknown): value is ValueMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own key, `undefined` when the key (or the map) is not there. */
export function get(value: Value | undefined, key: string): Value | undefined {
  return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The value at a path, `undefined` when a step of it is not there. */
export function getAt(value: Value | undefined, path: Path): Value | undefined {
  let current = value;
  for (const step of path) {
    if (typeof step === 'number') current = Array.isArray(current) ? current[step] : undefined;
    else current = get(current, step);
    if (current === undefined) return undefined;
  }
  return current;
}

/** Writes an own, enumerable key whatever its name. */
export function setKey(map: ValueMap, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    map[key] = value;
  }
}

/** Deep equality as JSON has it: key order does not matter, 1 and 1.0 differ. */
export function equal(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

/** Whether two values are the same to the last key and its place: templates come out in the order in which they were written. */
export function sameValue(one: Value, other: Value): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => sameValue(item, other[at] as Value))
    );
  }
  if (!isMap(one) || !isMap(other)) return false;
  const keys = Object.keys(one);
  const others = Object.keys(other);
  return (
    keys.length === others.length &&
    keys.every((key, at) => key === others[at] && sameValue(one[key] as Value, other[key] as Value))
  );
}
