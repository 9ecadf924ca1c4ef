import type { Code } from '../../diagnostics/index.ts';

/** What is wrong inside the text of one field; `offset` counts UTF-16 units from its start. */
export interface Fault {
  code: Code;
  message: string;
  hint?: string;
  offset?: number;
}

export type ReportFault = (fault: Fault) => void;
