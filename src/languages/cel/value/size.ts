import { isList, isMapValue } from './kind.ts';
import { mapEntries } from './maps.ts';
import { type CelValue, Optional } from './values.ts';

/** More characters than any number, duration or timestamp has. */
const SCALAR = 340;

/**
 * Returns the size of a written value: its parts, its string lengths, a fixed share for each scalar. A repeated part
 * counts each time but is visited once, so this is fast even if writing the value would not be.
 */
export function writtenSize(value: CelValue, seen = new Map<unknown, number>()): number {
  if (typeof value === 'string') return value.length + 2;
  if (value instanceof Uint8Array) return value.length * 2 + 4;
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? SCALAR : 20;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const size = partsSize(value, seen);
  seen.set(value, size);
  return size;
}

function partsSize(value: CelValue, seen: Map<unknown, number>): number {
  let size = 2;
  if (isList(value)) {
    for (const item of value) size += writtenSize(item, seen) + 1;
  } else if (isMapValue(value)) {
    for (const [key, item] of mapEntries(value)) size += writtenSize(key, seen) + writtenSize(item, seen) + 2;
  } else if (value instanceof Optional) {
    size += value.value === undefined ? 0 : writtenSize(value.value, seen);
  } else {
    size += SCALAR;
  }
  return size;
}
