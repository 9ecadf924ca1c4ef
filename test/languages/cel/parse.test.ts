import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import { describe, expect, test } from 'vitest';
import { type Expr, qualifiedName } from '../../../src/languages/cel/ast.ts';
import { parse } from '../../../src/languages/cel/index.ts';

/** A tree as text, in a form close to the source. */
function show(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return expr.literal.type === 'uint' ? `${expr.literal.value}u` : JSON.stringify(expr.literal.value, bigints);
    case 'ident':
      return expr.name;
    case 'select':
      return `${show(expr.operand)}.${expr.optional ? '?' : ''}${expr.field}${expr.test ? '~test~' : ''}`;
    case 'call':
      return `${expr.target === undefined ? '' : `${show(expr.target)}.`}${expr.name}(${expr.args.map(show).join(', ')})`;
    case 'list':
      return `[${expr.elements.map(({ value, optional }) => (optional ? '?' : '') + show(value)).join(', ')}]`;
    case 'map':
      return `{${expr.entries.map(({ key, value, optional }) => `${optional ? '?' : ''}${show(key)}: ${show(value)}`).join(', ')}}`;
    case 'struct':
      return `${expr.name}{${expr.fields.map(({ name, value }) => `${name}: ${show(value)}`).join(', ')}}`;
    case 'comprehension':
      return `${expr.does}(${expr.variable}${expr.variable2 === undefined ? '' : `, ${expr.variable2}`} in ${show(expr.range)})`;
    case 'bind':
      return `bind(${expr.name} = ${show(expr.init)})`;
  }
}

const bigints = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value instanceof Uint8Array ? [...value] : value;

function tree(source: string): string {
  const parsed = parse(source);
  return parsed.ok ? show(parsed.expression.root) : `${parsed.issue.offset}: ${parsed.issue.message}`;
}

describe('the tree of an expression', () => {
  test.each([
    ['1 + 2 * 3', '_+_(1, _*_(2, 3))'],
    ['1 - 2 - 3', '_-_(_-_(1, 2), 3)'],
    ['a || b && c || d', '_||_(a, _&&_(b, c), d)'],
    ['a ? b : c ? d : e', '_?_:_(a, b, _?_:_(c, d, e))'],
    ['a == b in c', '@in(_==_(a, b), c)'],
    ['!!a', 'a'],
    ['!!!a', '!_(a)'],
    ['-a.b', '-_(a.b)'],
    ['-1', '-1'],
    ['--1', '1'],
    ['-1.5e3', '-1500'],
    ['1 -1', '_-_(1, 1)'],
    ['a.b[0].?c[?"d"]', '_[?_](_[_](a.b, 0).?c, "d")'],
    ['.a.b(c)', '.a.b(c)'],
    ['a.`b-c/d`', 'a.b-c/d'],
    ['x.for.namespace', 'x.for.namespace'],
    ['[1, ?a,]', '[1, ?a]'],
    ['[,]', '[]'],
    ['{?"a": b, c: 1,}', '{?"a": b, c: 1}'],
    ['a.B{c: 1, d: 2}', 'a.B{c: 1, d: 2}'],
    ['has(a.b)', 'a.b~test~'],
    ['[1].all(x, x > 0)', 'all(x in [1])'],
    ['m.transformMap(k, v, v)', 'map(k, v in m)'],
    ['1 // the rest\n + 2', '_+_(1, 2)'],
    ['size(a.b(c), d)', 'size(a.b(c), d)'],
    ['all(x, y)', 'all(x, y)'],
    ['other.bind(x, y, z)', 'other.bind(x, y, z)'],
  ])('%s', (source, expected) => {
    expect(tree(source)).toBe(expected);
  });

  test('has positions of names, operators and literals', () => {
    const parsed = parse('a.bc + de(1)');
    expect(parsed.ok).toBe(true);
    if (!parsed.ok || parsed.expression.root.kind !== 'call') return;
    const { root } = parsed.expression;
    expect([root.offset, ...root.args.map(({ offset }) => offset)]).toEqual([5, 2, 7]);
  });

  test('has a qualified name for a chain of names', () => {
    const parsed = parse('a.b.c');
    expect(parsed.ok && qualifiedName(parsed.expression.root)).toBe('a.b.c');
  });
});

describe('literals', () => {
  test.each([
    ['0x1F', '31'],
    ['0xFFu', '255u'],
    ['18446744073709551615U', '18446744073709551615u'],
    ['.5', '0.5'],
    ['1e3', '1000'],
    ['"\\u0041\\x41\\101\\U0001F600"', '"AAA😀"'],
    ['"\\a\\b\\f\\n\\r\\t\\v\\\\\\?\\"\\\'\\`"', JSON.stringify('\u0007\b\f\n\r\t\v\\?"\'`')],
    ["'it\"s'", '"it\\"s"'],
    ['"""a "quoted" text\n"""', '"a \\"quoted\\" text\\n"'],
    ["'''it's'''", '"it\'s"'],
    ['r"\\d\\n"', '"\\\\d\\\\n"'],
    ["R'''a\\'''", '"a\\\\"'],
    ['"""a\r\nb\rc"""', '"a\\nb\\nc"'],
    ['b"é\\xff\\377"', '[195,169,255,255]'],
    ['br"\\x"', '[92,120]'],
  ])('%s', (source, expected) => {
    expect(tree(source)).toBe(expected);
  });
});

describe('syntax errors', () => {
  test.each([
    ['', '0: Syntax error: unexpected the end of the expression, expected a value'],
    ['a +', '3: Syntax error: unexpected the end of the expression, expected a value'],
    ['a b', "2: Syntax error: unexpected 'b', expected an operator or the end of the expression"],
    ['f(a,)', "4: Syntax error: unexpected ')', expected an argument"],
    ['a.in', "2: Syntax error: unexpected 'in', expected a field name"],
    ['a.?b()', "4: Syntax error: unexpected '(', expected an operator or the end of the expression"],
    ['a[?b', "4: Syntax error: unexpected the end of the expression, expected ']'"],
    ['{a}', "2: Syntax error: unexpected '}', expected ':'"],
    ['a ? b', "5: Syntax error: unexpected the end of the expression, expected ':'"],
    ['a # b', "2: Syntax error: token recognition error at: '#'"],
    ['${a}', "0: Syntax error: token recognition error at: '$'"],
    ["'a", "0: Syntax error: string literal is not closed: '"],
    ['"a\nb"', '0: Syntax error: string literal is not closed: "'],
    ['"\\z"', '1: invalid escape sequence: \\z'],
    ['"\\ud800"', '1: invalid unicode code point'],
    ['b"\\u0041"', '2: bytes literals cannot hold \\u escapes; write the character itself'],
    ['9223372036854775808', '0: invalid int literal'],
    ['--9223372036854775808', '2: invalid int literal'],
    ['-9223372036854775809', '1: invalid int literal'],
    ['18446744073709551616u', '0: invalid uint literal'],
    ['1e400', '0: invalid double literal'],
    ['for', '0: reserved identifier: for'],
    ['has(a)', '4: invalid argument to has() macro'],
    ['[1].map(1, 2)', '8: argument is not an identifier'],
    ['[1].existsOne(x, x == 1)', '4: existsOne() takes two variables; with one variable it is called exists_one()'],
    ['[1].all(i, i, true)', '11: duplicate variable name: i'],
    ['[1].transformList(i, i, i)', '21: duplicate variable name: i'],
    ['[1].transformMapEntry(i, i, {i: i})', '25: duplicate variable name: i'],
    ['[1].all(a.b, true)', '10: argument must be a simple name'],
    ['[1].map(__result__, 1)', '8: iteration variable overwrites accumulator variable'],
    ['cel.bind(a.b, 1, 2)', '11: cel.bind() variable names must be simple identifiers'],
  ])('%s', (source, expected) => {
    expect(tree(source)).toBe(expected);
  });
});

describe('an unclosed literal of any length is rejected', () => {
  const long = 'a'.repeat(90_000);
  test.each(['"', "'", '"""', "'''", 'r"', "b'", 'br"""'])('%s', (start) => {
    for (const body of [long, 'a\\n'.repeat(30_000), '\\'.repeat(90_000), `${'a b'.repeat(30_000)}\n`]) {
      expect(tree(`1 + ${start}${body}`)).toBe(`4: Syntax error: string literal is not closed: ${start}`);
    }
  });
});

describe('limits', () => {
  const tooDeep = /^\d+: expression recursion limit exceeded: 250$/;
  test.each([
    ['parentheses', '('.repeat(5000)],
    ['closed parentheses', `${'('.repeat(5000)}1${')'.repeat(5000)}`],
    ['brackets', '['.repeat(5000)],
    ['braces', '{1:'.repeat(5000)],
    ['calls', 'f('.repeat(5000)],
    ['selections', `a${'.b'.repeat(5000)}`],
    ['sums', `1${'+1'.repeat(5000)}`],
    ['indexes', 'a['.repeat(5000)],
  ])('thousands of nested %s are rejected', (_, source) => {
    expect(tree(source)).toMatch(tooDeep);
  });

  test('signs and logical chains may be long', () => {
    expect(parse(`${'!'.repeat(50_000)}a`).ok).toBe(true);
    expect(parse(`a${' || a'.repeat(15_000)}`).ok).toBe(true);
  });

  test('an expression has at most 100,000 characters', () => {
    expect(tree(' '.repeat(100_001))).toBe('0: expression code point size exceeds limit: 100000');
  });

  test.each<[string, (count: number) => string]>([
    ['parentheses', (count) => `${'('.repeat(count)}1${')'.repeat(count)}`],
    ['sums', (count) => `1${'+1'.repeat(count)}`],
    ['relations', (count) => `1${'==1'.repeat(count)}`],
    ['selections', (count) => `a${'.b'.repeat(count)}`],
    ['indexes', (count) => `a${'[0]'.repeat(count)}`],
    ['conditions', (count) => `${'true?1:'.repeat(count)}1`],
  ])('the same number of %s is accepted as by cel-go', (_, source) => {
    expect([parse(source(250)).ok, parse(source(251)).ok]).toEqual([true, false]);
  });
});

describe("cel-go's parser tests", () => {
  interface Suite {
    suites?: Suite[];
    tests?: { original: { expr: string }; error?: string }[];
  }
  const all = (suite: Suite): { original: { expr: string }; error?: string }[] => [
    ...(suite.tests ?? []),
    ...(suite.suites ?? []).flatMap(all),
  ];
  // These tests use smaller limits or no optional syntax and quoted names, which kro has.
  const otherOptions = /recursion|unsupported syntax/;
  // kro's environment has existsOne with two variables only.
  const elsewhere = /existsOne\(\w+, /;
  const cases = all(parsing as Suite).filter(
    ({ original, error }) => !otherOptions.test(error ?? '') && !elsewhere.test(original.expr),
  );

  test('are complete', () => {
    expect(cases.length).toBeGreaterThan(150);
  });

  test('reject the same expressions', () => {
    // Errors of the type checker, which runs later, name the source <input>.
    const differing = cases
      .filter(({ original, error }) => parse(original.expr).ok !== (error === undefined || error.includes('<input>')))
      .map(({ original }) => original.expr);
    expect(differing).toEqual([]);
  });
});
