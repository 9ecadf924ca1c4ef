import { EvaluationError } from '../../value/values.ts';
import { compareAmounts, parseQuantity } from './quantity-amount.ts';

/** Compares two quantities of Kubernetes; returns undefined if one is invalid. */
export function compareQuantities(one: string, other: string): bigint | undefined {
  try {
    return compareAmounts(parseQuantity(one), parseQuantity(other));
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}
