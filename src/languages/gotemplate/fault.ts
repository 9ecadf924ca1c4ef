/** Why a template was refused. */
export type TemplateErrorKind =
  /** The text is no template. */
  | 'syntax'
  /** A map has no such key. */
  | 'missing-key'
  /** Evaluation failed for the value that there is, or a function refused what it was given: the message may quote it. */
  | 'value'
  /** Evaluation failed otherwise: the message quotes names and types. */
  | 'execution'
  /** The limits were reached. */
  | 'budget';

/** What exactly is wrong, where people can be told how to go on. */
export type TemplateErrorReason =
  | 'unknown-function'
  | 'undefined-variable'
  /** A name goes on with a dash. */
  | 'dash'
  | 'bad-number'
  /** A text in quotes does not end. */
  | 'open-text'
  /** A text between backquotes does not end. */
  | 'open-raw-text'
  /** A text in quotes has an escape that there is not. */
  | 'bad-escape'
  /** A backslash where a value is wanted. */
  | 'backslash'
  /** A colon without `=`. */
  | 'colon'
  | 'unclosed-action'
  | 'unknown-character'
  /** The text ends inside of a block. */
  | 'unclosed-block'
  | 'no-command'
  /** A key of a dot that holds nothing. */
  | 'no-data'
  | 'field-of-scalar'
  | 'field-of-list'
  | 'nil-map'
  /** Something of a pattern that RE2 does not have. */
  | 'pattern-feature'
  | 'incompatible-kinds'
  | 'int64-for-int'
  | 'scalar-for-string'
  | 'string-for-bool';

/** A template that cannot be parsed or executed. */
export class TemplateError extends Error {
  override name = 'TemplateError';
  constructor(
    readonly kind: TemplateErrorKind,
    /** In Go's words, without the position. */
    message: string,
    /** The byte of the template text that it is about. */
    readonly offset: number,
    /** The key, function or variable that the message is about, if there is one. */
    readonly subject?: string,
    readonly reason?: TemplateErrorReason,
  ) {
    super(message);
  }
}

/** What a function says that cannot do its work; the caller adds which function and where. */
export class FunctionError extends Error {
  override name = 'FunctionError';
  constructor(
    message: string,
    readonly reason?: TemplateErrorReason,
  ) {
    super(message);
  }
}

/** Line and column, both from 1, of a byte of a template; columns count characters. */
export function positionOf(bytes: string, offset: number): { line: number; column: number } {
  const before = bytes.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  let column = 1;
  for (let at = start; at < offset; at++) if ((bytes.charCodeAt(at) & 0xc0) !== 0x80) column++;
  return { line, column };
}
