import { overBudget } from './values.ts';

/** What calls cost beyond the length of their arguments, in steps. */

/** Of a call whose work is much the same whatever it gets: those that take many times as long as an addition. */
export const fixedWork = (steps: number) => (): number => steps;

/** Of functions that go through a text character by character instead of in one native sweep. */
export const characterWork = (text: { readonly length: number }): number => text.length >> 2;

/** Of finding a position, which counts code points. */
export const pointWork = (text: string): number => text.length >> 3;

/** Of looking for one text in another: the worst case compares all of the part at every place. */
export const searchWork = (text: string, part: string): number => (text.length * part.length) / 64;

const MAX_WORD = 100_000;
/** Making an error and catching it takes longest. */
const ATTEMPT = 200;

/**
 * Of a function that reads a number, an address or the like, and catches the error when it is malformed. Texts that are
 * longer than any of these are refused.
 * @throws EvaluationError (budget)
 */
export function attemptWork(text: string): number {
  if (text.length <= MAX_WORD) return ATTEMPT + characterWork(text);
  throw overBudget(`a text of more than ${MAX_WORD} characters is not a number, address or version`);
}
