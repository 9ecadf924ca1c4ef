import { RE2JS, RE2JSException } from 're2js';
import { failure } from './values.ts';

const MAX_CACHED = 500;
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

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    // Go names the offending part after a colon, and does so even where it is empty.
    const trailing = error.message.endsWith('trailing backslash at end of expression');
    throw failure(trailing ? `${error.message}: \`\`` : error.message);
  }
}
