import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError, parseJson } from '../../src/encoding/json.ts';
import type { Value } from '../../src/model/value.ts';

describe('exact JSON', () => {
  test.each<[string, Value]>([
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['3.0', 3],
    ['1e3', 1000],
    ['-0', 0n],
    [' [1, {"a": null}, true,false ] ', [1n, { a: null }, true, false]],
    ['"\\u00e9\\n\\/"', 'é\n/'],
    ['"\\ud83d"', '\uFFFD'],
    ['"\\ud83d\\ude00"', '😀'],
    ['{}', {}],
    ['[]', []],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test.each<[string, string, number]>([
    ['', 'the text ends too early', 0],
    ['[1,', 'the text ends too early', 3],
    ['[1,]', "unexpected ']'", 3],
    ['{a: 1}', "unexpected 'a'", 1],
    ['{"a" 1}', "unexpected '1'", 5],
    ['01', 'unexpected text after the value', 1],
    ['"a', 'a string is not closed or has a bad escape', 0],
    ['"\\x"', 'a string is not closed or has a bad escape', 0],
    ['{"a": 1, "a": 2}', 'the key "a" stands there twice', 9],
    ['1e999', '1e999 is too large', 0],
    ['true false', 'unexpected text after the value', 5],
    ['['.repeat(2000), 'nested more than 1000 deep', 1002],
  ])('%s is refused', (text, message, offset) => {
    const read = (): Value => parseJson(text);
    expect(read).toThrow(JsonError);
    expect(read).toThrow(expect.objectContaining({ message, offset }));
  });

  test('a key called __proto__ is a key', () => {
    expect(Object.keys(parseJson('{"__proto__": 1}') as object)).toEqual(['__proto__']);
  });

  test('reads whatever JSON.stringify writes', () => {
    const plain = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(plain(parseJson(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 200 },
    );
  });
});
