/** The limits of one expression. A whole instance may use four times as much. */
export interface Limits {
  /** Calls and iterations. */
  maxSteps: number;
  /** Created list items; a map entry counts four, and a character or byte an eighth. */
  maxSize: number;
}

export const defaultLimits: Limits = { maxSteps: 10_000_000, maxSize: 3_000_000 };

/**
 * The maximum nesting of a value that is read. Go stops at 10,000 levels; Kubernetes stores nothing near it, and the
 * stack here is smaller.
 */
export const MAX_VALUE_DEPTH = 1000;

/** The maximum nesting of instances, and of objects that front ends render of one another. */
export const MAX_RENDER_DEPTH = 8;
