import { describe, expect, test } from 'vitest';
import { toJson } from '../../../src/languages/cel/index.ts';
import { BYTES, type CelType, listOf, mapOf, optionalOf, STRING } from '../../../src/languages/cel/types.ts';
import { mapFrom } from '../../../src/languages/cel/value/order.ts';
import {
  CelMap,
  type CelValue,
  Duration,
  EvaluationError,
  keyText,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from '../../../src/languages/cel/value/values.ts';
import { objectOf } from './types.ts';

function converted(value: CelValue, expected?: CelType): unknown {
  try {
    return toJson(value, expected);
  } catch (error) {
    if (error instanceof EvaluationError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

const bytes = Uint8Array.of(104, 105);
const refused =
  'failure: unsupported type: bytes value cannot be used directly; encode it explicitly, e.g. base64.encode(...)';

describe('results as JSON', () => {
  test.each<[string, CelValue, unknown]>([
    ['scalars', [null, true, 1n, 1.5, 'x'], [null, true, 1n, 1.5, 'x']],
    ['a small uint', new Uint(7n), 7n],
    [
      'a large uint',
      new Uint(2n ** 63n),
      'failure: unsupported type: uint value 9223372036854775808 overflows int64; convert it explicitly, e.g. string(...)',
    ],
    ['a duration', new Duration(3_720_000_000_000n), '1h2m0s'],
    ['a timestamp, in whole seconds', new Timestamp(1_500_000_000n, 120), '1970-01-01T00:00:01Z'],
    ['an empty optional', Optional.none, null],
    ['an optional', Optional.of([Optional.of(1n)]), [1n]],
    ['bytes', bytes, refused],
    ['infinity', Number.POSITIVE_INFINITY, 'failure: unsupported type: Infinity has no place in an object'],
    ['a type', new TypeValue('int'), 'failure: unsupported type: type'],
    [
      'a map with other keys',
      new CelMap(new Map([[keyText(1n), [1n, 'a'] as const]])),
      'failure: map key must be string, got int',
    ],
    ['a map of text keys', mapFrom([['k', new Uint(1n)]]), { k: 1n }],
  ])('%s', (_, value, expected) => {
    expect(converted(value)).toEqual(expected);
  });
});

describe('bytes', () => {
  const object = objectOf('o', { data: mapOf(STRING, BYTES), text: STRING });
  test.each<[string, CelValue, CelType, unknown]>([
    ['where bytes are wanted', bytes, BYTES, 'aGk='],
    ['in an optional', Optional.of(bytes), optionalOf(BYTES), 'aGk='],
    ['in a list', [bytes], listOf(BYTES), ['aGk=']],
    ['in a field', { data: { a: bytes, b: 'c3RvcmVk' } }, object, { data: { a: 'aGk=', b: 'c3RvcmVk' } }],
    ['where text is wanted', { text: bytes }, object, refused],
  ])('%s', (_, value, expected, result) => {
    expect(converted(value, expected)).toEqual(result);
  });
});

describe('sharing', () => {
  test('values without a conversion are shared', () => {
    const plain = { a: [1n, { b: 'x' }] };
    const mixed = { same: plain, changed: new Uint(1n) };
    const result = toJson(mixed) as { same: unknown };
    expect(toJson(plain)).toBe(plain);
    expect(result.same).toBe(plain);
    expect(mixed.changed).toBeInstanceOf(Uint);
  });

  test('keys may have any name', () => {
    const value = Object.defineProperty({}, '__proto__', { value: new Uint(1n), enumerable: true }) as CelValue;
    expect(JSON.stringify(toJson(value), (_, part) => (typeof part === 'bigint' ? Number(part) : part))).toBe(
      '{"__proto__":1}',
    );
  });

  test('a value that is too large without sharing is rejected', () => {
    let value: CelValue = ['x'];
    for (let times = 0; times < 60; times++) value = [value, value];
    expect(converted(value)).toMatch(/^budget: /);
  });
});
