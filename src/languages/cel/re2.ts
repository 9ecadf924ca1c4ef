import { RE2JS, RE2JSException } from 're2js';
import { failure } from './value/values.ts';

/** An expression is no longer than this either; the parser takes hundreds of bytes for each character. */
const MAX_PATTERN = 100_000;

/**
 * Compiles a pattern anew, without a look at what is kept.
 * @throws EvaluationError (failure) with the message that Go's regexp package gives
 */
export function compileRe2(pattern: string): RE2JS {
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
