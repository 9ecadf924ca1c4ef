import { describe, expect, it } from 'vitest';
import { matches, parseSelector } from '../../../src/core/model/label-selector.ts';
import { formatPath, type Value } from '../../../src/core/model/value.ts';

const expression = (key: string, operator: string, ...values: string[]): Value => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 ? { values } : {}) }],
});

describe('label selectors', () => {
  it.each([
    [{}, { a: '1' }, true],
    [{ matchLabels: { a: '1' } }, { a: '1', b: '2' }, true],
    [{ matchLabels: { a: '1' } }, { a: '2' }, false],
    [expression('a', 'In', '1', '2'), { a: '2' }, true],
    [expression('a', 'In', '1'), {}, false],
    [expression('a', 'NotIn', '1'), { a: '1' }, false],
    [expression('a', 'NotIn', '1'), {}, true],
    [expression('a', 'Exists'), { a: '' }, true],
    [expression('a', 'Exists'), {}, false],
    [expression('a', 'DoesNotExist'), {}, true],
    [expression('a', 'DoesNotExist'), { a: '' }, false],
  ] as [Value, Record<string, string>, boolean][])('%j on %j is %j', (selector, labels, expected) => {
    const parsed = parseSelector(selector);
    expect(parsed.faults).toEqual([]);
    expect(matches(parsed.selector, labels)).toBe(expected);
  });

  it.each([
    ['text', '', /LabelSelector/],
    [null, '', /LabelSelector/],
    [{ labels: {} }, 'labels', /'labels'/],
    [{ matchLabels: [] }, 'matchLabels', /must be a map/],
    [{ matchLabels: { a: true } }, 'matchLabels.a', /'a' must be a string/],
    [{ matchLabels: { 'a b': '1' } }, 'matchLabels["a b"]', /'a b' is not a valid label key/],
    [{ matchLabels: { a: 'b c' } }, 'matchLabels.a', /'b c' is not a valid label value/],
    [{ matchLabels: { a: 'x'.repeat(64) } }, 'matchLabels.a', /is not a valid label value/],
    [{ matchExpressions: {} }, 'matchExpressions', /must be a list/],
    [{ matchExpressions: ['a'] }, 'matchExpressions[0]', /must be a map/],
    [{ matchExpressions: [null] }, 'matchExpressions[0].key', /needs a key/],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists', value: 'b' }] }, 'matchExpressions[0].value', /'value'/],
    [
      { matchExpressions: [{ key: '', operator: 'a b', values: [1.5] }] },
      'matchExpressions[0].values',
      /list of strings/,
    ],
    [{ matchExpressions: [{ key: '', operator: 'a b' }] }, 'matchExpressions[0].key', /needs a key/],
    [
      { matchExpressions: [{ key: 'a', operator: 'In', values: 'b' }] },
      'matchExpressions[0].values',
      /list of strings/,
    ],
    [{ matchExpressions: [{ key: 'a', operator: 'exists' }] }, 'matchExpressions[0].operator', /operator of 'a'/],
    [expression('a', 'Is', '1'), 'matchExpressions[0].operator', /operator of 'a'/],
    [expression('a/b/c', 'Exists'), 'matchExpressions[0].key', /not a valid label key/],
    [expression('a', 'NotIn', '1', '-'), 'matchExpressions[0].values[1]', /'-' is not a valid label value/],
    [expression('a', 'In'), 'matchExpressions[0].operator', /needs values/],
    [expression('a', 'Exists', '1'), 'matchExpressions[0].values', /has no values/],
  ] as [Value, string, RegExp][])('rejects %j', (selector, place, reason) => {
    const { faults } = parseSelector(selector);
    expect(faults.map(({ path }) => formatPath(path))).toEqual([place]);
    expect(faults[0]?.message).toMatch(reason);
  });

  it('treat null as absent, and as an empty string for a value', () => {
    const { selector, faults } = parseSelector({
      matchLabels: { a: null },
      matchExpressions: [
        { key: 'b', operator: 'Exists', values: null },
        { key: 'c', operator: 'In', values: [null] },
      ],
    });
    expect(faults).toEqual([]);
    expect(matches(selector, { a: '', b: 'x', c: '' })).toBe(true);
    expect(matches(selector, { a: 'y', b: 'x', c: '' })).toBe(false);
    expect(parseSelector({ matchLabels: null, matchExpressions: null })).toEqual({ selector: [], faults: [] });
  });

  it('report all errors at once', () => {
    expect(parseSelector({ matchLabel: {}, matchLabels: { a: 1n, 'b c': 'd' } }).faults).toHaveLength(3);
  });
});
