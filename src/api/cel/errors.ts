import { type CelIssue, EvaluationError, offsetOf, type ParsedExpression } from '../../languages/cel/index.ts';

/**
 * Why an expression has no value. `syntax`: it is none. `type`: it does not fit its variables and functions. `missing`: a
 * key, a field or an index is not there. `budget`: it takes more than its limits. `failure`: anything else that happens
 * when it runs, such as an overflow, a division by zero, or a result that JSON cannot hold.
 */
export type CelErrorReason = 'syntax' | 'type' | 'missing' | 'budget' | 'failure';

export interface CelError {
  readonly reason: CelErrorReason;
  readonly message: string;
  /** Where in the expression, in UTF-16 units from its start. */
  readonly offset?: number;
  readonly hint?: string;
}

export const errorOfIssue = (reason: 'syntax' | 'type', { message, offset, hint }: CelIssue): CelError =>
  hint === undefined ? { reason, message, offset } : { reason, message, offset, hint };

/** @throws what is no error of an evaluation */
export function errorOfRun(error: unknown, expression: ParsedExpression): CelError {
  if (!(error instanceof EvaluationError)) throw error;
  const offset = offsetOf(expression, error.nodeId);
  const { kind: reason, message } = error;
  return offset === undefined ? { reason, message } : { reason, message, offset };
}
