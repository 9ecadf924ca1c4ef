import { describe, expect, it } from 'vitest';
import { children, type Expr, parse } from '../../../../src/languages/cel/index.ts';

function textOf(source: string, find: (part: Expr) => boolean = () => true): string | undefined {
  const parsed = parse(source);
  if (!parsed.ok) throw new Error(parsed.issue.message);
  const search = (part: Expr): Expr | undefined => {
    if (find(part)) return part;
    for (const child of children(part)) {
      const found = search(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const found = search(parsed.expression.root);
  return found && source.slice(found.start, found.end);
}

describe('the text of a whole expression', () => {
  it.each([
    'a',
    'a.b.c',
    'a.?b',
    'a.`b-c`.d',
    'a[0]',
    "a['k'].b",
    'a[?0]',
    'f()',
    'a.size()',
    'lists.range(3)',
    "a + 'b' + c",
    '-1 + a',
    '-a',
    '!a.b',
    '(a + b) * c',
    'a * (b + c)',
    '((a))[0] + ((b))',
    'a ? b : c',
    'a && b || (c && d)',
    '[1, 2, a]',
    "{'a': b, 'c': [d]}",
    'a.map(x, x + 1)',
    'a.filter(x, x.b > 1).size() > 0',
    'a.all(x, x in [1, 2])',
    'has(a.b)',
    'has(a.b) && a.b == 1',
    "cel.bind(x, a.b, x + 'c')",
    "'a{b}'.format([c])",
    "a.matches('[)(]')",
    'dyn(a).b',
    'a.exists(x, has(x.b))',
    'size(a.b) > 0',
    'a in b',
  ])('%s', (source) => expect(textOf(source)).toBe(source.replace(/^\(\((a)\)\)\[/, '((a))[')));
});

describe('the text of a part', () => {
  it.each([
    ['(a + b) * c', '_+_', 'a + b'],
    ['x ? size(a.b) : d', 'size', 'size(a.b)'],
    ['a.b && (c.d || e)', '_||_', 'c.d || e'],
    ["f(g(1), [2])[0] + 'x'", '_[_]', 'f(g(1), [2])[0]'],
  ])('%s, %s: %s', (source, name, text) => {
    expect(textOf(source, (part) => part.kind === 'call' && part.name === name)).toBe(text);
  });
});
