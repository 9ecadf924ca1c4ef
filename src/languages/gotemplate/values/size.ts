import { FunctionError } from '../fault.ts';
import { MAX_NESTING } from '../meter.ts';
import { GoList, GoMap, type GoValue } from './values.ts';

const SCALAR = 8;

/**
 * Returns the approximate bytes of the text of a value. Shared parts count each time.
 * @throws FunctionError if values nest too deeply, or contain themselves
 */
export function sizeOf(value: GoValue, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (depth > MAX_NESTING) throw new FunctionError(`values are nested more than ${MAX_NESTING} deep`);
  let size = SCALAR;
  if (value instanceof GoList) {
    for (const item of value.items) size = bounded(size + sizeOf(item, depth + 1));
  } else if (value instanceof GoMap) {
    for (const [key, item] of value.entries) size = bounded(size + key.length + sizeOf(item, depth + 1));
  }
  return size;
}

const MOST = 1 << 25;

/** Limits the size of values with exponential repetition. */
function bounded(size: number): number {
  if (size > MOST) throw new FunctionError('the value is too large');
  return size;
}
