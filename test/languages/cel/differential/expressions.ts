/** Random expressions in the part of CEL that both engines support, usually well typed. */
import fc, { type Arbitrary } from 'fast-check';

const literals = {
  int: fc.oneof(
    fc.integer({ min: -9, max: 9 }).map(String),
    fc.constantFrom('9223372036854775807', '-9223372036854775808', '4611686018427387904', '1000000007'),
  ),
  double: fc.constantFrom('0.0', '1.5', '-2.25', '1e3', '0.1', '3.0', '1e300', '-0.5'),
  text: fc.constantFrom('""', '"a"', '"b"', '"abc"', '"a,b,c"', '"10"', '"x y"', '"é"', '"A-b"', '" pad "', '"true"'),
  bool: fc.constantFrom('true', 'false'),
};

const call = (...parts: [Arbitrary<string>, ...(Arbitrary<string> | string)[]]): Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(''));

const infix = (left: Arbitrary<string>, operators: readonly string[], right: Arbitrary<string>): Arbitrary<string> =>
  fc.tuple(left, fc.constantFrom(...operators), right).map(([a, op, b]) => `(${a} ${op} ${b})`);

const choice = (test: Arbitrary<string>, value: Arbitrary<string>): Arbitrary<string> =>
  fc.tuple(test, value, value).map(([condition, yes, no]) => `(${condition} ? ${yes} : ${no})`);

const ORDER = ['<', '<=', '>', '>=', '==', '!='];
const QUANTIFIERS = ['all', 'exists', 'exists_one'];

const { bool, text, int, double, ints, texts, map } = fc.letrec((tie) => {
  // Whatever its kind, an expression is a text.
  const of = (kind: string): Arbitrary<string> => tie(kind) as Arbitrary<string>;
  const level = { maxDepth: 4, depthIdentifier: 'expression', withCrossShrink: true } as const;
  const [i, d, t, b] = [of('int'), of('double'), of('text'), of('bool')];
  const [li, lt, m] = [of('ints'), of('texts'), of('map')];
  const list = (item: Arbitrary<string>): Arbitrary<string> =>
    fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => `[${items.join(', ')}]`);
  return {
    int: fc.oneof(
      level,
      literals.int,
      infix(i, ['+', '-', '*', '/', '%'], i),
      choice(b, i),
      fc.oneof(t, li, lt, m).map((value) => `size(${value})`),
      call(t, '.size()'),
      call(li, '[', fc.integer({ min: 0, max: 3 }).map(String), ']'),
      call(m, '["', fc.constantFrom('a', 'b', 'c'), '"]'),
      call(m, '.', fc.constantFrom('a', 'b', 'c')),
      t.map((value) => `int(${value})`),
      d.map((value) => `int(${value})`),
      call(t, '.indexOf(', t, ')'),
    ),
    double: fc.oneof(
      level,
      literals.double,
      infix(d, ['+', '-', '*', '/'], d),
      choice(b, d),
      i.map((value) => `double(${value})`),
    ),
    text: fc.oneof(
      level,
      literals.text,
      infix(t, ['+'], t),
      choice(b, t),
      i.map((value) => `string(${value})`),
      b.map((value) => `string(${value})`),
      call(t, fc.constantFrom('.lowerAscii()', '.upperAscii()', '.trim()')),
      call(t, '.substring(', fc.constantFrom('0', '1', '2'), ')'),
      call(lt, '.join(', literals.text, ')'),
      call(lt, '[', fc.constantFrom('0', '1'), ']'),
    ),
    bool: fc.oneof(
      level,
      literals.bool,
      b.map((value) => `!${value}`),
      infix(b, ['&&', '||', '==', '!='], b),
      infix(i, ORDER, i),
      infix(d, ORDER, d),
      infix(t, ORDER, t),
      infix(li, ['==', '!='], li),
      infix(m, ['==', '!='], m),
      infix(i, ['in'], li),
      infix(t, ['in'], lt),
      infix(t, ['in'], m),
      call(t, fc.constantFrom('.startsWith(', '.endsWith(', '.contains('), t, ')'),
      fc
        .tuple(li, fc.constantFrom(...QUANTIFIERS), fc.constantFrom(...ORDER), i)
        .map(([all, does, op, value]) => `${all}.${does}(x, x ${op} ${value})`),
      fc.tuple(m, fc.constantFrom(...QUANTIFIERS), t).map(([all, does, value]) => `${all}.${does}(k, k != ${value})`),
    ),
    ints: fc.oneof(
      level,
      list(i),
      infix(li, ['+'], li),
      choice(b, li),
      fc.tuple(li, i).map(([all, value]) => `${all}.map(x, x + ${value})`),
      fc.tuple(li, i).map(([all, value]) => `${all}.filter(x, x > ${value})`),
      fc.tuple(li, i).map(([all, value]) => `${all}.map(x, x != ${value}, x * 2)`),
    ),
    texts: fc.oneof(
      level,
      list(t),
      infix(lt, ['+'], lt),
      call(t, '.split(",")'),
      lt.map((all) => `${all}.map(x, x + "!")`),
    ),
    map: fc.oneof(
      level,
      fc
        .uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
        .chain((keys) => fc.tuple(...keys.map((key) => i.map((value) => `"${key}": ${value}`))))
        .map((entries) => `{${entries.join(', ')}}`),
      choice(b, m),
    ),
  };
});

export const expressions: Arbitrary<string> = fc.oneof(int, double, text, bool, ints, texts, map);
