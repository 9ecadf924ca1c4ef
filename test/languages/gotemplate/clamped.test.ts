import { expect, it } from 'vitest';
import { clampedInt64 } from '../../../src/core/text/go-numbers.ts';

// strconv.ParseInt of Go, https://pkg.go.dev/strconv#ParseInt: it stops at the first digit that is too many.
it.each([
  ['12', 12n],
  ['-12', -12n],
  ['', 0n],
  ['+', 0n],
  ['12x', 0n],
  ['9223372036854775808', 9223372036854775807n],
  ['-9223372036854775809', -9223372036854775808n],
  ['18446744073709551615x', 0n],
  ['18446744073709551616x', 9223372036854775807n],
  ['-99999999999999999999\n', -9223372036854775808n],
  ['x99999999999999999999', 0n],
])('%j is the number %d', (text, value) => expect(clampedInt64(text)).toBe(value));

it('octal numbers end at their last digit', () => {
  expect(clampedInt64('17', 8)).toBe(15n);
  expect(clampedInt64('18', 8)).toBe(0n);
  expect(clampedInt64(`${'7'.repeat(22)}8`, 8)).toBe(9223372036854775807n);
});
