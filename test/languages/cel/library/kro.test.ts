import { describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../../../src/core/encoding/base64.ts';
import { isOmitted } from '../../../../src/languages/cel/library/kro.ts';
import { equalValues } from '../../../../src/languages/cel/value/equal.ts';
import {
  CelMap,
  type CelValue,
  Duration,
  keyText,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from '../../../../src/languages/cel/value/values.ts';
import { call, sizeOf } from './call.ts';

describe('random functions return the results of kro', () => {
  it.each([
    [10n, 'seed', 'qakd42wvqa'],
    [20n, '2f0e3b1a-7c6d-4f5e-9a8b-1c2d3e4f5a6b', '1magn7fo1magn7fo1mag'],
    [1n, '', 'e'],
    [3n, 'é😀', 'yui'],
  ])('random.seededString(%i, %j)', (length, seed, expected) => {
    expect(call('random.seededString', length, seed)).toBe(expected);
    expect(sizeOf('random.seededString', length, seed)).toBe(Number(length));
  });

  it.each([
    [30000n, 32768n, 'seed', 32522n],
    [-9223372036854775808n, 9223372036854775807n, 'x', -5948949156983295932n],
    [0n, 1n, 'x', 0n],
  ])('random.seededInt(%i, %i, %j)', (min, max, seed, expected) => {
    expect(call('random.seededInt', min, max, seed)).toBe(expected);
  });

  it('reject empty ranges', () => {
    expect(() => call('random.seededString', 0n, 's')).toThrow('length must be positive');
    expect(() => call('random.seededInt', 1n, 1n, 's')).toThrow('min must be less than max');
  });
});

describe('hash functions', () => {
  it.each([
    ['hash.fnv64a', '', 'y/Kc5IQiIyU='],
    ['hash.fnv64a', 'hello world', 'd5pl5wI80uc='],
    ['hash.sha256', 'é', 'SplVfkAzw1Od4utlRyAXytX5VX96BiWgnxw/biumnEw='],
    ['hash.md5', 'hello world', 'XrY7u+Ae7tCTyyK7j1rNww=='],
  ])('%s(%j)', (name, text, expected) => {
    expect(encodeBase64(call(name, text) as Uint8Array)).toBe(expected);
  });
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const keyed = (key: bigint): CelMap => new CelMap(new Map([[keyText(key), [key, 'x'] as const]]));

describe('json.marshal', () => {
  it.each([
    [{ b: 1n, a: [1, 2.5, true, null], Z: { k: 'v' } }, '{"Z":{"k":"v"},"a":[1,2.5,true,null],"b":1}'],
    [
      "<a href='x'>&\"é☃\u2028\\/\t\u0001\u007f",
      '"\\u003ca href=\'x\'\\u003e\\u0026\\"é☃\\u2028\\\\/\\t\\u0001\u007f"',
    ],
    [[bytes('hi'), new Duration(5_400_000_000_000n), Optional.none], '["aGk=","1h30m0s",null]'],
    [new Timestamp(1_704_067_200_500_000_000n), '"2024-01-01T00:00:00Z"'],
    [new Uint(18446744073709551615n), '18446744073709551615'],
    [[1e21, 1e20, 0.000001, 0.0000001, 123456789, -0], '[1e+21,100000000000000000000,0.000001,1e-7,123456789,-0]'],
    [9007199254740993n, '9007199254740993'],
    [Optional.of('x'), '"x"'],
    [new Timestamp(-62_135_596_800_000_000_000n), 'null'],
    ['\ud800x', '"\ufffdx"'],
    [{ '\ue000': 1n, '😀': 2n }, '{"\ue000":1,"😀":2}'],
  ] as readonly (readonly [CelValue, string])[])('of %o', (value, expected) => {
    expect(call('json.marshal', value)).toBe(expected);
  });

  it.each([
    [Number.NaN, 'json: unsupported value: NaN'],
    [keyed(1n), 'map key must be string, got int64'],
    [new TypeValue('int'), 'unsupported type: type'],
  ] as readonly (readonly [CelValue, string])[])('of %o fails', (value, message) => {
    expect(() => call('json.marshal', value)).toThrow(message);
  });

  it('computes the size of a value that contains one part many times', () => {
    let value: CelValue = 'x';
    for (let level = 0; level < 40; level++) value = { a: value, b: value };
    expect(sizeOf('json.marshal', value)).toBeGreaterThan(1e12);
  });
});

describe('json.encode follows the JSON format of protobuf', () => {
  it.each([
    [9007199254740993n, '"9007199254740993"'],
    [{ a: 1n, b: new Duration(5_400_000_000_000n) }, '{"a":1,"b":"5400s"}'],
    [new Timestamp(1_704_067_200_500_000_000n), '"2024-01-01T00:00:00.5Z"'],
    [new Timestamp(1_704_067_200_500_000_000n, 90), '"2024-01-01T01:30:00.5+01:30"'],
  ] as readonly (readonly [CelValue, string])[])('of %o', (value, expected) => {
    expect(call('json.encode', value)).toBe(expected);
  });
});

describe('json.encode rejects', () => {
  it.each([
    [keyed(1n), "type conversion error from int to 'string'"],
    [Optional.none, 'optional.none() dereference'],
    [{ a: [Optional.none] }, 'optional.none() dereference'],
  ] as readonly (readonly [CelValue, string])[])('%o', (value, message) => {
    expect(() => call('json.encode', value)).toThrow(message);
  });
});

describe('json.unmarshal', () => {
  it.each([
    ['{"name": "n\\u0031", "sizes": [1, -2.5e1], "none": null}', { name: 'n1', sizes: [1, -25], none: null }],
    [' true ', true],
    ['{"a":1,"a":2}', { a: 2 }],
    ['"\\ud83d\\ude00 \\ud83d"', '😀 \ufffd'],
    ['[]', []],
    ['{"pattern": "^\\\\d+\\\\.\\\\w$"}', { pattern: '^\\d+\\.\\w$' }],
    ['"C:\\\\Windows\\\\\\u0041\\\\"', 'C:\\Windows\\A\\'],
    ['"\\\\\\""', '\\"'],
    ['{"\\\\x": "\\/\\\\/"}', { '\\x': '/\\/' }],
  ])('of %j', (text, expected) => {
    expect(call('json.unmarshal', text)).toEqual(expected);
  });

  it.each([
    ['{oops', "invalid character 'o' looking for beginning of object key string"],
    ['', 'unexpected end of JSON input'],
    ['[1', 'unexpected end of JSON input'],
    ['[1 2]', "invalid character '2' after array element"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['1 2', "invalid character '2' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['-', "invalid character ' ' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['1e400', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
    ['['.repeat(2000), 'exceeded max depth'],
  ])('of %s fails as in Go', (text, message) => {
    expect(() => call('json.unmarshal', text)).toThrow(`json.unmarshal failed to parse JSON: ${message}`);
  });

  it('reads __proto__ as an ordinary key', () => {
    expect(Object.keys(call('json.unmarshal', '{"__proto__": 1}') as object)).toEqual(['__proto__']);
  });
});

describe('encoders', () => {
  it.each([
    ['aGVsbG8=', 'hello'],
    ['aGVsbG8', 'hello'],
    ['', ''],
  ])('base64.decode(%j)', (text, expected) => {
    expect(call('base64.decode', text)).toEqual(bytes(expected));
  });

  it('base64.decode rejects wrong padding', () => {
    expect(() => call('base64.decode', 'aGVsbG8==')).toThrow('illegal base64 data at input byte 7');
  });
});

describe('omit', () => {
  it('returns a value that is not compared', () => {
    expect(isOmitted(call('omit'))).toBe(true);
    expect(() => equalValues(call('omit'), 'a')).toThrow('cannot be compared');
    expect(equalValues('a', call('omit'))).toBe(false);
  });
});
