/** An error of an expression that is known before it runs. */
export interface CelIssue {
  message: string;
  /** Counts UTF-16 units from the start of the expression. */
  offset: number;
  hint?: string;
}
