import { EvaluationError, failure } from './values.ts';

export type Attempt<T> = { ok: true; value: T } | { ok: false; message: string };

/** What an action gives, or the message with which its evaluation fails. */
export function attempt<T>(action: () => T): Attempt<T> {
  try {
    return { ok: true, value: action() };
  } catch (error) {
    if (error instanceof EvaluationError) return { ok: false, message: error.message };
    throw error;
  }
}

/** Whether a conversion goes through: the `is...` functions are true exactly when their conversion is no error. */
export const succeeds = (convert: () => unknown): boolean => attempt(convert).ok;

/** The action with another message for its failure. */
export function rephrased<T>(action: () => T, rephrase: (message: string) => string): T {
  const result = attempt(action);
  if (!result.ok) throw failure(rephrase(result.message));
  return result.value;
}
