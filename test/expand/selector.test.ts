import { describe, expect, it } from 'vitest';
import { matches, parseSelector } from '../../src/expand/selector.ts';
import type { Value } from '../../src/model/value.ts';

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
    expect(typeof parsed).toBe('object');
    expect(typeof parsed === 'object' && matches(parsed, labels)).toBe(expected);
  });

  it.each([
    ['text', /LabelSelector/],
    [{ labels: {} }, /'labels'/],
    [{ matchLabels: { a: true } }, /'a' must be a string/],
    [expression('a', 'Is', '1'), /operator of 'a'/],
    [expression('a', 'In'), /needs values/],
    [expression('a', 'Exists', '1'), /has no values/],
  ] as [Value, RegExp][])('refuses %j', (selector, reason) => {
    expect(parseSelector(selector)).toMatch(reason);
  });
});
