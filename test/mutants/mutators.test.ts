import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { equivalents, lineOf } from './equivalent.ts';
import { instrument } from './instrument.ts';
import { MUTATORS, mutantsOf } from './mutators.ts';
import { draw, mutantsIn } from './sample.ts';

/** Returns `mutator before > after` of every mutant of a text. */
const changes = (text: string): string[] =>
  mutantsOf('a.ts', text).map(({ mutator, before, after }) => `${mutator} ${before} > ${after}`);

describe('the mutants of a text', () => {
  it.each([
    ['if (a) b();', ['condition a > true', 'condition a > false', 'statement b(); > ']],
    ['while (a) b();', ['condition a > false', 'statement b(); > ']],
    ['const a = b ? c : d;', ['condition b > true', 'condition b > false']],
    ['const a = b && c;', ['logical && > ||', 'operand b && c > b', 'operand b && c > c']],
    ['const a = b ?? c;', ['operand b ?? c > b', 'operand b ?? c > c']],
    ['const a = b < c;', ['comparison < > <=']],
    ['const a = b === c;', ['equality === > !==']],
    ['const a = b + c;', ['arithmetic + > -']],
    ["const a = b + 'c';", ["string 'c' > ''"]],
    ['const a = !b;', ['negation !b > b']],
    ['function a() { return b; }', ['return b > undefined']],
    ['function a() { return true; }', ['boolean true > false']],
    ["const a = '';", ["string '' > 'mutant'"]],
    ['const a = [b];', ['array [b] > []']],
    ['const a = b?.c;', ['optional ?. > .']],
    ['const a = b.some(c);', ['method some > every']],
    ['const a = b.filter(c);', ['method b.filter(c) > b']],
    ["const a: 'b' | 'c' = d;", []],
    ["import { a } from 'b';", []],
    ["const a = { 'b': c };", []],
    ['[a, b] = [b, a];', ['statement [a, b] = [b, a]; > ', 'array [b, a] > []']],
    ['a`b${c}`;', ['statement a`b${c}`; > ']],
  ])('%s', (text, expected) => {
    expect(changes(text).sort()).toEqual([...expected].sort());
  });

  it('are of every kind in the sources, and each kind is drawn', () => {
    const all = mutantsIn('src/kro/expand');
    expect(new Set(all.map(({ mutator }) => mutator))).toEqual(new Set(MUTATORS));
    expect(draw(all, 20, 3)).toEqual(draw(all, 20, 3));
    expect(draw(all, 20, 3)).not.toEqual(draw(all, 20, 4));
  });
});

describe('an instrumented text', () => {
  /** Runs a text that sets `result`, with one of its mutants, or with none. */
  const run = (text: string, active: number, values: Readonly<Record<string, unknown>>): unknown => {
    const mutants = new Map(mutantsOf('a.ts', text).entries());
    const hooks = { __mutant: (id: number) => id === active, __tick: () => {} };
    const code = `${instrument('a.ts', text, mutants)}\nreturn result;`;
    const names = Object.keys(values);
    return new Function('globalThis', ...names, code)({ __mutants: hooks }, ...Object.values(values));
  };

  it.each([
    ['let result = a?.b.c ?? "none";', { a: undefined }, 'none'],
    ['let result = []; for (const one of a) { if (one > 1) result.push(one); }', { a: [1, 2, 3] }, [2, 3]],
    ['let result = 0; if (a) result = 1; else result = 2;', { a: false }, 2],
    ['let result = a.filter((one) => one !== 2).map((one) => one + 1);', { a: [1, 2] }, [2]],
    ['let result = a && b || c;', { a: 1, b: 0, c: 3 }, 3],
  ])('is the same without a mutant, and another with one: %s', (text, values, expected) => {
    expect(run(text, -1, values)).toEqual(expected);
    const others = mutantsOf('a.ts', text).map((_, id) => {
      try {
        return JSON.stringify(run(text, id, values));
      } catch {
        return 'an error';
      }
    });
    expect(others.filter((one) => one !== JSON.stringify(expected)).length).toBeGreaterThan(0);
  });
});

describe('a loop of an instrumented text', () => {
  it.each([
    'while (true) { a(); }',
    'while (true) a();',
    'for (;;) for (;;);',
    'do a(); while (true);',
    'for (const one of endless()) a(one);',
  ])('asks in each turn whether it goes on: %s', (loop) => {
    const code = instrument('a.ts', `function* endless() { for (;;) yield 1; } ${loop}`, new Map());
    let turns = 0;
    const hooks = {
      __mutant: () => false,
      __tick() {
        turns += 1;
        if (turns > 100) throw new RangeError('it goes on');
      },
    };
    expect(() => new Function('globalThis', 'a', code)({ __mutants: hooks }, () => undefined)).toThrow(RangeError);
  });
});

describe('the list of equivalent mutants', () => {
  it('has entries of the sources as they are, with a reason', () => {
    for (const { file, text, before, after, reason } of equivalents) {
      expect(reason.length, file).toBeGreaterThan(20);
      const found = mutantsOf(file, readFileSync(file, 'utf8')).filter(
        (one) => one.before === before && one.after === after && lineOf(one) === text,
      );
      expect(found.length, `${file}: ${before}`).toBeGreaterThan(0);
    }
  });
});
