/** Why a template was refused. */
export type FaultKind =
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

/** A template that cannot be parsed or executed. */
export class TemplateError extends Error {
  override name = 'TemplateError';
  constructor(
    readonly kind: FaultKind,
    /** In Go's words, without the position. */
    message: string,
    /** The byte of the template text that it is about. */
    readonly offset: number,
    /** The key, function or variable that the message is about, if there is one. */
    readonly subject?: string,
  ) {
    super(message);
  }
}

/** What a function says that cannot do its work; the caller adds which function and where. */
export class FunctionError extends Error {
  override name = 'FunctionError';
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
