/** The Kubernetes quantity library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-quantity-library). */
import { attempt } from '../../../../core/model/attempt.ts';
import { fn, type Library, method, type Overload } from '../../library.ts';
import { BOOL, type CelType, DOUBLE, INT, STRING } from '../../types.ts';
import { attemptWork } from '../../value/size.ts';
import { type CelValue, EvaluationError, failure, ownType, succeeds } from '../../value/values.ts';
import { type Amount, addAmounts, compareAmounts, doubleOf, int64Of, parseQuantity } from './quantity-amount.ts';

const [QUANTITY, quantityOf] = ownType<Amount>(
  'kubernetes.Quantity',
  (a, b) => compareAmounts(a, b) === 0n,
  ({ scale }) => 1 + (Math.abs(scale) >> 2),
);

const negated = (amount: Amount): Amount => ({ ...amount, unscaled: -amount.unscaled });
const whole = (value: bigint): Amount => ({ unscaled: value, scale: 0, held: 'int64' });

function asInteger(amount: Amount): bigint {
  const value = int64Of(amount);
  if (value === undefined) throw failure('cannot convert value to integer');
  return value;
}

/** A method with another quantity, or with an integer where that is declared. */
const withOther = (name: string, result: CelType, call: (a: Amount, b: Amount) => CelValue): Overload =>
  method(name, [QUANTITY, QUANTITY], result, (a, b) => call(a.held, b.held));

const sums = (name: string, change: (amount: Amount) => Amount): Overload[] => [
  withOther(name, QUANTITY, (a, b) => quantityOf(addAmounts(a, change(b)))),
  method(name, [QUANTITY, INT], QUANTITY, (a, b) => quantityOf(addAmounts(a.held, change(whole(b))))),
];

export const quantity: Library = {
  name: 'kubernetes quantity',
  overloads: [
    fn('quantity', [STRING], QUANTITY, (text) => quantityOf(parseQuantity(text)), { work: attemptWork }),
    fn('isQuantity', [STRING], BOOL, (text) => succeeds(() => parseQuantity(text)), { work: attemptWork }),
    fn('sign', [QUANTITY], INT, ({ held }) => compareAmounts(held, whole(0n))),
    withOther('isGreaterThan', BOOL, (a, b) => compareAmounts(a, b) === 1n),
    withOther('isLessThan', BOOL, (a, b) => compareAmounts(a, b) === -1n),
    withOther('compareTo', INT, compareAmounts),
    method('asApproximateFloat', [QUANTITY], DOUBLE, ({ held }) => doubleOf(held)),
    method('asInteger', [QUANTITY], INT, ({ held }) => asInteger(held)),
    method('isInteger', [QUANTITY], BOOL, ({ held }) => int64Of(held) !== undefined),
    ...sums('add', (amount) => amount),
    ...sums('sub', negated),
  ],
};

/** Compares two quantities of Kubernetes; returns undefined if one is invalid. */
export const compareQuantities = (one: string, other: string): bigint | undefined =>
  attempt(() => compareAmounts(parseQuantity(one), parseQuantity(other)), EvaluationError);
