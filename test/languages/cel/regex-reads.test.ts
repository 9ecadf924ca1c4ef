import { afterEach, describe, expect, it } from 'vitest';
import { compileRegex, matchesOf } from '../../../src/languages/cel/index.ts';

/**
 * The cost of matching is counted by a text that records what re2js reads of it. These tests fail if re2js reads it in
 * another way, which would cost nothing.
 */
const METHODS = Object.getOwnPropertyNames(String.prototype).filter((name) => name !== 'constructor');
const own = new Map(METHODS.map((name) => [name, Object.getOwnPropertyDescriptor(String.prototype, name)]));
const restore = (): void => {
  for (const [name, descriptor] of own) if (descriptor) Object.defineProperty(String.prototype, name, descriptor);
};
afterEach(restore);

/** Runs a search, and returns the methods of strings that were called on an object, which only the counted text is. */
function methodsCalled(run: () => void): Set<string> {
  const called = new Set<string>();
  for (const [name, descriptor] of own) {
    const method = descriptor?.value as ((...args: unknown[]) => unknown) | undefined;
    if (typeof method !== 'function') continue;
    const recorded = function (this: unknown, ...args: unknown[]): unknown {
      if (typeof this === 'object') called.add(name);
      return Reflect.apply(method, this, args);
    };
    Object.defineProperty(String.prototype, name, { ...descriptor, value: recorded });
  }
  run();
  restore();
  return called;
}

const PATTERNS = [
  'a',
  'abc',
  '[a-z]+x',
  '(a|b)*c$',
  '(?i)ABC',
  '^a.*b$',
  '\\bword\\b',
  '.',
  'é+',
  '(?s)a.b',
  '\\p{L}+',
  '',
];
const TEXTS = ['', 'abc', 'xxabcxx', 'a'.repeat(200), 'word word', 'ééé', '\u{1f600}a', 'a\nb'];

describe('the cost of matching', () => {
  it('counts every way in which a matcher reads a text', () => {
    const called = methodsCalled(() => {
      for (const pattern of PATTERNS.map(compileRegex))
        for (const text of TEXTS) for (const { group } of matchesOf(pattern, text, () => {})) group(0);
    });
    // Reading a group copies its text, which the reader pays for.
    expect([...called].sort()).toEqual(['charCodeAt', 'indexOf', 'substring', 'toString']);
  });

  it.each([
    ['[a-z]+x', 'x'],
    ['(a|b)*c$', 'c'],
    ['(?i)b', ''],
    ['a*?b', 'b'],
    ['.*.*b', 'b'],
  ])('grows with the text: %s', (pattern, end) => {
    const costOf = (length: number): number => {
      let cost = 0;
      const charge = (steps: number): void => {
        cost += steps;
      };
      for (const _ of matchesOf(compileRegex(pattern), `${'a'.repeat(length)}${end}`, charge));
      return cost;
    };
    expect(costOf(2000) - costOf(1000)).toBeGreaterThan(300);
  });

  it('does not change what matches', () => {
    for (const pattern of PATTERNS.map(compileRegex)) {
      for (const text of TEXTS) {
        const matcher = pattern.matcher(text);
        const first = matcher.find() ? [matcher.start(), matcher.end()] : undefined;
        const [found] = matchesOf(pattern, text, () => {});
        expect(found && [found.start, found.end]).toEqual(first);
      }
    }
  });
});
