import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GlobBudget, globTest } from '../../../src/languages/glob/index.ts';
import { runs } from '../../properties/runs.ts';

describe('globs', () => {
  it('accept any text as a pattern', () => {
    const part = fc.constantFrom(...'*?[]{}!,-/.\\^$()|+a~&', '**', '[!', ']]', '\ud800', '\u{10ffff}', '\n');
    const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (pattern, path) => {
        expect(typeof globTest(pattern)(path)).toBe('boolean');
        const literal = `x${path.replace(/[*?[\]{}\ud800]/g, '')}y`;
        expect(globTest(literal)(literal)).toBe(true);
      }),
      runs(2000),
    );
  });
});

describe('the cost budget of globs', () => {
  it('rejects globs that cost more than their paths allow, for all globs that share it', () => {
    const room = new GlobBudget();
    const costly = globTest(`${'*a'.repeat(400)}b`, room);
    const cheap = globTest('*.yaml', room);
    expect(cheap('x.yaml')).toBe(true);
    for (let index = 0; index < 100; index += 1) costly(`${'a'.repeat(4000)}bc`);
    expect(room.isFull).toBe(true);
    expect(cheap('x.yaml')).toBe(false);
  });

  it('is sufficient for many files with usual names', () => {
    const room = new GlobBudget();
    const tests = ['charts/**/templates', '*.tpl.yaml', '{a,b}/**/[a-z]*.yaml'].map((glob) => globTest(glob, room));
    for (let index = 0; index < 5000; index += 1) {
      for (const test of tests) test(`apps/team-${index}/overlays/production/deployment-of-the-application.yaml`);
    }
    expect(room.isFull).toBe(false);
  });
});
