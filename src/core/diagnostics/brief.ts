import { clipped } from '../text/clip.ts';
import type { Problem } from './diagnostic.ts';

/** Messages quote expressions, rules and values, which may be as long as an input is. */
const MAX_MESSAGE = 2000;
const MAX_HINT = 4000;

/** The problem with texts of a length that people read. It is cut as soon as it is reported: there may be many. */
export function brief(problem: Problem): Problem {
  const { message, hint } = problem;
  if (message.length <= MAX_MESSAGE && (hint === undefined || hint.length <= MAX_HINT)) return problem;
  const short = { ...problem, message: clipped(message, MAX_MESSAGE) };
  return hint === undefined ? short : { ...short, hint: clipped(hint, MAX_HINT) };
}
