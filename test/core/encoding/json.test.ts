import { describe, expect, test } from 'vitest';
import { GO } from '../../../src/core/encoding/go-json.ts';
import { JsonError, parseJson } from '../../../src/core/encoding/json.ts';
import type { Value } from '../../../src/core/model/value.ts';

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
  ])('rejects %s', (text, message, offset) => {
    const read = (): Value => parseJson(text);
    expect(read).toThrow(JsonError);
    expect(read).toThrow(expect.objectContaining({ message, offset }));
  });

  test('reads __proto__ as an ordinary key', () => {
    expect(Object.keys(parseJson('{"__proto__": 1}') as object)).toEqual(['__proto__']);
  });
});

describe('JSON in the dialect of Go', () => {
  test.each<[string, Value]>([
    ['[1, 2.5, -0]', [1, 2.5, -0]],
    ['9007199254740993', 9007199254740992],
    ['{"a": 1, "b": 2, "a": 3}', { a: 3, b: 2 }],
    ['"\\ud83d"', '\uFFFD'],
  ])('%s', (text, value) => {
    expect(parseJson(text, GO)).toEqual(value);
  });

  test.each([
    ['', 'unexpected end of JSON input'],
    ['"a', 'unexpected end of JSON input'],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{a: 1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a": 1 2}', "invalid character '2' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['true false', "invalid character 'f' after top-level value"],
    ['nulx', "invalid character 'x' in literal null (expecting 'l')"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['1e999', 'json: cannot unmarshal number 1e999 into Go value of type float64'],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"\u0001"', "invalid character '\\x01' in string literal"],
    ['['.repeat(2000), 'exceeded max depth'],
  ])('rejects %s', (text, message) => {
    expect(() => parseJson(text, GO)).toThrow(expect.objectContaining({ name: 'JsonError', message }));
  });
});

test('reads a string with a million escapes, and reports one that does not end', () => {
  const text = JSON.stringify('\n"\\'.repeat(1_000_000));
  expect(parseJson(text)).toBe(JSON.parse(text));
  expect(() => parseJson(text.slice(0, -1))).toThrow(JsonError);
});
