import { describe, expect, it } from 'vitest';
import { globTest } from '../../src/shells/glob.ts';

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
  ])('%s on %s is %s', (pattern, path, expected) => {
    expect(globTest(pattern)(path)).toBe(expected);
  });
});
