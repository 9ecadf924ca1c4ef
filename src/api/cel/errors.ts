import { type CelIssue, EvaluationError, offsetOf, type ParsedExpression } from '../../languages/cel/index.ts';

/**
 * Why an expression has no value. `syntax`: it does not parse. `type`: its types do not match its variables and
 * functions. `missing`: a key, a field or an index does not exist. `budget`: it exceeds its limits. `failure`: any
 * other error at run time, such as an overflow, a division by zero, or a result that JSON cannot represent.
 */
export type CelErrorReason = 'syntax' | 'type' | 'missing' | 'budget' | 'failure';

export interface CelError {
  readonly reason: CelErrorReason;
  readonly message: string;
  /** The position in the expression, in UTF-16 units from its start. */
  readonly offset?: number;
  readonly hint?: string;
}

export const errorOfIssue = (reason: 'syntax' | 'type', { message, offset, hint }: CelIssue): CelError =>
  hint === undefined ? { reason, message, offset } : { reason, message, offset, hint: hint.text };

/** @throws an error that is not one of an evaluation */
export function errorOfRun(error: unknown, expression: ParsedExpression): CelError {
  if (!(error instanceof EvaluationError)) throw error;
  const offset = offsetOf(expression, error.nodeId);
  const { kind, message } = error;
  // The data of a program has no unknown parts.
  if (kind === 'unknown') throw error;
  const reason = kind;
  return offset === undefined ? { reason, message } : { reason, message, offset };
}
