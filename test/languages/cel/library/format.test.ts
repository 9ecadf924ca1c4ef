import { describe, expect, it } from 'vitest';
import { check, kroEnvironment, parse } from '../../../../src/languages/cel/index.ts';
import { DYN } from '../../../../src/languages/cel/types.ts';
import {
  type CelValue,
  Duration,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from '../../../../src/languages/cel/value/values.ts';
import { call, sizeOf } from './call.ts';

const format = (pattern: string, ...args: CelValue[]): CelValue => call('.format', pattern, args);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const results: readonly (readonly [pattern: string, args: readonly CelValue[], expected: string])[] = [
  ['%s and %s', ['a', 1n], 'a and 1'],
  ['100%%', [], '100%'],
  ['%s', [1e21], '1000000000000000000000'],
  ['%s', [1e-7], '0.0000001'],
  ['%s', [2], '2'],
  ['%s', [Number.NaN], 'NaN'],
  ['%s', [Number.NEGATIVE_INFINITY], '-Infinity'],
  ['%s', [null], 'null'],
  ['%s', [true], 'true'],
  ['%s', [new Uint(7n)], '7'],
  ['%s', [bytes('é')], 'é'],
  ['%s', [new Duration(5_400_500_000_000n)], '5400.5s'],
  ['%s', [new Timestamp(1_700_000_000_120_000_000n)], '2023-11-14T22:13:20.12Z'],
  ['%s', [new TypeValue('int')], 'int'],
  ['%s', [['a', 1n, [2.5]]], '[a, 1, [2.5]]'],
  ['%s', [{ b: 1n, a: ['x'] }], '{a: [x], b: 1}'],
  ['%d', [-5n], '-5'],
  ['%d', [1.5], '1.5'],
  ['%f', [2.5], '2.500000'],
  ['%.0f', [2.5], '2'],
  ['%.0f', [3.5], '4'],
  ['%.2f', [1.005], '1.00'],
  ['%.3f', [10n], '10.000'],
  ['%.1f', [1e22], '10000000000000000000000.0'],
  ['%e', [1234.5678], '1.234568e+03'],
  ['%.0e', [0.00001], '1e-05'],
  ['%.1e', [9.96], '1.0e+01'],
  ['%.17e', [1e-7], '9.99999999999999955e-08'],
  ['%e', [0], '0.000000e+00'],
  ['%b', [-5n], '-101'],
  ['%b', [true], '1'],
  ['%o', [8n], '10'],
  ['%x', [255n], 'ff'],
  ['%X', [-255n], '-FF'],
  ['%x', ['é'], 'c3a9'],
  ['%X', [bytes('z')], '7A'],
];

const failures: readonly (readonly [pattern: string, args: readonly CelValue[], message: string])[] = [
  ['%s', [], 'index 0 out of range'],
  ['%', [1n], 'unexpected end of string'],
  ['%q', [1n], 'could not parse formatting clause: unrecognized formatting clause "q"'],
  ['%.f', [1], 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'],
  ['%.3', [1], 'could not find end of precision specifier'],
  ['%.101f', [1], 'precision 101 exceeds maximum allowed precision 100'],
  [
    '%d',
    ['a'],
    'error during formatting: decimal clause can only be used on ints, uints, and doubles, was given string',
  ],
  ['%x', [1.5], 'only ints, uints, bytes, and strings can be formatted as hex, was given double'],
  ['%s', [[Optional.none]], 'was given optional_type'],
];

describe('format', () => {
  it.each(results)('%s of %o', (pattern, args, expected) => {
    expect(format(pattern, ...args)).toBe(expected);
  });

  it.each(failures)('%s of %o fails', (pattern, args, message) => {
    expect(() => format(pattern, ...args)).toThrow(message);
  });

  it('has a size bound for the longest results', () => {
    expect(sizeOf('.format', '%.100f', [1.7976931348623157e308])).toBeGreaterThanOrEqual(410);
    expect(sizeOf('.format', '%x', ['☃☃☃'])).toBeGreaterThanOrEqual(18);
  });
});

/** Returns the issues of an expression with the variable `x` of type dyn. */
function issuesOf(source: string): readonly { message: string; offset: number }[] {
  const parsed = parse(source);
  if (!parsed.ok) throw new Error(parsed.issue.message);
  const checked = check(kroEnvironment(), parsed.expression, new Map([['x', DYN]]));
  return checked.ok ? [] : checked.issues;
}

describe('the check of literal format calls', () => {
  it('reports the argument that does not match its clause', () => {
    expect(issuesOf('"%d items".format(["many"])')).toEqual([
      {
        message:
          'error during formatting: decimal clause can only be used on ints, uints, and doubles, was given string',
        offset: 19,
        mayQuoteLiteral: true,
      },
    ]);
  });

  it('checks list literals printed with %s', () => {
    const source = '"%s".format([[null, optional.of(1)]])';
    const [issue] = issuesOf(source);
    expect(source.slice(issue?.offset)).toBe('of(1)]])');
    expect(issue?.message).toContain('was given optional_type');
  });

  it('accepts dyn for any clause', () => {
    expect(issuesOf('"%d %x %s".format([x, x, x])')).toEqual([]);
  });

  it('checks the number of arguments', () => {
    expect(issuesOf('"%s".format([])')).toEqual([
      { message: 'index 0 out of range', offset: 5, mayQuoteLiteral: true },
    ]);
    expect(issuesOf('"%s".format([1, 2])')).toEqual([
      { message: 'too many arguments supplied to string.format (expected 1, got 2)', offset: 5, mayQuoteLiteral: true },
    ]);
  });
});
