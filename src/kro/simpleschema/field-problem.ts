import type { Code, Message } from '../../core/diagnostics/index.ts';

/** An error in the text of one field; `offset` counts UTF-16 units from its start. */
export interface FieldProblem {
  code: Code;
  message: Message;
  hint?: Message;
  severity?: 'warning';
  offset?: number;
}

export type ReportFieldProblem = (fault: FieldProblem) => void;
