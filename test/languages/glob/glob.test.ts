import { describe, expect, it } from 'vitest';
import { globTest, patternTest } from '../../../src/languages/glob/index.ts';

describe('globs', () => {
  it.each([
    ['bad.yaml', 'bad.yaml', true],
    ['bad.yaml', 'a/b/bad.yaml', true],
    ['bad.yaml', 'a/b/not-bad.yaml', false],
    ['charts', 'charts/web/values.yaml', true],
    ['charts/', 'a/charts/values.yaml', true],
    ['*.tpl.yaml', 'a/x.tpl.yaml', true],
    ['a/*.yaml', 'a/x.yaml', true],
    ['./a/*.yaml', 'a/x.yaml', true],
    ['a/*.yaml', './a/x.yaml', true],
    ['a/*.yaml', 'a/b/x.yaml', false],
    ['a/**/*.yaml', 'a/x.yaml', true],
    ['a/**/*.yaml', 'a/b/c/x.yaml', true],
    ['a/**', 'a', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'ab/c', false],
    ['**/test/*', 'x/test/y.yaml', true],
    ['?.yaml', 'a.yaml', true],
    ['?.yaml', 'ab.yaml', false],
    ['[a-c].yaml', 'b.yaml', true],
    ['[!a-c].yaml', 'b.yaml', false],
    ['{a,b*}.yaml', 'bcd.yaml', true],
    ['a.b', 'axb', false],
    ['a+(b).yaml', 'a+(b).yaml', true],
    ['[', '[', true],
    ['{a,{b,c}x}.yaml', 'cx.yaml', true],
    ['{a,{b,c}x}.yaml', 'c.yaml', false],
    ['{a/**,b}/x.yaml', 'a/q/x.yaml', true],
    ['{a', '{a', true],
    ['a}', 'a}', true],
    ['[z-a].yaml', 'b.yaml', false],
    ['[!z-a].yaml', 'b.yaml', true],
    ['[]a].yaml', '].yaml', true],
    ['a[+-9]x', 'a/x', false],
    ['a[!b]x', 'a/x', false],
    ['a{b,[}]c}', 'a}c', true],
    ['***/x', 'a/b/x', true],
    ['[\\]', '\\', true],
    ['(?i)a', 'A', false],
    ['\u{1f600}?', '\u{1f600}\u{1f601}', true],
  ])('%s on %s is %s', (pattern, path, expected) => {
    expect(globTest(pattern)(path)).toBe(expected);
  });

  it('match in linear time, without backtracking', () => {
    const path = `${'a'.repeat(2000)}.yaml`;
    for (const pattern of ['*a'.repeat(400), '**/'.repeat(300), '{a,*}'.repeat(150), '[!b]*'.repeat(180)]) {
      expect(globTest(`${pattern}b`)(path), pattern).toBe(false);
      expect(globTest(`${pattern}b`)('a/'.repeat(1000)), pattern).toBe(false);
    }
  });
});

describe('patterns of other programs', () => {
  it.each([
    [String.raw`\*.yaml`, '*.yaml', true],
    [String.raw`\*.yaml`, 'a.yaml', false],
    [String.raw`{a,\}}`, '}', true],
    [String.raw`{\}`, '{}', true],
    ['**/x', 'a/b/x', true],
    ['[^a]', 'b', true],
  ])('%s on %s is %s', (pattern, path, expected) => {
    expect(patternTest(pattern, { matchesSlash: true, braces: true })(path)).toBe(expected);
  });
});
