import { fromBytes } from './bytes.ts';

/**
 * Why a template was rejected: it is not a template; a map has no such key; a function or a value does not fit, which
 * the message may quote; anything else, whose message quotes names and types only; a limit.
 */
type TemplateErrorKind = 'syntax' | 'missing-key' | 'value' | 'execution' | 'budget';

/** The exact error, for hints. */
export type TemplateErrorReason =
  | ('unknown-function' | 'undefined-variable' | 'bad-number' | 'unknown-character' | 'no-command')
  | ('open-text' | 'open-raw-text' | 'bad-escape' | 'unclosed-action' | 'unclosed-block')
  /** In a name, in the place of a value, and without `=`. */
  | ('dash' | 'backslash' | 'colon')
  /** `no-data`: a key of a dot without a value. */
  | ('no-data' | 'field-of-scalar' | 'field-of-list' | 'nil-map' | 'incompatible-kinds')
  /** `pattern-feature`: of patterns, which RE2 lacks. */
  | ('int64-for-int' | 'scalar-for-string' | 'string-for-bool' | 'pattern-feature');

export class TemplateError extends Error {
  override name = 'TemplateError';
  /** The key, function or variable in the message, if there is one. */
  readonly subject: string | undefined;
  constructor(
    readonly kind: TemplateErrorKind,
    /** Go's message, without the position; like the subject it is in bytes, except for `syntax`. */
    message: string,
    /** Where it is in the template, in UTF-16 units. */
    readonly offset: number,
    subject?: string,
    readonly reason?: TemplateErrorReason,
  ) {
    super(kind === 'syntax' ? message : fromBytes(message));
    this.subject = kind === 'syntax' || subject === undefined ? subject : fromBytes(subject);
  }
}

/** The error of a function; the caller adds the function and the position. */
export class FunctionError extends Error {
  override name = 'FunctionError';
  constructor(
    message: string,
    readonly reason?: TemplateErrorReason,
  ) {
    super(message);
  }
}
