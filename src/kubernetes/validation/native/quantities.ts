import { type Message, phrase } from '../../../core/diagnostics/index.ts';
import type { Value } from '../../../core/model/value.ts';
import { type Amount, compareAmounts, EvaluationError, parseQuantity } from '../../../languages/cel/index.ts';
import { type Rule, refuse } from './rule.ts';

const ZERO: Amount = { unscaled: 0n, scale: 0, held: 'int64' };
const ONE: Amount = { unscaled: 1n, scale: 0, held: 'int64' };

/** Returns the amount of a quantity as Go reads it from JSON; `undefined` if it is invalid. */
export function quantityOf(value: Value | undefined): Amount | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return amountOf(String(value));
  if (typeof value !== 'string') return undefined;
  return amountOf(value.trim());
}

function amountOf(text: string): Amount | undefined {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

export const QUANTITY =
  'must be a quantity such as 100m, 64Mi or 1.5: a number with no unit, n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi or Ei';

export const isQuantity = (value: Value): boolean => typeof value === 'boolean' || quantityOf(value) !== undefined;

export const isMore = (a: Amount, b: Amount): boolean => compareAmounts(a, b) > 0n;

const isWhole = ({ unscaled, scale }: Amount): boolean =>
  scale >= 0 || unscaled % 10n ** BigInt(Math.min(-scale, 5000)) === 0n;

const compared =
  (fits: (amount: Amount) => boolean, message: Message): Rule =>
  (value, place) => {
    const amount = quantityOf(value);
    if (amount !== undefined && !fits(amount)) refuse(place, message);
  };

export const notNegativeQuantity = compared((amount) => !isMore(ZERO, amount), phrase`must not be negative`);
export const positiveQuantity = compared((amount) => isMore(amount, ZERO), phrase`must be more than 0`);
export const atLeastOneQuantity = compared((amount) => !isMore(ONE, amount), phrase`must be at least 1`);
export const wholeQuantity = compared(isWhole, phrase`must be an integer`);
