import { describe, expect, it } from 'vitest';
import { canonicalYaml, templateYaml } from '../../src/flux/canonical/index.ts';
import { readStream } from '../../src/yaml/parse/index.ts';

describe('canonical YAML', () => {
  it('sorts keys in natural order, and does not indent lists', () => {
    const value = { b: [{ x: 1n, a: [] }, ['y']], a10: {}, a2: null, A: true };
    expect(canonicalYaml(value)).toBe('A: true\na2: null\na10: {}\nb:\n- a: []\n  x: 1\n- - "y"\n');
  });

  // A line break in a text of an action would become a part of it.
  it('does not fold a template inside the quotes of an action', () => {
    const words = 'word '.repeat(15);
    expect(templateYaml({ key: `${words}<<"a b c">> end` })).toBe(`key: ${words}<<"a b c">>\n  end\n`);
    expect(templateYaml({ key: `${words}<<'a" b'>> end` })).toBe(`key: ${words}<<'a" b'>>\n  end\n`);
    expect(templateYaml({ key: `${words}<<inputs.name "c">> end` })).toBe(`key: ${words}<<inputs.name\n  "c">> end\n`);
  });

  // As goyaml.v2 sorts keys: a digit comes before a letter, and other signs before both.
  it('sorts digits before letters, wherever they differ', () => {
    expect(canonicalYaml({ a: 1n, 5: 2n, _: 3n })).toBe('_: 3\n"5": 2\na: 1\n');
    expect(canonicalYaml({ xa: 1n, x5: 2n, 'x-': 3n })).toBe('x-: 3\nx5: 2\nxa: 1\n');
  });

  it('folds after the 80th column, also inside actions', () => {
    const text = `${'word '.repeat(15)}<< inputs.name | default "a b" >> ${'tail '.repeat(3)}end`;
    expect(canonicalYaml({ key: text })).toBe(
      `key: ${'word '.repeat(15)}<<\n  inputs.name | default "a b" >> tail tail tail end\n`,
    );
  });

  it.each([
    ['yes', '"yes"'],
    ['1.0', '"1.0"'],
    ['2031-04-05', '"2031-04-05"'],
    ['2031-13-05', '2031-13-05'],
    ['', '""'],
    ['a: b', "'a: b'"],
    ["it's", "it's"],
    ['#x', "'#x'"],
    [' lead', "' lead'"],
    ['a\tb', '"a\\tb"'],
    ['😀', '"\\U0001F600"'],
    ['- d', "'- d'"],
    ['<< inputs.a >>', '<< inputs.a >>'],
    ['one\ntwo\n', '|\n  one\n  two'],
    ['one \ntwo', '"one \\ntwo"'],
    ['\nlead', '|2-\n\n  lead'],
    ['end\n\n', '|+\n  end\n'],
  ])('%j', (text, written) => {
    expect(canonicalYaml({ k: text })).toBe(`k: ${written}\n`);
  });

  it.each([
    [1.5, '1.5'],
    [1e20, '1e+20'],
    [1000000.5, '1.0000005e+06'],
    [2 ** 40, '1099511627776'],
    [-0, '0'],
    [9007199254740993n, '9007199254740993'],
  ])('%s', (number, written) => {
    expect(canonicalYaml([number])).toBe(`- ${written}\n`);
  });
});

describe('the text of a template', () => {
  const words = 'word '.repeat(15);

  it('is folded inside actions, where spaces have no meaning, and not inside quotes', () => {
    const of = (text: string): string => templateYaml({ key: `${words}${text}` });
    expect(of('<< inputs.e >> post')).toBe(`key: ${words}<<\n  inputs.e >> post\n`);
    expect(of('<< f "a b c" >> end x')).toBe(`key: ${words}<<\n  f "a b c" >> end x\n`);
    for (const quoted of ['"a b \\" c"', "' '", '`a b c`']) {
      expect(of(`lo <<- ${quoted} >> end x`)).toContain(quoted);
    }
    expect(of('<</* it is */>> post')).toBe(`key: ${words}<</*\n  it is */>> post\n`);
    expect(of(`<</* don't */>> ${'tail '.repeat(30)}end`).split('\n')).toHaveLength(5);
    expect(of('"<< f  x >> end')).not.toContain('\\');
  });

  it.each([
    'a\u2028b',
    'a\u2029 b',
    'a\nb\u2028',
    '\u2028a',
    'a\u2028',
    'a\n\u2028\nb\n',
    'it: \u2028 b',
    'a b\u2028\u2028c',
  ])('keeps its value: %j', (text) => {
    const value = { key: text, list: [text], [text]: 'b' };
    expect(readStream(templateYaml(value)).documents.map((one) => one.value)).toEqual([value]);
  });
});
