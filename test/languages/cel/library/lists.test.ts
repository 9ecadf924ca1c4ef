import { describe, expect, it } from 'vitest';
import {
  CelMap,
  type CelValue,
  Duration,
  keyText,
  Optional,
  Uint,
} from '../../../../src/languages/cel/value/values.ts';
import { call, callInRule, sizeOf } from './call.ts';

type Row = readonly [name: string, args: readonly CelValue[], expected: CelValue];

const results: readonly Row[] = [
  ['.slice', [[1n, 2n, 3n, 4n], 1n, 3n], [2n, 3n]],
  ['.slice', [[1n], 1n, 1n], []],
  ['.flatten', [[[1n], [2n, [3n]]]], [1n, 2n, [3n]]],
  ['.flatten', [[1n, [2n, [3n, [4n]]]], 2n], [1n, 2n, 3n, [4n]]],
  ['.flatten', [[1n, [2n]], 0n], [1n, [2n]]],
  ['.distinct', [[1n, 1, new Uint(1n), 'a', 'a', [1n], [1], { k: 1n }, { k: 1 }]], [1n, 'a', [1n], { k: 1n }]],
  ['.distinct', [[Number.NaN, Number.NaN]], [Number.NaN, Number.NaN]],
  ['.distinct', [[2n ** 53n + 1n, 2 ** 53]], [2n ** 53n + 1n]],
  ['.distinct', [[2 ** 53, 2n ** 53n + 1n, new Uint(2n ** 53n)]], [2 ** 53]],
  ['.distinct', [[2n ** 53n + 1n, 2n ** 53n, 2 ** 53]], [2n ** 53n + 1n, 2n ** 53n]],
  ['.distinct', [[2n ** 63n - 1n, 2 ** 63, -(2 ** 63)]], [2n ** 63n - 1n, -(2 ** 63)]],
  [
    '.distinct',
    [[[2n ** 53n + 1n], [2 ** 53], { k: 2 ** 53 }, { k: 2n ** 53n + 1n }]],
    [[2n ** 53n + 1n], { k: 2 ** 53 }],
  ],
  [
    '.distinct',
    [[1e20, 1e20, 2e20, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]],
    [1e20, 2e20, Number.POSITIVE_INFINITY],
  ],
  ['.reverse', [[1n, 2n, 3n]], [3n, 2n, 1n]],
  ['.sort', [['\ue000', '😀', 'b', 'Z']], ['Z', 'b', '\ue000', '😀']],
  ['.sort', [[3n, -1n, 2n]], [-1n, 2n, 3n]],
  ['.sort', [[true, false]], [false, true]],
  ['.sort', [[]], []],
  [
    '.@sortByAssociatedKeys',
    [
      ['foo', 'bar', 'baz'],
      [3n, 1n, 1n],
    ],
    ['bar', 'baz', 'foo'],
  ],
  ['lists.range', [3n], [0n, 1n, 2n]],
  ['.first', [[7n, 8n]], Optional.of(7n)],
  ['.last', [[7n, 8n]], Optional.of(8n)],
  ['.first', [[]], Optional.none],
  ['.isSorted', [[1n, 1n, 2n]], true],
  ['.isSorted', [['b', 'a']], false],
  ['.sum', [[1n, 2n]], 3n],
  ['.sum', [[1.5, 2.25]], 3.75],
  ['.sum', [[new Uint(1n), new Uint(2n)]], new Uint(3n)],
  ['.sum', [[new Duration(1n), new Duration(2n)]], new Duration(3n)],
  ['.sum', [[]], 0n],
  ['.min', [[5n, 1n, 7n]], 1n],
  ['.max', [['b', 'a', 'Z']], 'b'],
  ['.indexOf', [[1n, 'a', 'a'], 'a'], 1n],
  ['.indexOf', [[1n], 1], 0n],
  ['.lastIndexOf', [[1n, 'a', 'a'], 'a'], 2n],
  ['.lastIndexOf', [[1n], 2n], -1n],
  ['lists.setAtIndex', [['a', 'b'], 1n, 'X'], ['a', 'X']],
  ['lists.insertAtIndex', [['a', 'b'], 2n, 'X'], ['a', 'b', 'X']],
  ['lists.removeAtIndex', [['a', 'b'], 0n], ['b']],
  [
    '.merge',
    [
      { a: 1n, b: 1n },
      { b: 2n, c: 3n },
    ],
    { a: 1n, b: 2n, c: 3n },
  ],
  ['.deepMerge', [{ a: { x: 1n, w: { p: 1n } } }, { a: { w: { q: 2n } } }], { a: { x: 1n, w: { p: 1n, q: 2n } } }],
  ['.deepMerge', [{ a: { x: 1n } }, { a: null }], { a: null }],
  ['.deepMerge', [{ l: [1n] }, { l: [2n] }], { l: [2n] }],
];

const failures: readonly (readonly [name: string, args: readonly CelValue[], message: string])[] = [
  ['.slice', [[1n], 0n, 2n], 'cannot slice(0, 2), list is length 1'],
  ['.slice', [[1n], -1n, 1n], 'cannot slice(-1, 1), negative indexes not supported'],
  ['.slice', [[1n], 1n, 0n], 'cannot slice(1, 0), start index must be less than or equal to end index'],
  ['.flatten', [[1n], -1n], 'level must be non-negative'],
  ['.sort', [[1n, 'a']], 'list elements must have the same type'],
  ['.@sortByAssociatedKeys', [[1n, 2n], [1n]], 'but got 2 and 1 elements respectively'],
  ['lists.range', [-1n], 'lists.range: size must be non-negative, got -1'],
  ['lists.range', [1_000_001n], 'exceeds maximum allowed (1000000)'],
  ['.sum', [[9223372036854775807n, 1n]], 'integer overflow'],
  ['.sum', [[new Uint(18446744073709551615n), new Uint(1n)]], 'unsigned integer overflow'],
  ['.min', [[]], 'min called on empty list'],
  ['.max', [[]], 'max called on empty list'],
  ['lists.setAtIndex', [['a'], 1n, 'x'], 'lists.setAtIndex: index 1 out of bounds [0, 1)'],
  ['lists.insertAtIndex', [['a'], 2n, 'x'], 'lists.insertAtIndex: index 2 out of bounds [0, 1]'],
  ['lists.removeAtIndex', [['a'], -1n], 'lists.removeAtIndex: index -1 out of bounds [0, 1)'],
  ['.deepMerge', [{ a: 1n }, 'b'], 'no such overload'],
];

describe('list and map functions', () => {
  it.each(results)('%s of %o', (name, args, expected) => {
    expect(call(name, ...args)).toEqual(expected);
  });

  it.each(failures)('%s of %o fails', (name, args, message) => {
    expect(() => call(name, ...args)).toThrow(message);
  });

  it('do not change their arguments', () => {
    const list = ['b', 'a'];
    call('.sort', list);
    call('.reverse', list);
    call('lists.setAtIndex', list, 0n, 'x');
    expect(list).toEqual(['b', 'a']);
  });

  it('merge keeps keys that are not strings', () => {
    const ones = new CelMap(new Map([[keyText(1n), [1n, 'one'] as const]]));
    const merged = call('.merge', ones, { a: 'x' });
    expect(merged).toEqual(
      new CelMap(
        new Map<string, readonly [bigint | string, string]>([
          ['i1', [1n, 'one']],
          ['sa', ['a', 'x']],
        ]),
      ),
    );
  });

  it('merge treats __proto__ as an ordinary key', () => {
    const merged = call('.merge', { a: 1n }, JSON.parse('{"__proto__": "x"}')) as Record<string, CelValue>;
    expect(Object.keys(merged)).toEqual(['__proto__', 'a']);
  });

  it('distinct of many values does not take quadratic time', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `item-${index}`);
    expect(call('.distinct', many)).toHaveLength(100_000);
  });

  it('the size of a list flattened into itself is computed without flattening it', () => {
    let list: CelValue = Array.from({ length: 10 }, () => 'x');
    for (let level = 0; level < 30; level++) list = Array.from({ length: 10 }, () => list);
    expect(sizeOf('.flatten', list, 100n)).toBeCloseTo(1e31, -20);
    expect(sizeOf('lists.range', 5n)).toBe(5);
  });
});

describe('set functions of validation rules', () => {
  it.each([
    ['sets.contains', [[1n, 2n], [2]], true],
    ['sets.contains', [[1n], [1n, 2n]], false],
    [
      'sets.equivalent',
      [
        [1n, 1n, 2n],
        [2n, 1n],
      ],
      true,
    ],
    ['sets.intersects', [['a'], ['b']], false],
    ['sets.intersects', [['a'], ['b', 'a']], true],
  ] as const)('%s of %o', (name, args, expected) => {
    expect(callInRule(name, ...args)).toBe(expected);
  });

  it('are not available in expressions of an RGD', () => {
    expect(() => call('sets.contains', [], [])).toThrow('no overload');
  });
});

describe('optional functions', () => {
  it.each([
    ['optional.of', [0n], Optional.of(0n)],
    ['optional.ofNonZeroValue', [0n], Optional.none],
    ['optional.ofNonZeroValue', [''], Optional.none],
    ['optional.ofNonZeroValue', [[]], Optional.none],
    ['optional.ofNonZeroValue', [{}], Optional.none],
    ['optional.ofNonZeroValue', [null], Optional.none],
    ['optional.ofNonZeroValue', [new Duration(0n)], Optional.none],
    ['optional.ofNonZeroValue', ['x'], Optional.of('x')],
    ['optional.none', [], Optional.none],
    ['.value', [Optional.of(null)], null],
    ['.hasValue', [Optional.none], false],
    ['.hasValue', [Optional.of(null)], true],
    ['.or', [Optional.none, Optional.of(1n)], Optional.of(1n)],
    ['.orValue', [Optional.of(null), 1n], null],
    ['.orValue', [Optional.none, 1n], 1n],
    ['optional.unwrap', [[Optional.of(1n), Optional.none]], [1n]],
    ['.unwrapOpt', [[Optional.none]], []],
  ] as readonly Row[])('%s of %o', (name, args, expected) => {
    expect(call(name, ...args)).toEqual(expected);
  });

  it('none has no value', () => {
    expect(() => call('.value', Optional.none)).toThrow('optional.none() dereference');
  });
});
