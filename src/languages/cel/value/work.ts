import { overBudget } from './values.ts';

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
