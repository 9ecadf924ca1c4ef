/** The limits of one expression. A whole instance may use four times as much. */
export interface Limits {
  /** Calls and iterations. */
  maxSteps: number;
  /** Created list items; a map entry counts four, and a character or byte an eighth. */
  maxSize: number;
}

export const defaultLimits: Limits = { maxSteps: 10_000_000, maxSize: 3_000_000 };
