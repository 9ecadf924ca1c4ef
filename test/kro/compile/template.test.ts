import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/core/diagnostics/diagnostic.ts';
import { formatPath, type Value } from '../../../src/core/model/value.ts';
import type { Scope } from '../../../src/kro/compile/expression.ts';
import { numbered } from '../../../src/kro/compile/graph.ts';
import { compileTemplate } from '../../../src/kro/compile/template.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';
import { type CelType, formatType, listOf, mapOf, optionalOf, STRING } from '../../../src/languages/cel/types.ts';
import { asReports } from '../../messages.ts';

const variables = new Map<string, CelType>([
  ['text', STRING],
  ['number', { kind: 'int' }],
  ['ratio', { kind: 'double' }],
  ['flag', { kind: 'bool' }],
  ['anything', { kind: 'dyn' }],
  ['texts', listOf(STRING)],
  ['labels', mapOf(STRING, STRING)],
  ['maybe', optionalOf(STRING)],
]);

const scope: Omit<Scope, 'report'> = {
  variables,
  slots: numbered([...variables.keys()]),
  nodes: new Map(),
  iterators: new Map(),
  forbidden: new Map(),
  untyped: new Set(),
  omit: 'nowhere',
  strict: false,
  isClosed: false,
  limitReached: () => false,
  limitExceeded: () => false,
  meanings: new Map(),
};

function compile(value: Value, schema: Schema | undefined) {
  const problems: Problem[] = [];
  const report = (problem: Problem): void => {
    problems.push(problem);
  };
  const field = compileTemplate(
    value,
    { path: ['t'], schema, typeName: 'T' },
    { scope: { ...scope, report }, root: 1 },
  );
  return { field, problems: asReports(problems) };
}

const string: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const number: Schema = { type: 'number' };
const boolean: Schema = { type: 'boolean' };
const list: Schema = { type: 'array', items: string };
const struct: Schema = { type: 'object', properties: { name: string, ports: { type: 'array', items: integer } } };
const stringMap: Schema = { type: 'object', additionalProperties: string };
const intOrString: Schema = { 'x-kubernetes-int-or-string': true };
const open: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { name: string } };
const anyMap: Schema = { type: 'object', additionalProperties: true };
const oneOf: Schema = { oneOf: [{ type: 'integer' }, { type: 'boolean' }] };
const oneOfObjects: Schema = { oneOf: [{ required: ['a'] }, { required: ['b'] }] };

const values: Record<string, Value> = {
  string: 'a',
  integer: 1n,
  number: 1.5,
  boolean: true,
  array: [],
  object: {},
  null: null,
};

describe('literals in a template', () => {
  it.each<[string, Schema | undefined, string[]]>([
    ['a string', string, ['string']],
    ['an integer', integer, ['integer']],
    ['a number', number, ['integer', 'number']],
    ['a boolean', boolean, ['boolean']],
    ['a list', list, ['array']],
    ['a struct', struct, ['object']],
    ['a map', stringMap, ['object']],
    ['an int-or-string', intOrString, ['string', 'integer']],
    ['one of several types', oneOf, ['integer', 'boolean']],
    ['one of several structs', oneOfObjects, ['object']],
    ['an open object', open, Object.keys(values)],
    ['a schema without a type', {}, Object.keys(values)],
    ['no schema', undefined, Object.keys(values)],
  ])('of type %s accept values of their type and null only', (_, schema, taken) => {
    const fitting = Object.keys(values).filter((kind) => compile(values[kind] as Value, schema).problems.length === 0);
    expect(new Set(fitting)).toEqual(new Set([...taken, 'null']));
  });

  it.each<[Value, Schema, string, string | undefined]>([
    ['80', integer, 'expected integer, got string', 'write it without quotes'],
    ['true', boolean, 'expected boolean, got string', 'write it without quotes'],
    ['many', integer, 'expected integer, got string', undefined],
    [80n, string, 'expected string, got integer', 'quote it'],
    [1.5, string, 'expected string, got number', 'quote it'],
    [false, string, 'expected string, got boolean', 'quote it'],
    [true, intOrString, 'expected string or integer, got boolean', 'quote it'],
    [{}, list, 'expected array, got object', 'write a list'],
    ['${number}\n', integer, 'expected integer, got string', 'white space around'],
    ['a${text}', integer, 'expected integer, got string', 'text around'],
  ])('%o is rejected', (value, schema, message, hint) => {
    expect(compile(value, schema).problems).toMatchObject([{ code: 'field-type', message, path: ['t'] }]);
    const told = compile(value, schema).problems[0]?.hint;
    if (hint === undefined) expect(told).toBeUndefined();
    else expect(told).toContain(hint);
  });

  it('are checked at any depth', () => {
    const value = { name: 1n, ports: [1n, 'x'] };
    expect(compile(value, struct).problems.map(({ path }) => formatPath(path))).toEqual(['t.name', 't.ports[1]']);
    expect(compile({ a: 'b', c: 1n }, stringMap).problems.map(({ path }) => formatPath(path))).toEqual(['t.c']);
  });
});

describe('fields in a template', () => {
  const unknown = (value: Value, schema: Schema | undefined): unknown[] =>
    compile(value, schema).problems.map(({ code, path, hint }) => [code, formatPath(path), hint]);

  it('that the schema does not have are rejected, with the nearest name or a short list', () => {
    expect(unknown({ nam: 'a' }, struct)).toEqual([['unknown-template-field', 't.nam', "did you mean 'name'?"]]);
    expect(unknown({ other: 'a' }, struct)).toEqual([
      ['unknown-template-field', 't.other', 'its fields are name, ports'],
    ]);
    const many = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`field${index}x`, string]));
    expect(unknown({ other: 'a' }, { type: 'object', properties: many })[0]).toContain(undefined);
  });

  it('below an object without fields are rejected', () => {
    expect(unknown({ a: 1n }, { type: 'object' })).toEqual([['unknown-template-field', 't.a', undefined]]);
    expect(unknown({ a: 1n }, { type: 'object', additionalProperties: false })).toHaveLength(1);
  });

  it('of an object that keeps unknown fields are accepted, even declared ones', () => {
    expect(unknown({ other: { deep: [1n] }, name: 1n }, open)).toEqual([]);
    expect(unknown({ other: { deep: [1n] } }, anyMap)).toEqual([]);
    expect(unknown({ other: 1n }, undefined)).toEqual([]);
  });

  it('named as an inherited property of JavaScript objects are unknown', () => {
    expect(unknown({ constructor: 'a', toString: 'b' }, struct)).toHaveLength(2);
  });
});

describe('expressions in a template', () => {
  it.each<[string, Schema, string, string | undefined]>([
    ['${number}', string, 'expected string, got int', 'convert it: string(number)'],
    ['${ratio}', string, 'expected string, got double', 'convert it: string(ratio)'],
    ['${text}', integer, 'expected int, got string', 'convert it: int(text)'],
    ['${text}', number, 'expected double, got string', 'convert it: double(text)'],
    ['${text}', boolean, 'expected bool, got string', 'compare it, for example text != ""'],
    ['${text}', { type: 'string', format: 'byte' }, 'expected bytes, got string', 'bytes(text)'],
    ['${[{"name": 1}]}', { type: 'array', items: struct }, '(list element: field', 'dyn({...})'],
    ['${{"name": 1}}', struct, "(field 'name': got int, expected string)", 'write dyn({...})'],
    ['${[1]}', list, 'expected list(string), got list(int) (list element: got int', undefined],
  ])('of the wrong type are rejected: %s', (value, schema, message, hint) => {
    const [problem, ...others] = compile(value, schema).problems;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'field-type', path: ['t'], offset: 2 });
    expect(problem?.message).toContain(message);
    if (hint === undefined) expect(problem?.hint).toBeUndefined();
    else expect(problem?.hint).toContain(hint);
  });

  it.each<[string, Schema | undefined]>([
    ['${number}', integer],
    ['${number}', intOrString],
    ['${text}', intOrString],
    ['${anything}', integer],
    ['${anything}', struct],
    ['${maybe}', string],
    ['${texts}', list],
    ['${labels}', stringMap],
    ['${{"name": text}}', stringMap],
    ['${number}', undefined],
    ['x ${text} y', string],
    ['${text}${anything}', string],
  ])('of the right type are accepted: %s', (value, schema) => expect(compile(value, schema).problems).toEqual([]));

  it.each([struct, open])(
    'that are not an object in an object field cause a warning, as kro accepts them',
    (schema) => {
      expect(compile('${text}', schema).problems).toMatchObject([{ code: 'doubtful-type', severity: 'warning' }]);
    },
  );

  it.each([
    ['n ${number}', 'convert it: string(number)'],
    ['n ${maybe}', 'give a fallback: maybe.orValue("...")'],
    ['n ${texts}', 'json.marshal'],
    ['${number} ', 'white space'],
  ])('in a longer text must be strings: %j', (value, hint) => {
    const [problem] = compile(value, string).problems;
    expect(problem?.code).toBe('text-part-type');
    expect(problem?.hint).toContain(hint);
  });

  it('are all reported, each with its position', () => {
    const { problems } = compile('${txt} and ${number} and ${text.nothing}', string);
    expect(problems.map(({ code, offset }) => [code, offset])).toEqual([
      ['unknown-name', 2],
      ['expression-type', 32],
    ]);
    expect(compile('${number} and ${flag}', string).problems.map(({ offset }) => offset)).toEqual([2, 16]);
  });

  it('are stored as a value alone, as text with values, or as literals', () => {
    expect(compile('${number}', integer).field).toMatchObject({
      kind: 'computed',
      isText: false,
      expected: { kind: 'int' },
    });
    expect(compile('a${text}', string).field).toMatchObject({
      kind: 'computed',
      isText: true,
      parts: ['a', { source: 'text' }],
    });
    expect(compile({ name: 'a', ports: [1n] }, struct).field).toEqual({
      kind: 'literal',
      value: { name: 'a', ports: [1n] },
    });
    expect(compile({ name: '${text}', ports: [1n] }, struct).field.kind).toBe('map');
    expect(compile(['${text}'], list).field.kind).toBe('list');
  });

  it('in a field without a type may have any type', () => {
    const { field } = compile({ other: '${text}' }, open);
    const inner = field.kind === 'map' ? field.entries[0]?.[1] : undefined;
    expect(inner?.kind === 'computed' && formatType(inner.expected)).toBe('dyn');
  });

  it('that are not closed are kept as text, with a warning', () => {
    const { field, problems } = compile('a ${text', string);
    expect(problems).toMatchObject([{ code: 'unclosed-expression', severity: 'warning', offset: 2 }]);
    expect(field).toEqual({ kind: 'literal', value: 'a ${text' });
  });
});

describe('below a field that keeps unknown fields', () => {
  const time: Schema = { type: 'string', format: 'date-time' };
  const open: Schema = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: {
      count: integer,
      inner: { type: 'object', properties: { at: time } },
      items: { type: 'array', items: { type: 'object', properties: { name: string } } },
      loose: { 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
  const codes = (value: Value): string[] => compile(value, open).problems.map(({ code }) => code);

  it.each<[string, Value]>([
    ['count', { count: '${text}' }],
    ['a nested field', { inner: { at: '${number}' } }],
    ['a field of an item', { items: [{ name: '${number}' }] }],
    ['text around an expression', { count: 'n-${text}' }],
    ['a whole object', { inner: '${{}}' }],
  ])('an expression has the declared type: %s', (_, value) => expect(codes(value)).toEqual(['field-type']));

  it.each<[string, Value]>([
    ['literals', { count: 'x', inner: 5n, more: [true] }],
    ['what nothing declares', { more: '${number}', inner: { other: '${number}' }, loose: { a: '${number}' } }],
    ['what fits', { count: '${number}', items: [{ name: '${text}' }] }],
  ])('any other value is accepted: %s', (_, value) => expect(codes(value)).toEqual([]));
});

it('a name with a leading dot is unknown', () => {
  const { problems } = compile('${.text}', string);
  expect(problems).toMatchObject([{ code: 'unknown-name', offset: 3, hint: 'write text' }]);
});

it('bytes in a field for bytes are a warning, and an error with --strict', () => {
  const data: Schema = { type: 'object', additionalProperties: { type: 'string', format: 'byte' } };
  const severities = (source: string, strict: boolean) => {
    const problems: Problem[] = [];
    const report = (problem: Problem) => void problems.push(problem);
    compileTemplate(
      { k: source },
      { path: ['t'], schema: data, typeName: 'T' },
      { scope: { ...scope, report, strict }, root: 1 },
    );
    return problems.map(({ code, severity }) => `${code} ${severity}`);
  };
  expect(severities('${bytes(text)}', false)).toEqual(['bytes-value warning']);
  expect(severities('${optional.of(bytes(text))}', false)).toEqual(['bytes-value warning']);
  expect(severities('${bytes(text)}', true)).toEqual(['bytes-value error']);
  expect(severities('${dyn(base64.encode(bytes(text)))}', true)).toEqual([]);
});
