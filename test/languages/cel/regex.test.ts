import { describe, expect, it } from 'vitest';
import { compileRegex, compileWork, noPatternPaid } from '../../../src/languages/cel/regex.ts';

describe('compileRegex', () => {
  it('returns a cached pattern', () => {
    expect(compileRegex('a+')).toBe(compileRegex('a+'));
  });

  it('matches in RE2 syntax', () => {
    expect(compileRegex('^\\pL+$').test('é')).toBe(true);
    expect(compileRegex('(?i)ABC').test('xabcx')).toBe(true);
  });

  it.each([
    ['(', 'error parsing regexp: missing closing ): `(`'],
    ['a\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
    ['(?=x)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
    ['\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
  ])('rejects %j as Go does', (pattern, message) => {
    expect(() => compileRegex(pattern)).toThrow(message);
  });

  it('matches in linear time', () => {
    expect(compileRegex('^(a+)+$').test(`${'a'.repeat(50_000)}b`)).toBe(false);
  });
});

describe('the budget of compiling patterns', () => {
  it('is not used for a cached pattern', () => {
    const paid = noPatternPaid();
    expect(compileWork('a{100}', paid)).toBeGreaterThan(10_000);
    expect(compileWork('a{100}', paid)).toBe(0);
  });

  it('is used again after the cache evicts a pattern', () => {
    const paid = noPatternPaid();
    compileWork('first', paid);
    for (let index = 0; index < 100; index++) compileWork(`a{1000}${index}`, paid);
    expect(compileWork('a{1000}99', paid)).toBe(0);
    expect(compileWork('first', paid)).toBeGreaterThan(0);
  });
});
