import { describe, expect, it } from 'vitest';
import { firstPart, lastPart, onOneLine, withoutEnds, withoutTrailing } from '../../../src/core/text/ends.ts';

describe('parts of a text', () => {
  it('have at most 100 characters', () => {
    expect(lastPart(`${'x'.repeat(200)}y`)).toBe(`${'x'.repeat(99)}y`);
    expect(lastPart('abc', 2)).toBe('ab');
    expect(firstPart(`y${'x'.repeat(200)}`)).toBe(`y${'x'.repeat(99)}`);
    expect(firstPart('abc', 1)).toBe('bc');
  });
});

describe('the ends of a text', () => {
  it('are removed', () => {
    expect(withoutTrailing('/a//', '/')).toBe('/a');
    expect(withoutTrailing('//', '/')).toBe('');
    expect(withoutEnds(' \ta b\t ', ' \t')).toBe('a b');
  });
});

describe('a text on one line', () => {
  it.each([
    ['a', 'a'],
    ['a \n b', 'a b'],
    ['a\n \n\r\n b\n', 'a b '],
    ['\n a', ' a'],
    ['a  b', 'a  b'],
  ])('%j is %j', (text, line) => {
    expect(onOneLine(text)).toBe(line);
    expect(text.replace(/\s*[\r\n]+\s*/g, ' ')).toBe(line);
  });
});
