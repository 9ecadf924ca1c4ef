import { describe, expect, test } from 'vitest';
import { offsetOf, parse, references } from '../../../../src/languages/cel/index.ts';

function read(source: string): ReturnType<typeof references> {
  const parsed = parse(source);
  if (!parsed.ok) throw new Error(parsed.issue.message);
  return references(parsed.expression);
}

describe('identifiers', () => {
  test.each([
    ['a.b + c', ['a', 'c']],
    ['c + a + c', ['c', 'a']],
    ['list.map(x, x + y)', ['list', 'y']],
    ['x.map(x, x + 1)', ['x']],
    ['a.all(i, v, i + v + k > 0)', ['a', 'k']],
    ['cel.bind(x, x.y, x + z)', ['x', 'z']],
    ['a.optMap(v, v + b)', ['a', 'b']],
    ['a.map(x, [x].map(y, x + y)) + y', ['a', 'y']],
    ['a.map(x, .x)', ['a', 'x']],
    ['"deploy.x" + {"deploy": a}.deploy', ['a']],
    ['lists.range(3)', []],
    ['lists.other(3)', ['lists']],
    ['has(a.b) && b.c', ['a', 'b']],
    ['names.sortBy(n, -n.size())', ['names']],
    ['{k: v}[?i]', ['k', 'v', 'i']],
    ['optional.none().orValue(a)', ['a']],
  ])('%s', (source, expected) => {
    expect(read(source).identifiers.map(({ name }) => name)).toEqual(expected);
  });

  test('are listed by their first position', () => {
    expect(read('a.b + c + a').identifiers).toEqual([
      { name: 'a', offset: 0 },
      { name: 'c', offset: 6 },
    ]);
  });
});

describe('functions', () => {
  test.each([
    ['size(a) + a.size()', ['size', '.size']],
    ['lists.range(3).map(i, string(i))', ['lists.range', 'string']],
    ['a.split(",").join("")', ['.split', '.join']],
    ['1 + 2 == 3 && [1].exists(x, x > 0)', []],
    ['a.transformMap(k, v, v)', []],
    ['omit()', ['omit']],
    ['nothing.known(a)', ['.known']],
  ])('%s', (source, expected) => {
    expect(read(source).functions.map(({ name }) => name)).toEqual(expected);
  });
});

test('the position of a node is found by its id', () => {
  const parsed = parse('a + b.c');
  if (!parsed.ok || parsed.expression.root.kind !== 'call') throw new Error('not a call');
  const [, right] = parsed.expression.root.args;
  expect(offsetOf(parsed.expression, right?.id)).toBe(6);
  expect(offsetOf(parsed.expression, 99)).toBeUndefined();
  expect(offsetOf(parsed.expression, undefined)).toBeUndefined();
});

describe('a leading dot', () => {
  test.each<[string, string[]]>([
    ['.schema.spec.name', ['.schema']],
    ['[1].map(schema, .schema.spec.name)', ['.schema']],
    ['.dyn(1) == .size("a")', ['.dyn', '.size']],
    ['has(.schema.spec)', ['.schema']],
    ['schema.spec.names.size()', []],
  ])('is reported: %s', (source, expected) => {
    const parsed = parse(source);
    if (!parsed.ok) throw new Error('syntax');
    expect(references(parsed.expression).dotted.map(({ name }) => name)).toEqual(expected);
  });
});
