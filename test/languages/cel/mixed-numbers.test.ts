import { describe, expect, it } from 'vitest';
import { areEqual } from '../../../src/languages/cel/value/equal.ts';
import { compareValues } from '../../../src/languages/cel/value/order.ts';
import { Uint } from '../../../src/languages/cel/value/values.ts';

const INTEGERS = [0n, 1n, -1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const DOUBLES = [0, -0, 0.5, 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 2 ** 63, 2 ** 64, Number.POSITIVE_INFINITY];

describe('the comparison of an integer and a double', () => {
  it.each(INTEGERS)('converts %d to a double', (integer) => {
    for (const double of DOUBLES) {
      const converted = Number(integer);
      expect(areEqual(integer, double)).toBe(converted === double);
      expect(areEqual(double, integer)).toBe(converted === double);
      expect(compareValues(integer, double)).toBe(converted < double ? -1 : converted > double ? 1 : 0);
      if (integer >= 0n) expect(areEqual(new Uint(integer), double)).toBe(converted === double);
    }
    expect(areEqual(integer, Number.NaN)).toBe(false);
  });

  it('is exact among integers', () => {
    expect(areEqual(2n ** 53n + 1n, 2n ** 53n)).toBe(false);
    expect(compareValues(2n ** 53n + 1n, 2n ** 53n)).toBe(1);
    expect(areEqual(new Uint(2n ** 53n + 1n), 2n ** 53n)).toBe(false);
  });
});
