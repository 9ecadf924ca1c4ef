import { describe, expect, test } from 'vitest';
import type { Value } from '../../../src/core/model/value.ts';
import { toOpenApi, validationRules } from '../../../src/kro/simpleschema/index.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';
import { asReports } from '../../messages.ts';

/** The schema of one field. */
function fieldSchema(text: Value, types: Value = {}): Schema | undefined {
  const { schema, problems } = toOpenApi({ spec: { field: text }, types });
  expect(problems).toEqual([]);
  return schema.properties?.field;
}

describe('types', () => {
  const preserve = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  test.each<[string, object]>([
    ['string', { type: 'string' }],
    ['float', { type: 'number' }],
    ['object', preserve],
    ['[]object', { type: 'array', items: preserve }],
    [
      ' map[string] [] integer ',
      { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } },
    ],
    [`${'[]'.repeat(1)}Part`, { type: 'array', items: { type: 'string', minLength: 1n } }],
  ])('%s', (text, schema) => {
    expect(fieldSchema(text, { Part: 'string | minLength=1' })).toEqual(schema);
  });

  test('16 levels of lists are accepted, 17 are rejected', () => {
    expect(fieldSchema(`${'[]'.repeat(16)}string`)).toBeDefined();
    const { problems } = toOpenApi({ spec: { a: `${'[]'.repeat(17)}string` }, types: undefined });
    expect(asReports(problems)).toMatchObject([{ code: 'type-expression', path: ['spec', 'a'] }]);
  });

  test('a struct without fields has no properties', () => {
    expect(fieldSchema({})).toEqual({ type: 'object' });
  });

  test('a field may be called __proto__', () => {
    const { schema } = toOpenApi({ spec: JSON.parse('{"__proto__": "string"}'), types: undefined });
    expect(Object.keys(schema.properties ?? {})).toEqual(['__proto__']);
    expect(schema.type).toBe('object');
  });
});

describe('custom types', () => {
  test('may be declared in any order, through lists, maps and structs', () => {
    const types = {
      A: { list: '[]B' },
      B: { of: 'map[string]C', deep: { er: 'C' } },
      C: 'D | maximum=3',
      D: 'integer',
    };
    expect(fieldSchema('A', types)?.properties?.list?.items?.properties?.deep).toEqual({
      type: 'object',
      properties: { er: { type: 'integer', maximum: 3n } },
    });
  });

  test('an alias with required=true marks fields of exactly that type, through other aliases too', () => {
    const types = { Id: 'string | required=true', Key: 'Id' };
    const { schema } = toOpenApi({ spec: { b: 'Key', a: 'Id | required=false', list: '[]Id' }, types });
    expect(schema.required).toEqual(['a', 'b']);
  });

  test('markers of a field do not change the type', () => {
    const { schema } = toOpenApi({
      spec: { a: 'Size | validation="self > 1" maximum=5', b: 'Size' },
      types: { Size: 'integer | validation="self > 0"' },
    });
    expect(schema.properties?.a?.['x-kubernetes-validations']).toHaveLength(2);
    expect(schema.properties?.b).toEqual({
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', message: 'validation failed' }],
    });
  });

  test('a cycle is reported once, and fields of its types are not', () => {
    const { problems } = toOpenApi({ spec: { a: 'A' }, types: { A: { b: 'B' }, B: { list: '[]A' }, C: { a: 'A' } } });
    expect(asReports(problems)).toMatchObject([
      { code: 'type-cycle', message: expect.stringContaining('A -> B -> A') },
    ]);
  });

  test('a default that is not JSON is an error of the fields that use it, and the last default wins', () => {
    const types = { Zone: { ports: 'object | default="Ünï"', list: '[]string | default=x default=["a"]' } };
    expect(toOpenApi({ spec: { other: 'string' }, types }).problems).toEqual([]);
    const { problems } = toOpenApi({ spec: { zones: '[]Zone' }, types });
    expect(asReports(problems)).toMatchObject([{ code: 'schema-default', path: ['types', 'Zone', 'ports'] }]);
  });

  test('a default of the wrong type is an error except in the values of a map, as for an API server', () => {
    const types = { Port: { number: 'integer | default=9 maximum=5' }, Raw: 'object | default=x' };
    expect(toOpenApi({ spec: { ports: 'map[string]Port' }, types }).problems).toEqual([]);
    expect(toOpenApi({ spec: { ports: '[]Port' }, types }).problems).toMatchObject([{ code: 'schema-default' }]);
    expect(toOpenApi({ spec: { raw: 'map[string]Raw' }, types }).problems).toMatchObject([{ code: 'schema-default' }]);
  });

  test('a type of itself is a cycle', () => {
    const { problems } = toOpenApi({ spec: {}, types: { A: { next: 'A' } } });
    expect(asReports(problems)).toMatchObject([{ code: 'type-cycle', path: ['types', 'A'] }]);
  });

  test('an invalid type is reported where it is declared, not where it is used', () => {
    const { problems } = toOpenApi({
      spec: { a: 'Part | default={"maker": "x"}' },
      types: { Part: { maker: 'Makr' }, Maker: 'string' },
    });
    expect(asReports(problems)).toMatchObject([
      { code: 'unknown-type', path: ['types', 'Part', 'maker'], hint: 'did you mean Maker?' },
    ]);
  });
});

const OTHER_DEFAULT = 'give a default that the other markers of the field accept, or change them';

describe('markers', () => {
  test.each<[string, Schema]>([
    ['string|default=k=v,w description=one', { type: 'string', default: 'k=v,w', description: 'one' }],
    ['string | default="x | required=true"', { type: 'string', default: 'x | required=true' }],
    [String.raw`string | default="a\\b\"c\d"`, { type: 'string', default: String.raw`a\b"c\d` }],
    [String.raw`string | default=a\tb`, { type: 'string', default: String.raw`a\tb` }],
    [`string | default='single'`, { type: 'string', default: "'single'" }],
    ['string | default=""', { type: 'string', default: '' }],
    ['string | pattern=[a-z]{2}', { type: 'string', pattern: '[a-z]{2}' }],
    ['string | enum="a, b ,c"', { type: 'string', enum: ['a', 'b', 'c'] }],
    ['integer | enum=1,2', { type: 'integer', enum: [1n, 2n] }],
    ['integer | default="5" minimum=-1 maximum=1e3', { type: 'integer', default: 5n, minimum: -1n, maximum: 1000 }],
    ['integer | default=9223372036854775807', { type: 'integer', default: 9223372036854775807n }],
    ['float | default=0.5 minimum=.25', { type: 'number', default: 0.5, minimum: 0.25 }],
    ['boolean | default=True', { type: 'boolean', default: true }],
    ['string | description="a" description=""', { type: 'string' }],
    [
      'object | default={"n": 9007199254740993}',
      {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        default: { n: 9007199254740993n },
      },
    ],
    [
      '[]string | uniqueItems=true listType=set',
      {
        type: 'array',
        items: { type: 'string' },
        'x-kubernetes-list-type': 'set',
      },
    ],
    [
      'string | immutable=true',
      {
        type: 'string',
        'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }],
      },
    ],
  ])('%s', (text, schema) => {
    expect(fieldSchema(text)).toEqual(schema);
  });

  test('list map keys are combined', () => {
    const schema = fieldSchema('[]P | listType=map listMapKey=a listMapKey=b', { P: { a: 'string', b: 'string' } });
    expect(schema?.['x-kubernetes-list-map-keys']).toEqual(['a', 'b']);
  });

  test.each<[string, string, string | undefined]>([
    ['string | default=two words', 'marker-syntax', 'quote the value: default="two words"'],
    ['string | default=two words required=true', 'unknown-marker', 'quote the value: default="two words"'],
    ['integer | minimum = 3', 'marker-syntax', 'write minimum=3, without spaces around ='],
    ['string | required', 'marker-syntax', 'write required=true'],
    ['string | required=true ', 'marker-syntax', 'remove the white space at the end'],
    ['string |', 'marker-syntax', 'add a marker, or remove the |'],
    ['string | default="a', 'marker-syntax', 'close it with "'],
    ['string | default={"a"', 'marker-syntax', 'close it'],
    ['string | default=}', 'marker-syntax', 'put the value in quotes'],
    ['integer | required=true | minimum=3', 'unknown-marker', expect.stringContaining('first |')],
    ['integer | minimun=3', 'unknown-marker', 'did you mean minimum?'],
    ['string | required=yes', 'marker-value', undefined],
    ['string | minimum=3', 'marker-not-applicable', 'use minLength'],
    ['[]string | maximum=3', 'marker-not-applicable', 'use maxItems'],
    ['integer | minLength=2', 'marker-not-applicable', undefined],
    ['boolean | enum=true', 'marker-not-applicable', undefined],
    ['string | enum=a,,b', 'marker-value', undefined],
    ['string | pattern="^(?!x)"', 'marker-value', expect.stringContaining('look-around')],
    ['[]string | uniqueItems=true listType=map', 'marker-conflict', undefined],
    ['[]string | listType=atomic uniqueItems=true', 'marker-conflict', undefined],
    ['[]object | listMapKey=a', 'marker-conflict', 'add listType=map'],
    ['integer | default=2.5', 'schema-default', undefined],
    ['integer | default=9223372036854775808', 'schema-default', undefined],
    ['boolean | default=yes', 'schema-default', 'write true or false'],
    ['[]string | default=a,b', 'schema-default', 'write JSON: default=["a", "b"]'],
    ['[]string | default={"a": 1}', 'schema-default', expect.anything()],
    ['[]integer | default=["1"]', 'schema-default', 'write it without quotes'],
    ['string | enum="low,high" default=mid', 'schema-default', OTHER_DEFAULT],
    ['string | default=mid enum="low,high"', 'schema-default', OTHER_DEFAULT],
    ['integer | default=9 maximum=5', 'schema-default', OTHER_DEFAULT],
    ['string | default=ab minLength=3', 'schema-default', OTHER_DEFAULT],
    ['Pump | default={"modle": "x"}', 'schema-default', 'did you mean model?'],
    ['number', 'unknown-type', 'use float, or integer for whole numbers'],
    ['int', 'unknown-type', 'use integer'],
    ['bool', 'unknown-type', 'use boolean'],
    ['String', 'unknown-type', 'use string'],
    ['any', 'unknown-type', expect.stringContaining('use object')],
    ['array', 'unknown-type', expect.stringContaining('[]string')],
    ['string[]', 'unknown-type', 'write the brackets first: []string'],
    ['Pum', 'unknown-type', 'did you mean Pump?'],
    ['map[integer]string', 'type-expression', 'write map[string]string'],
    ['map[string]', 'type-expression', expect.anything()],
    ['[]', 'type-expression', expect.anything()],
    ['| required=true', 'type-expression', expect.anything()],
    ['string description="a b"', 'unknown-type', 'a | is missing before description: string | description="a b"'],
    ['[]integer minItems=1', 'unknown-type', 'a | is missing before minItems: integer | minItems=1'],
    ['Pump default={}', 'unknown-type', 'a | is missing before default: Pump | default={}'],
    ['string required', 'unknown-type', expect.stringContaining('required=true')],
    ['int default=3', 'unknown-type', expect.stringMatching(/a \| is missing before default.*use integer/)],
    ['Pum size', 'unknown-type', expect.stringContaining('the types are')],
    ['integer | 1', 'marker-syntax', 'if it is the default, write default=1'],
    ['string | two words', 'marker-syntax', 'if it is the default, write default="two words"'],
    ['[]string | ["a", "b"]', 'marker-syntax', 'if it is the default, write default=["a", "b"]'],
    ['string | optional', 'marker-syntax', expect.stringContaining('optional unless required=true')],
    ['string | optional=true', 'unknown-marker', expect.stringContaining('optional unless required=true')],
    ['string | requird', 'marker-syntax', 'did you mean required=true?'],
    ['integer | min=1', 'unknown-marker', 'did you mean minimum?'],
    ['string | regex="a"', 'unknown-marker', 'did you mean pattern?'],
    ['string | length=5', 'unknown-marker', 'use minLength and maxLength'],
    ['string | default: "a"', 'marker-syntax', 'write default="a"'],
    ['list<string>', 'unknown-type', 'write []string'],
    ['map<string, integer>', 'unknown-type', 'write map[string]integer'],
    ['date-time', 'unknown-type', 'use string, with a pattern for its form'],
    ['enum(a, b)', 'unknown-type', 'write string | enum="A,B"'],
    ['Valve', 'unknown-type', expect.stringMatching(/^declare it under spec.schema.types; the types are /)],
    ['string, required=true', 'unknown-type', 'a | is missing before required: string | required=true'],
    ['string?', 'unknown-type', 'a field is optional unless required=true: leave the ? out'],
  ])('%s is rejected', (text, code, hint) => {
    const { problems } = toOpenApi({ spec: { field: text }, types: { Pump: { model: 'string' } } });
    expect(asReports(problems)).toMatchObject([{ code, path: ['spec', 'field'] }]);
    expect(asReports(problems)[0]?.hint).toEqual(hint);
  });

  test.each([
    [{ type: 'int', minimum: 1n }, 'field: "int"'],
    [{ type: 'text', default: 'x' }, 'field: "text | default=..."'],
    [{ type: 'array', items: { type: 'integer' } }, 'field: "[]integer"'],
  ])('%o is reported as OpenAPI', (field, written) => {
    const { problems } = toOpenApi({ spec: { field }, types: {} });
    expect(asReports(problems)[0]?.hint).toBe(
      `this looks like OpenAPI; SimpleSchema writes it in one line: ${written}`,
    );
  });

  test('a default may omit members that have a default, unless they are required', () => {
    const types = { Pump: { model: 'string', watts: 'integer | default=40' } };
    expect(fieldSchema('Pump | default={"model": "P-2"}', types)?.default).toEqual({ model: 'P-2' });
    const strict = { Pump: { model: 'string', watts: 'integer | required=true default=40' } };
    const { problems } = toOpenApi({ spec: { a: 'Pump | default={"model": "P-2"}' }, types: strict });
    expect(asReports(problems)).toMatchObject([{ code: 'schema-default', path: ['spec', 'a'] }]);
  });

  test.each([
    '[]string | default=null',
    '[]string | default=',
    'map[string]string | default=null',
    'object | default=null',
  ])('%s has no default', (text) => expect(fieldSchema(text)).not.toHaveProperty('default'));

  test('a default that does not match a type is an error if the type is used', () => {
    const types = { Port: { num: 'integer | maximum=5 default=9' }, Alias: 'integer | maximum=5 default=9' };
    expect(toOpenApi({ spec: { a: 'string' }, types }).problems).toEqual([]);
    expect(toOpenApi({ spec: { a: '[]Port', b: 'Port' }, types }).problems).toMatchObject([{ code: 'schema-default' }]);
  });

  test('an error has its position inside the text', () => {
    const { problems } = toOpenApi({ spec: { a: 'string | minLength=2 minimun=3' }, types: {} });
    expect(asReports(problems)).toMatchObject([{ offset: 'string | minLength=2 '.length }]);
  });
});

describe('fields', () => {
  test.each<[string, Value, string]>([
    ['a list', ['string'], 'write "[]string"'],
    ['nothing', null, 'write the name of a type, for example string | default="..."'],
    ['a number', 3n, 'write the name of a type, for example string | default="..."'],
  ])('%s is not a type', (_, spec, hint) => {
    const { problems } = toOpenApi({ spec: { field: spec }, types: {} });
    expect(asReports(problems)).toMatchObject([{ code: 'schema-shape', path: ['spec', 'field'], hint }]);
  });

  test('every error is reported, also several of one field', () => {
    const { problems } = toOpenApi({
      spec: { a: 'int', nested: { b: 'string | minItems=1 maxItems=x' }, c: '[]Nope' },
      types: { T: { d: 'map[int]string' } },
    });
    expect(problems.map(({ path }) => path.join('.'))).toEqual([
      'types.T.d',
      'spec.a',
      'spec.nested.b',
      'spec.nested.b',
      'spec.c',
    ]);
  });

  test('OpenAPI in place of SimpleSchema is recognised', () => {
    const hosts = { type: 'array', items: { type: 'string' } };
    const { problems } = toOpenApi({ spec: { hosts }, types: {} });
    expect(asReports(problems)).toMatchObject([
      { path: ['spec', 'hosts', 'type'], hint: expect.stringContaining('OpenAPI') },
    ]);
    expect(fieldSchema({ type: 'string', default: 'integer' })?.properties).toHaveProperty('default');
  });

  test('spec and types must be maps', () => {
    expect(toOpenApi({ spec: 'string', types: [] }).problems).toMatchObject([{ path: ['types'] }, { path: ['spec'] }]);
    expect(toOpenApi({ spec: null, types: undefined })).toEqual({ schema: { type: 'object' }, problems: [] });
  });

  test('a struct defaults to {} when a member has a default and none is required', () => {
    const { schema } = toOpenApi({ spec: { a: { b: { c: 'integer | default=1' } }, d: 'string' }, types: {} });
    expect([schema.default, schema.properties?.a?.default, schema.properties?.a?.properties?.b?.default]).toEqual([
      {},
      {},
      {},
    ]);
    const required = toOpenApi({ spec: { a: 'string | required=true', b: 'string | default=x' }, types: {} });
    expect(required.schema.default).toBeUndefined();
  });
});

test('validation rules are copied with their field, each rule once', () => {
  const { schema } = toOpenApi({
    spec: { low: 'Small', high: '[]Small', box: { size: 'integer | validation="self < 9"' } },
    types: { Small: 'integer | validation="self > 0"' },
  });
  const found = [...validationRules(schema)].map(({ path, rule, schema: of }) => [path.join('.'), rule.rule, of.type]);
  expect(found).toEqual([
    ['low', 'self > 0', 'integer'],
    ['box.size', 'self < 9', 'integer'],
  ]);
});
