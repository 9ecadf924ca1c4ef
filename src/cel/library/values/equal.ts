import { type CelMap, CelObject, type CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from '../../values.ts';
import { isList, isMapValue } from './kind.ts';
import { mapEntries, mapGet, mapSize } from './maps.ts';

/**
 * CEL's `==` on any two values (https://github.com/google/cel-spec/blob/master/doc/langdef.md#equality): numbers
 * compare across types by value, lists and maps by their parts, values of different types are not equal.
 */
export function equalValues(a: CelValue, b: CelValue): boolean {
  if (a === b) return true;
  const [x, y] = [unwrapped(a), unwrapped(b)];
  if (isNumber(x)) return isNumber(y) && equalNumbers(x, y);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isList(a)) return isList(b) && equalLists(a, b);
  if (a instanceof Uint8Array)
    return b instanceof Uint8Array && a.length === b.length && a.every((byte, i) => byte === b[i]);
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof CelObject) return b instanceof CelObject && a.typeName === b.typeName && a.equals(b);
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b);
  return isMapValue(a) && isMapValue(b) && equalMaps(a, b);
}

const unwrapped = (value: CelValue): unknown => (value instanceof Uint ? value.value : value);
const isNumber = (value: unknown): value is bigint | number => typeof value === 'bigint' || typeof value === 'number';

// `==` between bigint and double compares the exact mathematical values, as CEL wants.
const equalNumbers = (a: bigint | number, b: bigint | number): boolean => !(a < b) && !(a > b) && !isNaNPair(a, b);
const isNaNPair = (a: bigint | number, b: bigint | number): boolean => Number.isNaN(a) || Number.isNaN(b);

function equalLists(a: readonly CelValue[], b: readonly CelValue[]): boolean {
  return a.length === b.length && a.every((item, index) => equalValues(item, b[index] as CelValue));
}

function equalOptionals(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalValues(a.value, b.value);
}

function equalMaps(a: CelMap | { readonly [key: string]: CelValue }, b: typeof a): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  return mapEntries(a).every(([key, value]) => {
    const other = mapGet(b, key);
    return other !== undefined && equalValues(value, other);
  });
}
