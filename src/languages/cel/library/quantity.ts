/** The Kubernetes quantity library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-quantity-library). */
import { isInt64, MAX_INT64 } from '../../../core/text/go-numbers.ts';
import { fn, type Library, method, type Overload } from '../library.ts';
import { BOOL, type CelType, DOUBLE, INT, STRING } from '../types.ts';
import { attemptWork } from '../value/order.ts';
import { type CelValue, failure, ownType, succeeds } from '../value/values.ts';

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

export const quantity: Library = [
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
];

/** Exact quantities, as k8s.io/apimachinery/pkg/api/resource computes them. */

export interface Amount {
  /** The amount is `unscaled` times 10 to the power `scale`. */
  unscaled: bigint;
  scale: number;
  /** Stored as an int64 (with its scale) or as a big decimal. */
  held: 'int64' | 'decimal';
}

const WRITTEN = /^([+-]?)(0*)((?:[1-9][0-9]*)?)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[+-]?[0-9]*|[+-][0-9]*)?)$/;
const units = (base: Unit['base'], first: number, step: number, suffixes: readonly string[]): [string, Unit][] =>
  suffixes.map((suffix, index) => [suffix, { base, exponent: first + index * step }]);

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...units(10, -9, 3, ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']),
  ...units(2, 10, 10, ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']),
]);

const NANO = -9;
/** Digits that always fit an int64. */
const SAFE_DIGITS = 18;
/** Larger exponents would make numbers too long to compute with; real quantities have none. */
const MAX_EXPONENT = 5000;

const WRONG_FORM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const tenTo = (power: number): bigint => 10n ** BigInt(power);

/** @throws EvaluationError (failure) if the text is not a quantity */
export function parseQuantity(text: string): Amount {
  const match = text === '' ? null : WRITTEN.exec(text);
  if (match === null) throw failure(WRONG_FORM);
  const [, sign = '', zeros = '', whole = '', fraction = '', suffix = ''] = match;
  const unit = unitOf(suffix);
  const fast = fastAmount(whole || '0', fraction, unit);
  // Go's fast path reads a missing number as zero, its slow path does not.
  if (fast === undefined && zeros + whole + fraction === '') throw failure('unable to parse numeric part of quantity');
  const amount = fast ?? decimalAmount(whole || '0', fraction, unit);
  return sign === '-' ? { ...amount, unscaled: -amount.unscaled } : amount;
}

interface Unit {
  readonly base: 2 | 10;
  readonly exponent: number;
}

function unitOf(suffix: string): Unit {
  const known = UNITS.get(suffix);
  if (known !== undefined) return known;
  const written = /^[eE]([+-]?[0-9]+)$/.exec(suffix)?.[1];
  const exponent = Number(written ?? Number.NaN);
  if (!(Math.abs(exponent) <= MAX_EXPONENT)) throw failure("unable to parse quantity's suffix");
  return { base: 10, exponent };
}

/** Go's fast path for amounts that always fit an int64; returns `undefined` for others. */
function fastAmount(whole: string, fraction: string, { base, exponent }: Unit): Amount | undefined {
  if (base === 10) {
    const scale = exponent - fraction.length;
    if (whole.length + fraction.length > SAFE_DIGITS || scale < NANO) return undefined;
    return { unscaled: BigInt(whole + fraction), scale, held: 'int64' };
  }
  const spare = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1;
  if (fraction !== '' || spare < 0) return undefined;
  const unscaled = BigInt(whole) << BigInt(exponent);
  return isInt64(unscaled) ? { unscaled, scale: 0, held: 'int64' } : undefined;
}

/** The slow path: rounded away from zero to nano units, binary amounts limited to the largest int64. */
function decimalAmount(whole: string, fraction: string, { base, exponent }: Unit): Amount {
  let unscaled = BigInt(whole + fraction);
  let scale = -fraction.length;
  if (base === 10) scale += exponent;
  else unscaled <<= BigInt(exponent);
  if (unscaled !== 0n) {
    unscaled = scale >= NANO ? unscaled * tenTo(scale - NANO) : divideUp(unscaled, tenTo(NANO - scale));
    scale = NANO;
  }
  if (base === 2 && unscaled > MAX_INT64 * tenTo(-NANO)) return { unscaled: MAX_INT64, scale: 0, held: 'decimal' };
  return { unscaled, scale, held: 'decimal' };
}

const divideUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

/** Returns both amounts in units of the finer scale. */
function aligned(a: Amount, b: Amount): { x: bigint; y: bigint; scale: number } {
  const scale = Math.min(a.scale, b.scale);
  return { x: a.unscaled * tenTo(a.scale - scale), y: b.unscaled * tenTo(b.scale - scale), scale };
}

export function compareAmounts(a: Amount, b: Amount): bigint {
  const { x, y } = aligned(a, b);
  return x < y ? -1n : x > y ? 1n : 0n;
}

export function addAmounts(a: Amount, b: Amount): Amount {
  const small = a.held === 'int64' && b.held === 'int64';
  // In int64 arithmetic a zero is ignored, so it does not change the scale.
  if (small && b.unscaled === 0n) return a;
  if (small && a.unscaled === 0n) return b;
  const { x, y, scale } = aligned(a, b);
  const fits = small && isInt64(x) && isInt64(y) && isInt64(x + y);
  return { unscaled: x + y, scale, held: fits ? 'int64' : 'decimal' };
}

/** Returns the amount as an int64; `undefined` if Go's AsInt64 has none, for example for `1000m`. */
function int64Of({ unscaled, scale, held }: Amount): bigint | undefined {
  if (held === 'decimal' || scale < 0) return undefined;
  // A scale beyond 18 only fits if the amount is zero.
  const value = unscaled === 0n || scale <= SAFE_DIGITS ? unscaled * tenTo(Math.min(scale, SAFE_DIGITS)) : undefined;
  return value !== undefined && isInt64(value) ? value : undefined;
}

/** Returns the nearest double as Go computes it: the unscaled amount as a double times a power of ten. */
function doubleOf({ unscaled, scale }: Amount): number {
  return scale === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${scale}`);
}
