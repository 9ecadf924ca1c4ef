/** What one expression may take. All of an instance may take four times as much. */
export interface Limits {
  /** Calls and iterations. */
  maxSteps: number;
  /** List items made; a map entry counts four, as it takes up more, and a character or byte an eighth. */
  maxSize: number;
}

export const defaultLimits: Limits = { maxSteps: 10_000_000, maxSize: 3_000_000 };
