import { EvaluationError, failure, outcomeOf } from './values.ts';

export type Attempt<T> = { ok: true; value: T } | { ok: false; message: string };

/** Returns the result of an action, or the message of its failure. */
export function attempt<T>(action: () => T): Attempt<T> {
  const value = outcomeOf(action);
  return value instanceof EvaluationError ? { ok: false, message: value.message } : { ok: true, value };
}

/**
 * Reports whether a conversion succeeds: the `is...` functions are true exactly if their conversion is not an error.
 */
export const succeeds = (convert: () => unknown): boolean => attempt(convert).ok;

/** Runs the action with another message for its failure. */
export function rephrased<T>(action: () => T, rephrase: (message: string) => string): T {
  const result = attempt(action);
  if (!result.ok) throw failure(rephrase(result.message));
  return result.value;
}
