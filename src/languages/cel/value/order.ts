import { kindOf } from './kind.ts';
import {
  type CelValue,
  Duration,
  EvaluationError,
  failure,
  fixedFailure,
  outcomeOf,
  Timestamp,
  Uint,
} from './values.ts';

export type Order = -1 | 0 | 1;

const order = <T>(a: T, b: T): Order => (a < b ? -1 : a > b ? 1 : 0);

/** Maps UTF-16 units to code point order: surrogates are above all other units. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Compares strings by code point, which is Go's byte order of UTF-8; JavaScript's `<` compares UTF-16 units. */
export function compareText(a: string, b: string): Order {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return order(rank(x), rank(y));
  }
  return order(a.length, b.length);
}

function compareBytes(a: Uint8Array, b: Uint8Array): Order {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const step = order(a[i] as number, b[i] as number);
    if (step !== 0) return step;
  }
  return order(a.length, b.length);
}

/**
 * Returns two numbers of one kind, or two doubles: an integer is converted for a comparison with a double, although it
 * may lose digits (cel-go: common/types/compare.go).
 */
export const toSameKind = (a: number | bigint, b: number | bigint): readonly [number | bigint, number | bigint] =>
  typeof a === typeof b ? [a, b] : [Number(a), Number(b)];

const numeric = (value: CelValue): number | bigint | undefined =>
  value instanceof Uint ? value.value : typeof value === 'bigint' || typeof value === 'number' ? value : undefined;

/** Compares as cel-go's list functions do: values that cannot be compared (NaN, values of two types) are equal. */
export function compareLoosely(a: CelValue, b: CelValue): Order {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  const compared = outcomeOf(() => compareValues(a, b));
  return compared instanceof EvaluationError ? 0 : compared;
}

/**
 * Compares two values of one comparable type, including numbers across types.
 * @throws EvaluationError (failure) for NaN and for types without an order
 */
export function compareValues(a: CelValue, b: CelValue): Order {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== undefined && y !== undefined) {
    if (Number.isNaN(x) || Number.isNaN(y)) throw failure('NaN values cannot be ordered');
    // biome-ignore lint/plugin: a pair
    return order<number | bigint>(...toSameKind(x, y));
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return order(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Duration && b instanceof Duration) return order(a.nanos, b.nanos);
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanos, b.nanos);
  throw fixedFailure('no such overload');
}

/** Returns the steps of comparing each of some values with another one. */
export function orderWork(values: readonly CelValue[]): number {
  let work = values.length;
  for (const value of values) if (typeof value === 'string' || value instanceof Uint8Array) work += value.length >> 4;
  return work;
}

const COMPARABLE = new Set(
  'int uint double bool string bytes google.protobuf.Duration google.protobuf.Timestamp'.split(' '),
);

/** Reports whether values of this type have an order. */
export const isComparable = (value: CelValue): boolean => COMPARABLE.has(kindOf(value));
