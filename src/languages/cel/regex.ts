import type { RE2JS } from 're2js';
import { compileRe2 } from './re2.ts';
import { Recent } from './recent.ts';

/** What is kept, in the unit of `patternSize`: up to 130 bytes each. */
const CACHE_SIZE = 300_000;

/** RE2 takes no more than this of counted repetitions inside each other. */
const MAX_COPIES = 1000;

const cache = new Recent<RE2JS>(CACHE_SIZE);

/**
 * A compiled RE2 pattern (https://github.com/google/re2/wiki/Syntax), the dialect of CEL and of schema patterns; it
 * matches in linear time: see `matchesText` and `matchesOf`. Compiled patterns are kept: a pattern is nearly
 * always used again, for the next item or the next instance.
 * @throws EvaluationError (failure) with the message that Go's regexp package gives
 */
export function compileRegex(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = compileRe2(pattern);
  cache.add(pattern, compiled, patternSize(pattern));
  return compiled;
}

/** Patterns that a budget has paid for and that are still kept. */
export type PaidPatterns = Recent<true>;

export const noPatternPaid = (): PaidPatterns => new Recent<true>(CACHE_SIZE);

/** The steps of compiling a pattern, unless it is at hand. */
export function compileWork(pattern: string, paid: PaidPatterns): number {
  if (paid.get(pattern) !== undefined) return 0;
  const size = patternSize(pattern);
  paid.add(pattern, true, size);
  return size * STEPS_PER_SIZE;
}

/** The least that a compiled pattern takes, in characters. */
const SMALLEST = 25;
const STEPS_PER_SIZE = 30;

/** What a compiled pattern takes, in characters. */
export const patternSize = (pattern: string): number => SMALLEST + unrolled(pattern);

/** An upper bound for the length of a pattern with its counted repetitions written out. */
function unrolled(pattern: string): number {
  let copies = 1;
  for (const [, least = '', most = ''] of pattern.matchAll(/\{([0-9]{1,4})(?:,([0-9]{0,4}))?\}/g)) {
    copies = Math.min(MAX_COPIES, copies * Math.max(1, Number(least), Number(most)));
  }
  return pattern.length * copies;
}
