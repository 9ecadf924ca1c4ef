import { describe, expect, test } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../../../src/core/encoding/base64.ts';
import { evaluate } from '../engine.ts';
import { call } from './call.ts';

describe('long texts that are processed in blocks', () => {
  test.each([4095, 4096, 4097, 8192, 10_000])('a pair of surrogates is not split, after %i characters', (count) => {
    const text = `${'a'.repeat(count)}😀${'b'.repeat(count)}`;
    expect(call('.reverse', text)).toBe(`${'b'.repeat(count)}😀${'a'.repeat(count)}`);
  });

  test.each([0, 1, 12_287, 12_288, 12_289, 40_000])('%i bytes survive base64', (count) => {
    const bytes = Uint8Array.from({ length: count }, (_, index) => index % 251);
    const text = encodeBase64(bytes);
    expect(text).toBe(Buffer.from(bytes).toString('base64'));
    // As buffers: expect compares arrays item by item, which takes seconds.
    const decoded = decodeBase64(text);
    expect(decoded instanceof Uint8Array && Buffer.from(decoded).equals(bytes)).toBe(true);
  });
});

describe('long numbers', () => {
  test.each([
    ['int("0000000000000000000000000000000042")', 42n],
    ['int("-00000000000000000000009223372036854775808")', -9223372036854775808n],
    ['int("9223372036854775808")', "failure: type conversion error from 'string' to 'int'"],
    ['uint("000000000000000000000018446744073709551615") == 18446744073709551615u', true],
    ['uint("18446744073709551616")', "failure: type conversion error from 'string' to 'uint'"],
    ['duration("000000000000000000000000000001h") == duration("1h")', true],
    [
      'duration("100000000000000000000001h")',
      "failure: type conversion error from 'string' to 'google.protobuf.Duration'",
    ],
  ])('%s', (source, wanted) => expect(evaluate(source)).toBe(wanted));
});

describe('values with shared parts', () => {
  test.each([
    ['optionals of equal values are one value', '[optional.of([1]), optional.of([1.0])].distinct().size()', 1n],
    ['optionals of other values are not', '[optional.of(1), optional.of(2), optional.none()].distinct().size()', 3n],
    ['numbers that are not numbers stay where they are', '[2.0, 0.0 / 0.0, 1.0].sort().size()', 3n],
    ['a list that is looked for is compared by its parts', '[[1.0], [2.0]].indexOf([2.0])', 1n],
  ])('%s', (_, source, wanted) => expect(evaluate(source)).toBe(wanted));
});
