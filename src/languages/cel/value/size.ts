import { getOrCompute } from '../../../core/model/lazily.ts';
import { isList, isMapValue } from './kind.ts';
import { mapEntries } from './maps.ts';
import { type CelValue, Optional, overBudget } from './values.ts';

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
  return getOrCompute(seen, value, () => partsSize(value, seen));
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

/** The cost of calls beyond the length of their arguments, in steps. */

/** For calls with a constant cost: those that take many times as long as an addition. */
export const fixedWork = (steps: number) => (): number => steps;

/** For functions that process a text character by character instead of in one native call. */
export const characterWork = (text: { readonly length: number }): number => text.length >> 2;

/** For finding a position, which counts code points. */
export const pointWork = (text: string): number => text.length >> 3;

/** For searching one text in another: the worst case compares all of the part at every position. */
export const searchWork = (text: string, part: string): number => (text.length * part.length) / 64;

const MAX_WORD = 100_000;
/** The cost of creating and catching an error. */
const ATTEMPT = 200;

/**
 * For a function that parses a number, an address or the like, and catches the error of a malformed one. Texts that are
 * longer than any of these are rejected.
 * @throws EvaluationError (budget)
 */
export function attemptWork(text: string): number {
  if (text.length <= MAX_WORD) return ATTEMPT + characterWork(text);
  throw overBudget(`a text of more than ${MAX_WORD} characters is not a number, address or version`);
}
