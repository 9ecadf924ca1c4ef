import { describe, expect, it } from 'vitest';
import {
  type CompileOptions,
  check,
  compile,
  createEnvironment,
  evaluate,
  type JsonValue,
  libraryNames,
  parse,
  type TypeDeclaration,
} from '../../../src/api/cel/index.ts';

const answer = (source: string, values?: Record<string, JsonValue>, options?: CompileOptions): unknown => {
  const result = evaluate(source, values, options);
  return result.ok ? result.value : result.errors.map(({ reason, message }) => `${reason}: ${message}`);
};

describe('evaluate', () => {
  it.each<[string, Record<string, JsonValue>, unknown]>([
    ['1 + 2', {}, 3],
    ['9223372036854775807', {}, 9223372036854775807n],
    ['a.b + 1', { a: { b: 9007199254740993n } }, 9007199254740994n],
    ['[1.5, null, true].map(x, x)', {}, [1.5, null, true]],
    ["{'a': [1]}", {}, { a: [1] }],
    ["duration('90m')", {}, '1h30m0s'],
    ["timestamp('2025-01-02T03:04:05Z')", {}, '2025-01-02T03:04:05Z'],
    ["b'hi'", {}, 'aGk='],
    ['optional.none()', {}, null],
    ["quantity('1Gi').asInteger()", {}, 1073741824],
    ['a.c', { a: { b: 2 } }, ['missing: no such key: c']],
    ['1 / 0', {}, ['failure: division by zero']],
    ["quantity('1')", {}, ['failure: unsupported type: kubernetes.Quantity']],
  ])('%s', (source, values, expected) => expect(answer(source, values)).toEqual(expected));

  it.each<[string, TypeDeclaration, JsonValue, unknown]>([
    ["v + duration('1h')", 'duration', '30m', '1h30m0s'],
    ["v + duration('1h')", 'timestamp', '2025-01-02T03:04:05Z', '2025-01-02T04:04:05Z'],
    ['size(v)', 'bytes', 'aGk=', 2],
    ['v[0] + 1', 'list(int)', [1], 2],
    ["v['a'].size()", ' map(string, list(map(string, dyn))) ', { a: [{}, {}] }, 2],
    ['v', 'double', 1, 1],
    ['v.in_ + v.a__dash__b', { in_: 'int', 'a-b': 'int' }, { in_: 1, 'a-b': 2 }, 3],
    ['has(v.limits.cpu) ? v.limits.cpu : "none"', { limits: { cpu: 'string' } }, { limits: {} }, 'none'],
  ])('%s where v is of type %j', (source, v, value, expected) => {
    expect(answer(source, { v: value }, { variables: { v } })).toEqual(expected);
  });

  it('treats a variable without a value as missing', () => {
    expect(answer('x + 1', {}, { variables: { x: 'int' } })).toEqual(['missing: no such attribute(s): x']);
  });

  it('returns the same result each time a program runs', () => {
    const compiled = compile('self.size() > 1', { variables: { self: 'list(dyn)' } });
    const program = compiled.ok ? compiled.program : undefined;
    expect(program?.type).toBe('bool');
    expect([[1], [1, 2]].map((self) => program?.evaluate({ self }))).toEqual([
      { ok: true, value: false },
      { ok: true, value: true },
    ]);
  });

  it('stays in its budget', () => {
    const source = 'lists.range(1000).map(x, x)';
    const environment = 'kro';
    expect(evaluate(source, {}, { environment, maxSteps: 10 })).toMatchObject({ errors: [{ reason: 'budget' }] });
    expect(evaluate(source, {}, { environment, maxSize: 10 })).toMatchObject({ errors: [{ reason: 'budget' }] });
    for (const maxSteps of [0, 1.5, Number.NaN, '7' as never]) {
      expect(() => evaluate('1', {}, { maxSteps })).toThrow(new TypeError('maxSteps must be a whole number above 0'));
    }
  });
});

describe('check', () => {
  it.each<[string, string]>([
    ['1', 'int'],
    ['[1u]', 'list(uint)'],
    ["{'a': duration('1s')}", 'map(string, google.protobuf.Duration)'],
    ['optional.of(1)', 'optional_type(int)'],
  ])('%s is of type %s', (source, type) => expect(check(source)).toEqual({ ok: true, type }));

  it('reports all errors at once, with their positions', () => {
    const variables = { self: { replicas: 'int' } };
    expect(check("self.replica + nope(1) + ('a' - 1)", { variables })).toEqual({
      ok: false,
      errors: [
        { reason: 'type', message: "undefined field 'replica'", offset: 5, hint: "did you mean 'replicas'?" },
        { reason: 'type', message: "undeclared reference to 'nope'", offset: 15 },
        { reason: 'type', message: expect.stringContaining("found no matching overload for '_-_'"), offset: 30 },
      ].map((error) => expect.objectContaining(error)),
    });
    expect(check('1 +')).toMatchObject({ ok: false, errors: [{ reason: 'syntax', offset: 3 }] });
  });

  const itself: { a?: TypeDeclaration } = {};
  itself.a = itself as TypeDeclaration;

  it.each<[TypeDeclaration, string]>([
    ['strin', "variable v: 'strin' is not a type"],
    ['list()', "variable v: '' is not a type"],
    ['map(string)', "variable v: 'map(string)' is not a type"],
    ['map(list(int), int)', "variable v: 'list(int)' cannot be a map key"],
    [{ a: { b: 'x' } }, "variable v.a.b: 'x' is not a type"],
    [null as never, "variable v: 'null' is not a type"],
    [itself as TypeDeclaration, 'variable v.a.a.a.a.a.a.a: the type nests more than 200 deep'],
    [`${'list('.repeat(20_000)}int${')'.repeat(20_000)}`, 'variable v: the type nests more than 200 deep'],
  ])('rejects an invalid type: %#', (v, message) => {
    expect(() => check('1', { variables: { v } })).toThrow(new TypeError(message));
  });
});

describe('an environment of CEL', () => {
  it.each([
    ['standard', "type(1) == int && 1 < 1.5 && 'a'.contains('a')", "'a'.lowerAscii()"],
    ['kubernetes', "isIP('::1') && sets.contains([1], [1])", "json.unmarshal('1') == 1"],
    ['kro', "json.unmarshal('1') == 1 && isIP('::1')", 'sets.contains([1], [1])'],
  ] as const)('%s has its own functions and no others', (environment, has, lacks) => {
    expect(answer(has, {}, { environment })).toBe(true);
    expect(check(lacks, { environment })).toMatchObject({ ok: false });
  });

  it.each(libraryNames)('accepts the option %s', (name) => {
    const standard = new Set(createEnvironment().functionNames);
    const { functionNames } = createEnvironment({ libraries: [name] });
    expect(functionNames.filter((one) => !standard.has(one)).length).toBeGreaterThan(0);
    expect([...functionNames]).toEqual([...functionNames].sort());
    expect(check('1 + 1', { environment: createEnvironment({ libraries: [name] }) })).toEqual({
      ok: true,
      type: 'int',
    });
  });

  it('compares numbers of two types unless this is disabled', () => {
    const environment = createEnvironment({ crossTypeComparisons: false });
    expect(answer('1 < 1.5')).toBe(true);
    expect(check('1 < 1.5', { environment })).toMatchObject({ ok: false });
  });

  it('rejects unknown libraries', () => {
    const make = () => createEnvironment({ libraries: ['ext.list' as never] });
    expect(make).toThrow("unknown library 'ext.list'; did you mean 'ext.lists'");
    for (const environment of ['go', {}, null, 'toString'] as never[]) {
      expect(() => check('1', { environment })).toThrow("environment must be 'standard', 'kubernetes', 'kro'");
    }
  });
});

it('parse returns a tree that can be checked and run', () => {
  const parsed = parse('a.b');
  if (!parsed.ok) throw new Error('it does not parse');
  expect(parsed.expression).toMatchObject({ source: 'a.b', root: { kind: 'select', field: 'b' } });
  expect(evaluate(parsed.expression, { a: { b: 1 } })).toEqual({ ok: true, value: 1 });
  expect(parse('a.')).toMatchObject({ ok: false, errors: [{ reason: 'syntax' }] });
});

it('a value that JSON cannot represent is a TypeError that names its path', () => {
  expect(() => evaluate('a', { a: [new Map() as never] })).toThrow('not a JSON value: [object Map], at a[0]');
});
