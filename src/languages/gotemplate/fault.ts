import { fromBytes } from './bytes.ts';

/** Why a template was rejected. */
type TemplateErrorKind =
  /** The text is not a template. */
  | 'syntax'
  /** A map has no such key. */
  | 'missing-key'
  /** Evaluation failed for the value, or a function rejected its argument: the message may quote it. */
  | 'value'
  /** Evaluation failed otherwise: the message quotes names and types. */
  | 'execution'
  /** A limit was exceeded. */
  | 'budget';

/** The exact error, for hints. */
export type TemplateErrorReason =
  | 'unknown-function'
  | 'undefined-variable'
  /** A name contains a dash. */
  | 'dash'
  | 'bad-number'
  /** A quoted string is not closed. */
  | 'open-text'
  /** A raw string is not closed. */
  | 'open-raw-text'
  /** A quoted string has an invalid escape. */
  | 'bad-escape'
  /** A backslash in the place of a value. */
  | 'backslash'
  /** A colon without `=`. */
  | 'colon'
  | 'unclosed-action'
  | 'unknown-character'
  /** The text ends inside a block. */
  | 'unclosed-block'
  | 'no-command'
  /** A key of a dot without a value. */
  | 'no-data'
  | 'field-of-scalar'
  | 'field-of-list'
  | 'nil-map'
  /** A feature of a pattern that RE2 lacks. */
  | 'pattern-feature'
  | 'incompatible-kinds'
  | 'int64-for-int'
  | 'scalar-for-string'
  | 'string-for-bool';

/** A template that cannot be parsed or executed. */
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
