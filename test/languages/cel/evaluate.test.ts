import { describe, expect, test } from 'vitest';
import { createEnvironment } from '../../../src/languages/cel/index.ts';
import { type CelValue, Duration, Timestamp, Uint } from '../../../src/languages/cel/value/values.ts';
import { evaluate, json } from './engine.ts';

const table = (rows: [string, unknown][]): void => {
  test.each(rows)('%s', (source, expected) => {
    expect(json(source)).toEqual(expected);
  });
};

describe('arithmetic', () => {
  table([
    ['9223372036854775807 - 1', 9223372036854775806n],
    ['9223372036854775807 + 1', 'failure: integer overflow'],
    ['-9223372036854775808 - 1', 'failure: integer overflow'],
    ['-(-9223372036854775808)', 'failure: integer overflow'],
    ['-9223372036854775808 / -1', 'failure: integer overflow'],
    ['9223372036854775807 * 2', 'failure: integer overflow'],
    ['18446744073709551615u + 1u', 'failure: unsigned integer overflow'],
    ['1u - 2u', 'failure: unsigned integer overflow'],
    ['-7 / 2', -3n],
    ['-7 % 2', -1n],
    ['1 / 0', 'failure: division by zero'],
    ['1 % 0', 'failure: modulus by zero'],
    ['5u / 2u', 2n],
    ['1.5 * 2.0', 3],
    ['1.0 / 0.0 > 1.0', true],
    ['"a" + "b"', 'ab'],
    ['[1] + [2]', [1n, 2n]],
    ['b"a" + b"b" == b"ab"', true],
    ['duration("1h") + duration("30m")', '1h30m0s'],
    ['timestamp("2024-01-01T00:00:00Z") - timestamp("2023-12-31T00:00:00Z")', '24h0m0s'],
    ['timestamp("0001-01-01T00:00:00Z") - duration("1s")', 'failure: timestamp overflow'],
    ['dyn(1) + 1.0', 'failure: no such overload: _+_(int, double)'],
  ]);
});

describe('comparison', () => {
  table([
    ['dyn(1) == 1.0', true],
    ['dyn(1) == 1u', true],
    ['dyn(1) < 2.0', true],
    ['dyn(1) < "a"', 'failure: no such overload'],
    ['double("nan") < 1.0', false],
    ['double("nan") == double("nan")', false],
    ['"a" < "B"', false],
    ['"\uffff" < "😀"', true],
    ['[1, [2]] == [1, [2]]', true],
    ['{"a": 1, "b": 2} == {"b": 2, "a": 1}', true],
    ['dyn([1]) == dyn({"a": 1})', false],
    ['optional.of(1) == optional.of(1)', true],
    ['b"a" < b"b"', true],
    ['false < true', true],
    ['1 in [2, 1]', true],
    ['dyn(1.0) in {1: 2}', true],
    ['"a" in {"a": null}', true],
    ['dyn([1]) in {"a": 1}', false],
    ['type(1) == type(2)', true],
    ['type([1]) == type(["a"])', true],
  ]);
});

describe('logic', () => {
  table([
    ['1 / 0 == 1 || true', true],
    ['true || 1 / 0 == 1', true],
    ['false && 1 / 0 == 1', false],
    ['1 / 0 == 1 && false', false],
    ['1 / 0 == 1 && true', 'failure: division by zero'],
    ['1 / 0 == 1 || 1 % 0 == 1', 'failure: division by zero'],
    ['dyn("x") || true', true],
    ['dyn("x") || false', 'failure: no such overload'],
    ['true ? 1 : 1 / 0', 1n],
    ['dyn("x") ? 1 : 2', 'failure: no such overload'],
    ['!dyn(false)', true],
  ]);
});

describe('reading', () => {
  table([
    ['{"a": {"b": 1}}.a.b', 1n],
    ['{"a": 1}.b', 'missing: no such key: b'],
    ['dyn({"a": 1}).b', 'missing: no such key: b'],
    ['{"a": 1}["b"]', 'missing: no such key: b'],
    ['{1: "a"}[2]', 'missing: no such key: 2'],
    ['{1u: "a"}[dyn(1.0)]', 'a'],
    ['[1, 2][2]', 'missing: index out of bounds: 2'],
    ['[1, 2][-1]', 'missing: index out of bounds: -1'],
    ['[1, 2][dyn(1.0)]', 2n],
    ['[1, 2][dyn(0.5)]', 'failure: unsupported index value 0.5 in list'],
    ['dyn([1])["a"]', "failure: unsupported index type 'string' in list"],
    ['dyn([1]).a', "failure: unsupported index type 'string' in list"],
    ['dyn("text").a', 'missing: no such key: a'],
    ['dyn(null).a', 'missing: no such key: a'],
    ['has(dyn("text").a)', false],
    ['has({"a": null}.a)', true],
    ['dyn({"a": 1}).?b.hasValue()', false],
    ['dyn({"a": null}).?a.hasValue()', true],
    ['dyn({"a": {"b": 1}}).?a.b', 1n],
    ['dyn({}).?a.b.c[0].hasValue()', false],
    ['has(dyn({}).?a.b)', false],
    ['[1, 2][?5].orValue(7)', 7n],
    ['dyn({})[?"a"][1 / 0].hasValue()', false],
    ['{"__proto__": 1}.__proto__', 1n],
    ['dyn({}).constructor', 'missing: no such key: constructor'],
    ['{"in": 1}["in"]', 1n],
    ['{"a b": 1}.`a b`', 1n],
  ]);
});

describe('optionals', () => {
  table([
    ['optional.of(1).orValue(1 / 0)', 1n],
    ['optional.none().orValue(2)', 2n],
    ['optional.of(1).or(optional.of(1 / 0)).value()', 1n],
    ['optional.none().or(optional.of(2))', 2n],
    ['dyn(1).orValue(2)', 'failure: no such overload'],
    ['optional.none()', null],
    ['optional.none().value()', 'failure: optional.none() dereference'],
    ['optional.of(2).optMap(x, x * 2)', 4n],
    ['optional.none().optMap(x, x)', null],
    ['optional.of(2).optFlatMap(x, optional.none())', null],
    ['[?optional.none(), 2, ?optional.of(3)]', [2n, 3n]],
    ['{?"a": optional.none(), ?"b": optional.of(1)}', { b: 1n }],
    ['[?dyn(1)]', 'failure: cannot initialize optional list element from non-optional value int'],
  ]);
});

describe('macros', () => {
  table([
    ['[1, 2].all(x, x > 0)', true],
    ['[].all(x, x)', true],
    ['[0, 2].all(x, 1 / x > 5)', false],
    ['[1, 0].all(x, 1 / x > 0)', 'failure: division by zero'],
    ['[0, 1].exists(x, 1 / x == 1)', true],
    ['[1].exists(x, dyn("a"))', 'failure: no such overload'],
    ['[1, 2, 2].exists_one(x, x == 1)', true],
    ['[1, 2].existsOne(i, v, i == 1 && v == 2)', true],
    ['[0, 1].exists_one(x, 1 / x == 1)', 'failure: division by zero'],
    ['[1, 2, 3].map(x, x > 1, x * 10)', [20n, 30n]],
    ['[1, 2, 3].filter(x, x != 2)', [1n, 3n]],
    ['{"b": 1, "a": 2}.map(k, k)', ['a', 'b']],
    ['{"b": 1, "a": 2}.transformList(k, v, k + string(v))', ['a2', 'b1']],
    ['{10: "x", 9: "y"}.map(k, k)', [9n, 10n]],
    ['{"\uffff": 1, "😀": 2}.transformList(k, v, v)', [1n, 2n]],
    ['[3, 4].transformList(i, v, i > 0, v)', [4n]],
    ['{"a": 1}.transformMap(k, v, k + "!")', { a: 'a!' }],
    ['["x", "y"].transformMapEntry(i, v, {v: i})', { x: 0n, y: 1n }],
    ['["x", "x"].transformMapEntry(i, v, {v: i})', 'failure: insert failed: key x already exists'],
    ['["b", "aa"].sortBy(s, -size(s))', ['aa', 'b']],
    ['[[1, 2], [3]].map(x, x.map(y, y * size(x)))', [[2n, 4n], [3n]]],
    ['dyn("abc").map(x, x)', "failure: got 'string', expected iterable type"],
    ['cel.bind(x, 2, cel.bind(y, x + 1, x * y))', 6n],
    ['cel.bind(x, 1 / 0, true)', true],
    ['cel.bind(x, 1 / 0, x == 1 || true)', true],
    ['[1, 2].map(i, cel.bind(x, i * 2, x + x))', [4n, 8n]],
    ['[1, 2].map(x, cel.bind(x, x + 1, x))', [2n, 3n]],
  ]);

  test('an inner variable hides an outer one only inside its scope', () => {
    expect(json('[1, 2].map(x, [10].map(x, x)[0] + x)')).toEqual([11n, 12n]);
  });
});

describe('conversions', () => {
  table([
    ['int("+5")', 5n],
    ['int("5.0")', "failure: type conversion error from 'string' to 'int'"],
    ['int("9223372036854775808")', "failure: type conversion error from 'string' to 'int'"],
    ['int(-1.9)', -1n],
    ['int(9223372036854775807.0)', 'failure: integer overflow'],
    ['int(timestamp("2024-01-01T00:00:00.9Z"))', 1704067200n],
    ['uint(-1)', 'failure: unsigned integer overflow'],
    ['uint("7")', 7n],
    ['double("1e3")', 1000],
    ['double("0x1p-2")', 0.25],
    ['double("x")', "failure: type conversion error from 'string' to 'double'"],
    ['double("1e400")', "failure: type conversion error from 'string' to 'double'"],
    ['string(double("-inf"))', '-Inf'],
    ['bool("T")', true],
    ['bool("yes")', "failure: type conversion error from 'string' to 'bool'"],
    ['string(1e6)', '1e+06'],
    ['string(100000.0)', '100000'],
    ['string(1.5)', '1.5'],
    ['string(true)', 'true'],
    ['string(b"\\xff")', 'failure: invalid UTF-8 in bytes, cannot convert to string'],
    ['string(bytes("é"))', 'é'],
    ['string(duration("1h1.5s"))', '3601.5s'],
    ['string(timestamp("2024-01-01T00:00:00.5+02:00"))', '2024-01-01T00:00:00.5+02:00'],
    ['string(timestamp("2024-01-01T00:00:00-05:30") + duration("1h"))', '2024-01-01T01:00:00-05:30'],
    ['duration("1d")', "failure: type conversion error from 'string' to 'google.protobuf.Duration'"],
    ['duration("9223372036854775808ns")', "failure: type conversion error from 'string' to 'google.protobuf.Duration'"],
    [
      'timestamp("2024-02-30T00:00:00Z")',
      "failure: type conversion error from 'string' to 'google.protobuf.Timestamp'",
    ],
    ['timestamp("yesterday")', 'failure: invalid RFC 3339 timestamp "yesterday"'],
    ['timestamp(0)', '1970-01-01T00:00:00Z'],
    ['string(dyn(null))', 'failure: no such overload: string(null_type)'],
  ]);

  test.each<[string, CelValue]>([
    ['duration("-1.5h")', new Duration(-5_400_000_000_000n)],
    ['duration("1µs2ns")', new Duration(1002n)],
    ['timestamp("1970-01-01T00:00:00.000000001Z")', new Timestamp(1n)],
    ['uint(5)', new Uint(5n)],
    ['bytes("a")', Uint8Array.of(97)],
  ])('%s has the expected value', (source, expected) => {
    expect(evaluate(source)).toEqual(expected);
  });
});

describe('times', () => {
  const time = 'timestamp("2024-03-10T05:06:07.089Z")';
  table([
    [`${time}.getFullYear()`, 2024n],
    [`${time}.getMonth()`, 2n],
    [`${time}.getDate()`, 10n],
    [`${time}.getDayOfMonth()`, 9n],
    [`${time}.getDayOfWeek()`, 0n],
    [`${time}.getDayOfYear()`, 69n],
    [`${time}.getHours()`, 5n],
    [`${time}.getMinutes()`, 6n],
    [`${time}.getSeconds()`, 7n],
    [`${time}.getMilliseconds()`, 89n],
    [`${time}.getHours("America/New_York")`, 0n],
    [`${time}.getDate("America/Los_Angeles")`, 9n],
    [`${time}.getHours("-05:30")`, 23n],
    ['timestamp("2024-03-10t05:06:07Z")', 'failure: invalid RFC 3339 timestamp "2024-03-10t05:06:07Z"'],
    ['timestamp("2024-03-10T05:06:07z")', 'failure: invalid RFC 3339 timestamp "2024-03-10T05:06:07z"'],
    ['-9223372036854775808 % -1', 'failure: integer overflow'],
    ['-dyn(duration("1s")) == duration("-1s")', true],
    ['timestamp(0) - duration("-9223372036.854775808s")', 'failure: integer overflow'],
    ['dyn([])[1e100]', 'failure: unsupported index value 1e+100 in list'],
    ['dyn([1, 2]).flatten()', [1n, 2n]],
    ['[["a"], "b"].flatten()', ['a', 'b']],
    ['[1, 2.5].min()', 1n],
    ['[dyn(1), dyn("a")].min()', 1n],
    ['[1, 2u].isSorted()', true],
    [`${time}.getHours("Nowhere/Town")`, 'failure: unknown time zone Nowhere/Town'],
    ...['utc', 'Utc', 'europe/berlin', 'EUROPE/BERLIN', 'us/eastern', 'US/EASTERN', 'gb', 'America/port-au-prince'].map(
      (zone): [string, unknown] => [`${time}.getHours("${zone}")`, `failure: unknown time zone ${zone}`],
    ),
    ...[
      'GB',
      'W-SU',
      'Etc/GMT+1',
      'America/Port-au-Prince',
      'Antarctica/DumontDUrville',
      'America/North_Dakota/Beulah',
    ].map((zone): [string, unknown] => [`${time}.getHours("${zone}") >= 0`, true]),
    [`${time}.getHours("+0100")`, 'failure: unknown time zone +0100'],
    [`${time}.getHours("25:00")`, 'failure: timezone offset hours out of range [-23, 23]: 25:00'],
    ['timestamp("0001-01-01T00:00:00Z").getFullYear("UTC")', 1n],
    ['duration("90m").getHours()', 1n],
    ['duration("90m").getMinutes()', 90n],
    ['duration("1.5s").getMilliseconds()', 1500n],
  ]);
});

describe('strings and maps', () => {
  table([
    ['size("é😀")', 2n],
    ['"é😀".size()', 2n],
    ['{"a": 1}.size()', 1n],
    ['"abc".matches("^a.c$")', true],
    ['"abc".matches("a(")', 'failure: error parsing regexp: missing closing ): `a(`'],
    ['dyn(1).startsWith("a")', 'failure: no such overload: startsWith(int, string)'],
    ['{"a": 1, "a": 2}', { a: 2n }],
    ['{1.5: 2}', 'failure: unsupported key type: double'],
  ]);

  test('an environment may reject repeated keys', () => {
    const env = createEnvironment([], { uniqueKeys: true });
    expect(evaluate('{"a": 1, "a": 2}', { env })).toBe('failure: Failed with repeated key');
  });
});
