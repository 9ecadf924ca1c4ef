/** The Kubernetes quantity library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-quantity-library). */
import { attempt } from '../../../../core/model/attempt.ts';
import { fn, type Library, method } from '../../library.ts';
import { BOOL, DOUBLE, INT, opaque, STRING } from '../../types.ts';
import { attemptWork } from '../../value/size.ts';
import { CelObject, EvaluationError, failure, succeeds } from '../../value/values.ts';
import { type Amount, addAmounts, compareAmounts, doubleOf, int64Of, parseQuantity } from './quantity-amount.ts';

class Quantity extends CelObject {
  readonly typeName = 'kubernetes.Quantity';
  constructor(readonly amount: Amount) {
    super();
  }
  equals(other: CelObject): boolean {
    return other instanceof Quantity && compareAmounts(this.amount, other.amount) === 0n;
  }
  override get weight(): number {
    return 1 + (Math.abs(this.amount.scale) >> 2);
  }
}

const QUANTITY = opaque<Quantity>('kubernetes.Quantity');

const compare = (a: Quantity, b: Quantity): bigint => compareAmounts(a.amount, b.amount);
const add = (a: Quantity, b: Amount): Quantity => new Quantity(addAmounts(a.amount, b));
const negated = (amount: Amount): Amount => ({ ...amount, unscaled: -amount.unscaled });
const whole = (value: bigint): Amount => ({ unscaled: value, scale: 0, held: 'int64' });

function asInteger({ amount }: Quantity): bigint {
  const value = int64Of(amount);
  if (value === undefined) throw failure('cannot convert value to integer');
  return value;
}

export const quantity: Library = {
  name: 'kubernetes quantity',
  overloads: [
    fn('quantity', [STRING], QUANTITY, (text: string) => new Quantity(parseQuantity(text)), { work: attemptWork }),
    fn('isQuantity', [STRING], BOOL, (text: string) => succeeds(() => parseQuantity(text)), { work: attemptWork }),
    fn('sign', [QUANTITY], INT, (q: Quantity) => compareAmounts(q.amount, whole(0n))),
    method('isGreaterThan', [QUANTITY, QUANTITY], BOOL, (a: Quantity, b: Quantity) => compare(a, b) === 1n),
    method('isLessThan', [QUANTITY, QUANTITY], BOOL, (a: Quantity, b: Quantity) => compare(a, b) === -1n),
    method('compareTo', [QUANTITY, QUANTITY], INT, compare),
    method('asApproximateFloat', [QUANTITY], DOUBLE, (q: Quantity) => doubleOf(q.amount)),
    method('asInteger', [QUANTITY], INT, asInteger),
    method('isInteger', [QUANTITY], BOOL, (q: Quantity) => int64Of(q.amount) !== undefined),
    method('add', [QUANTITY, QUANTITY], QUANTITY, (a: Quantity, b: Quantity) => add(a, b.amount)),
    method('add', [QUANTITY, INT], QUANTITY, (a: Quantity, b: bigint) => add(a, whole(b))),
    method('sub', [QUANTITY, QUANTITY], QUANTITY, (a: Quantity, b: Quantity) => add(a, negated(b.amount))),
    method('sub', [QUANTITY, INT], QUANTITY, (a: Quantity, b: bigint) => add(a, negated(whole(b)))),
  ],
};

/** Compares two quantities of Kubernetes; returns undefined if one is invalid. */
export const compareQuantities = (one: string, other: string): bigint | undefined =>
  attempt(() => compareAmounts(parseQuantity(one), parseQuantity(other)), EvaluationError);
