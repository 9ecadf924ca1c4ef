import { describe, expect, test } from 'vitest';
import { substitutions } from '../../../src/languages/cel/check/calls.ts';
import { check, createEnvironment, type Environment, kroEnvironment, parse } from '../../../src/languages/cel/index.ts';
import { fn } from '../../../src/languages/cel/library.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  describeType,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  param,
  STRING,
} from '../../../src/languages/cel/types.ts';
import { standardEnvironment } from './engine.ts';
import { box, objectOf } from './types.ts';

const variables = new Map<string, CelType>([
  ['box', box],
  ['boxes', listOf(box)],
  ['open', objectOf('open', { known: INT }, true)],
  ['labels', mapOf(STRING, STRING)],
  ['count', INT],
  ['name', STRING],
  ['names', listOf(STRING)],
  ['maybe', optionalOf(STRING)],
  ['any', DYN],
]);

/** The type, or every message with its offset and hint. */
function typeOf(source: string, env: Environment = kroEnvironment()): string {
  const parsed = parse(source);
  if (!parsed.ok) return `syntax: ${parsed.issue.message}`;
  const result = check(env, parsed.expression, variables);
  if (result.ok) return describeType(result.checked.type);
  return result.issues
    .map(({ offset, message, hint }) => `${offset}: ${message}${hint ? ` (${hint.text})` : ''}`)
    .join('; ');
}

describe('types', () => {
  test.each([
    ['box.size', 'int'],
    ['boxes[0].label', 'string'],
    ['boxes.map(b, b.size)', 'list(int)'],
    ['boxes.map(b, [b.label])', 'list(list(string))'],
    ['boxes.filter(b, b.size > 1)', 'list(box)'],
    ['labels.map(k, labels[k].size())', 'list(int)'],
    ['labels.transformMap(k, v, v.size())', 'map(string, int)'],
    ['names.transformMapEntry(i, n, {n: i})', 'map(string, int)'],
    ['names.transformList(i, n, i)', 'list(int)'],
    ['names.sortBy(n, n.size())', 'list(string)'],
    ['open.known', 'int'],
    ['open.other.thing', 'dyn'],
    ['any.a.b[0]', 'dyn'],
    ['any.map(x, x)', 'list(dyn)'],
    ['box.?label', 'optional_type(string)'],
    ['maybe.orValue("x")', 'string'],
    ['names[?0].optMap(n, n.size())', 'optional_type(int)'],
    ['names[?0].optFlatMap(n, labels[?n])', 'optional_type(string)'],
    ['boxes[?0].label', 'optional_type(string)'],
    ['has(box.label)', 'bool'],
    ['[]', 'list(dyn)'],
    ['[] + ["a"]', 'list(string)'],
    ['true ? [] : [1]', 'list(int)'],
    ['[1, "a"]', 'list(dyn)'],
    ['[[], [1]]', 'list(list(int))'],
    ['[null, box]', 'list(box)'],
    ['{"a": 1, "b": "c"}', 'map(string, dyn)'],
    ['{}', 'map(dyn, dyn)'],
    ['[?maybe]', 'list(string)'],
    ['{?"a": maybe}', 'map(string, string)'],
    ['any + 1', 'int'],
    ['any + any', 'dyn'],
    ['any == 1', 'bool'],
    ['cel.bind(x, name, x.size())', 'int'],
    ['cel.bind(name, count, name + 1)', 'int'],
    ['type(1)', 'type(int)'],
    ['duration("1s") + timestamp("2024-01-01T00:00:00Z")', 'timestamp'],
    ['dyn(1)', 'dyn'],
    ['.name', 'string'],
    ['names.map(name, .name)', 'list(string)'],
  ])('%s is %s', (source, expected) => {
    expect(typeOf(source)).toBe(expected);
  });

  test('type names are values in CEL and unknown in kro', () => {
    expect(typeOf('int', standardEnvironment)).toBe('type(int)');
    expect(typeOf('google.protobuf.Timestamp', standardEnvironment)).toBe('type(timestamp)');
    expect(typeOf('type(count) == int')).toBe("15: undeclared reference to 'int'");
  });

  test.each([
    ['[1.5].filter(f, f > 1)', 'list(double)'],
    ['[1].exists(p, p <= 1.5)', 'bool'],
    ['[1].map(x, x).size() < 2.5', 'bool'],
    ['[1].all(x, true) && 1.5 >= 1', 'bool'],
    ['cel.bind(r, 1.5, r > 1u)', 'bool'],
    ['optional.of(1).optMap(v, v < 2.5)', 'optional_type(bool)'],
    ['{"a": 1}.transformList(k, v, v < 1.5)', 'list(bool)'],
    [
      '1.5 > 1 && [1].all(x, true)',
      "4: found no matching overload for '_>_' applied to '(double, int)' (convert one of them: double(...), or int(...))",
    ],
    [
      '(1.5 > 1 ? [1] : [2]).map(x, x)',
      "5: found no matching overload for '_>_' applied to '(double, int)' (convert one of them: double(...), or int(...))",
    ],
  ])('numbers of two types compare in and after a comprehension: %s', (source, expected) => {
    expect(typeOf(source)).toBe(expected);
  });

  test('numbers of two types compare only where the environment allows it', () => {
    const crossing = createEnvironment([], { crossTypeComparisons: true });
    expect(typeOf('1 < 2.0', crossing)).toBe('bool');
    expect(typeOf('1 < 2.0')).toBe(
      "2: found no matching overload for '_<_' applied to '(int, double)' (convert one of them: double(...), or int(...))",
    );
  });

  test('a recursive type variable does not loop', () => {
    const env = createEnvironment([[fn('same', [param('T'), param('T')], BOOL, () => true)]]);
    expect(typeOf('same([], [[]])', env)).toBe('bool');
    expect(typeOf('[].map(x, [x])', env)).toBe('list(list(dyn))');
  });
});

describe('errors of the type checker', () => {
  test.each([
    ['box.sise', "4: undefined field 'sise' (did you mean 'size'?)"],
    ['nmae', "0: undeclared reference to 'nmae' (did you mean 'name'?)"],
    ['nothing.at.all', "0: undeclared reference to 'nothing'"],
    ['sizee(name)', "0: undeclared reference to 'sizee' (did you mean 'size'?)"],
    ['name.trimm()', "5: undeclared reference to 'trimm' (did you mean 'trim'?)"],
    ['names.fliter(n, true)', /^6: undeclared reference to 'fliter' \(did you mean 'filter'\?\)/],
    ['name.inner', "5: type 'string' does not support field selection (name has no fields: write name)"],
    [
      'name + count',
      "5: found no matching overload for '_+_' applied to '(string, int)' (convert the int to join it to a string: string(...))",
    ],
    ['count == "3"', /convert one of them: string\(\.\.\.\) around the int, or int\(\.\.\.\) around the string/],
    ['count + 1.5', /convert one of them: double\(\.\.\.\), or int\(\.\.\.\)/],
    ['name.toLower()', "5: undeclared reference to 'toLower' (did you mean 'lowerAscii'?)"],
    ['len(name)', "0: undeclared reference to 'len' (did you mean 'size'?)"],
    ['name.includes("a")', /did you mean 'contains'\?/],
    ['!count', /compare it: only a bool is true or false/],
    ['name == null', "5: found no matching overload for '_==_' applied to '(string, null)'"],
    [
      'name.split(1)',
      "5: found no matching overload for 'split' applied to 'string.(int)' (write string.split(string), or string.split(string, int))",
    ],
    [
      'size()',
      "0: found no matching overload for 'size' applied to '()' (write size(bytes), or bytes.size(), or size(list(A)), or 5 other forms)",
    ],
    ['name || "x"', /^0: expected type 'bool' but found 'string' \(\|\| joins booleans; for a default, write OBJECT/],
    ['names.exists(n, n.size()) || true', "18: expected type 'bool' but found 'int'"],
    ['names[name]', "5: found no matching overload for '_[_]' applied to '(list(string), string)'"],
    ['1 && "a"', "0: expected type 'bool' but found 'int'; 5: expected type 'bool' but found 'string'"],
    [
      'count ? 1 : 2',
      "6: found no matching overload for '_?_:_' applied to '(int, int, int)' (the condition before ? must be a bool: compare it)",
    ],
    [
      'true ? 1 : "a"',
      "5: found no matching overload for '_?_:_' applied to '(bool, int, string)' (both arms must have one type: convert one of them)",
    ],
    [
      'name.map(c, c)',
      "0: expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    [
      'box.all(f, true)',
      "0: expression of type 'box' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['names.exists(n, n.size())', "18: expected type 'bool' but found 'int'"],
    ['"a".find("[")', '9: error parsing regexp: missing closing ]: `[`'],
    ['false ? "a".findAll("(?=a)", 1) : []', '20: error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
    ['dyn({})[null]', '8: a value of type null cannot be an index'],
    ['dyn([1])[?b"a"]', '10: a value of type bytes cannot be an index'],
    ['cel.bind(t, type(1), 1)', '4: reference to undefined type: t'],
    ['[?1]', "2: expected type 'optional_type(int)' but found 'int'"],
    ['{?"a": 1}', "7: expected type 'optional_type(int)' but found 'int'"],
    ['Box{a: 1}', "0: undeclared reference to 'Box'"],
    ['names.map(n, n) + x + y', "18: undeclared reference to 'x'; 22: undeclared reference to 'y'"],
    [
      'boxes.map(b, b.width + b.sise)',
      "15: undefined field 'width'; 25: undefined field 'sise' (did you mean 'size'?)",
    ],
    ['count.optMap(c, c)', /^6: found no matching overload for 'hasValue' .* read the field as OBJECT\.\?FIELD\)$/],
    [
      '"%d".format(["a"])',
      '13: error during formatting: decimal clause can only be used on ints, uints, and doubles, was given string',
    ],
    ['"%d %d".format([1])', '8: index 1 out of range'],
    ['"%d".format([name])', /decimal clause can only be used/],
  ])('%s', (source, expected) => {
    if (typeof expected === 'string') expect(typeOf(source)).toBe(expected);
    else expect(typeOf(source)).toMatch(expected);
  });

  test('a variable of a comprehension is unknown outside', () => {
    expect(typeOf('names.map(n, n) + [n]')).toMatch(/undeclared reference to 'n'/);
  });

  test('format accepts a dyn argument until the evaluation', () => {
    expect(typeOf('"%d".format([any])')).toBe('string');
  });
});

describe('assignability', () => {
  test.each<[string, CelType, CelType, boolean]>([
    ['the same type', INT, INT, true],
    ['int to double', DOUBLE, INT, false],
    ['dyn to anything', STRING, DYN, true],
    ['anything to dyn', DYN, BYTES, true],
    ['a list to a list of dyn', listOf(DYN), listOf(INT), true],
    ['lists of other elements', listOf(STRING), listOf(INT), false],
    ['maps of other values', mapOf(STRING, INT), mapOf(STRING, STRING), false],
    ['an optional to its value', STRING, optionalOf(STRING), false],
    ['objects of one name', box, objectOf('box', {}), true],
    ['objects of other names', box, objectOf('crate', {}), false],
    ['null to an object', box, NULL, true],
    ['null to an optional', optionalOf(INT), NULL, true],
    ['null to a string', STRING, NULL, false],
  ])('%s', (_, target, source, expected) => {
    expect(substitutions().assignable(target, source)).toBe(expected);
  });
});
