import { RE2JS, RE2JSException } from 're2js';
import { failure } from './values.ts';

const MAX_CACHED = 500;
/** An expression is no longer than this either; the parser takes hundreds of bytes for each character. */
const MAX_PATTERN = 100_000;

/** RE2 takes no more than this of counted repetitions inside each other. */
const MAX_COPIES = 1000;

const cache = new Map<string, RE2JS>();

/**
 * A compiled RE2 pattern (https://github.com/google/re2/wiki/Syntax), the dialect of CEL and of schema patterns; it
 * matches in linear time. Use `.test(text)` for "matches somewhere". Compiled patterns are kept: a pattern is nearly
 * always used again, for the next item or the next instance.
 * @throws EvaluationError (failure) with the message that Go's regexp package gives
 */
export function compileRegex(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

/** The steps of compiling a pattern and of matching a text, in which the pattern may be at every place at once. */
export function matchWork(text: string, pattern: string): number {
  let copies = 1;
  for (const [, least = '', most = ''] of pattern.matchAll(/\{([0-9]{1,4})(?:,([0-9]{0,4}))?\}/g)) {
    copies = Math.min(MAX_COPIES, copies * Math.max(1, Number(least), Number(most)));
  }
  return 100 + ((pattern.length * copies) >> 3) + (text.length >> 3);
}

function compile(pattern: string): RE2JS {
  if (pattern.length > MAX_PATTERN) throw failure('error parsing regexp: expression too large');
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    // Go names the offending part after a colon, and does so even where it is empty.
    const trailing = error.message.endsWith('trailing backslash at end of expression');
    throw failure(trailing ? `${error.message}: \`\`` : error.message);
  }
}
