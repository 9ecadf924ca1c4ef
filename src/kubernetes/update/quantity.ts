import { equal, type Value } from '../../core/model/value.ts';
import { compareQuantities } from '../../languages/cel/index.ts';

/** Compares two quantities; returns undefined if one is invalid. */
function compare(one: Value | undefined, other: Value | undefined): bigint | undefined {
  const [a, b] = [one, other].map((value) =>
    typeof value === 'string' || typeof value === 'bigint' ? String(value) : '',
  );
  return a === '' || b === '' ? undefined : compareQuantities(a as string, b as string);
}

export const isSmaller = (one: Value | undefined, other: Value | undefined): boolean =>
  (compare(one, other) ?? 0n) < 0n;

/** Reports whether two quantities are equal, such as `1000m` and `1`. */
export const sameQuantity = (one: Value | undefined, other: Value | undefined): boolean =>
  equal(one, other) || compare(one, other) === 0n;
