import { describe, expect, it } from 'vitest';
import type { CelValue } from '../../../../src/languages/cel/value/values.ts';
import { call, callInRule, sizeOf } from './call.ts';

type Row = readonly [name: string, args: readonly CelValue[], expected: CelValue];

const results: readonly Row[] = [
  ['.charAt', ['h😀x', 1n], '😀'],
  ['.charAt', ['abc', 3n], ''],
  ['.indexOf', ['a😀b', 'b'], 2n],
  ['.indexOf', ['banana', 'an', 2n], 3n],
  ['.indexOf', ['abc', '', 2n], 2n],
  ['.indexOf', ['abc', '', 9n], 3n],
  ['.indexOf', ['abc', 'c', 9n], -1n],
  ['.lastIndexOf', ['banana', 'an'], 3n],
  ['.lastIndexOf', ['banana', 'an', 2n], 1n],
  ['.lastIndexOf', ['abc', '', 1n], 1n],
  ['.lastIndexOf', ['abc', ''], 3n],
  ['.lastIndexOf', ['abc', 'a', 3n], -1n],
  ['.lowerAscii', ['ÀBç XYZ'], 'Àbç xyz'],
  ['.upperAscii', ['àbç xyz'], 'àBç XYZ'],
  ['.reverse', ['a😀b'], 'b😀a'],
  ['.replace', ['banana', 'an', 'x'], 'bxxa'],
  ['.replace', ['banana', 'an', 'x', 1n], 'bxana'],
  ['.replace', ['banana', 'an', 'x', 0n], 'banana'],
  ['.replace', ['banana', 'an', 'x', -1n], 'bxxa'],
  ['.replace', ['h☃', '', '.'], '.h.☃.'],
  ['.replace', ['h☃', '', '.', 2n], '.h.☃'],
  ['.replace', ['a$b', '$', '$&'], 'a$&b'],
  ['.split', ['a,b,,c', ','], ['a', 'b', '', 'c']],
  ['.split', ['a,b,,c', ',', 2n], ['a', 'b,,c']],
  ['.split', ['a,b', ',', 0n], []],
  ['.split', ['a,b', ',', -1n], ['a', 'b']],
  ['.split', ['h😀', ''], ['h', '😀']],
  ['.split', ['', ','], ['']],
  ['.split', ['', ''], []],
  ['.substring', ['a😀bc', 1n, 3n], '😀b'],
  ['.substring', ['abc', 3n], ''],
  ['.trim', [' \t\u00a0\u0085x\u2003\n'], 'x'],
  ['.trim', ['\ufeffx\u200b'], '\ufeffx\u200b'],
  ['.join', [['a', 'b']], 'ab'],
  ['.join', [['a', 'b'], ' - '], 'a - b'],
  ['.join', [[], ','], ''],
  ['strings.quote', [' \t"in\\ner"\u0007\u0001'], '" \\t\\"in\\\\ner\\"\\a\u0001"'],
];

const failures: readonly (readonly [name: string, args: readonly CelValue[], message: string])[] = [
  ['.charAt', ['abc', 4n], 'index out of range: 4'],
  ['.charAt', ['abc', -1n], 'index out of range: -1'],
  ['.indexOf', ['abc', 'a', -1n], 'index out of range: -1'],
  ['.lastIndexOf', ['abc', 'a', -2n], 'index out of range: -2'],
  ['.substring', ['abc', 0n, 5n], 'index out of range: 5'],
  ['.substring', ['abc', 2n, 1n], 'invalid substring range. start: 2, end: 1'],
];

describe('string functions', () => {
  it.each(results)('%s of %o', (name, args, expected) => {
    expect(call(name, ...args)).toEqual(expected);
  });

  it.each(failures)('%s of %o fails', (name, args, message) => {
    expect(() => call(name, ...args)).toThrow(message);
  });

  it('join rejects a list of other values than strings', () => {
    expect(() => call('.join', ['a', 1n])).toThrow('join: invalid input: int');
  });

  it('have a size bound for the result', () => {
    expect(sizeOf('.replace', 'aaaa', 'a', 'bbbb')).toBeGreaterThanOrEqual(16);
    expect(sizeOf('.replace', 'aaaa', '', 'bbbb')).toBeGreaterThanOrEqual(24);
    expect(sizeOf('.join', ['ab', 'c'], '----')).toBeGreaterThanOrEqual(7);
    expect(sizeOf('.split', 'abc', '')).toBeGreaterThanOrEqual(3);
  });

  it('validation rules have no reverse for strings', () => {
    expect(() => callInRule('.reverse', 'abc')).toThrow('no overload');
    expect(callInRule('.trim', ' abc ')).toBe('abc');
  });
});
