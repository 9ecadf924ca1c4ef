import { RE2JS, RE2JSException } from 're2js';
import { failure } from './value/values.ts';

/** The same maximum as for an expression; the parser takes hundreds of bytes for each character. */
const MAX_PATTERN = 100_000;

/**
 * Compiles a pattern without the cache of `compileRegex`. Its module is the only one that loads re2js.
 * @throws EvaluationError (failure) with the message of Go's regexp package
 */
export function compileRe2(pattern: string): RE2JS {
  if (pattern.length > MAX_PATTERN) throw failure('error parsing regexp: expression too large');
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    // Go names the invalid part after a colon, even if it is empty.
    // sentence: re2js gives no code of the error
    const trailing = error.message.endsWith('trailing backslash at end of expression');
    throw failure(trailing ? `${error.message}: \`\`` : error.message);
  }
}
