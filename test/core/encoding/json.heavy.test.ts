import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/core/encoding/json.ts';
import { runs } from '../../properties/runs.ts';

describe('exact JSON', () => {
  test('reads the output of JSON.stringify', () => {
    const plain = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(plain(parseJson(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      runs(200),
    );
  });
});
