import { describe, expect, it } from 'vitest';
import type { Value } from '../../src/model/value.ts';
import type { Schema } from '../../src/schema/index.ts';
import { createPatternRoom, faultsOf, withDefaults } from '../../src/validation/index.ts';

const found = (schema: Schema, value: Value): string[] =>
  faultsOf(schema, value, { uniqueItems: true, patterns: createPatternRoom() }).map(
    ({ kind, path, message }) => `${kind} ${path.join('.')}: ${message}`,
  );
const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

describe('faultsOf', () => {
  it.each<[string, Schema, Value, string[]]>([
    ['a type', object({ a: { type: 'integer' } }), { a: 'x' }, ['type a: must be an integer, and is a string']],
    ['a whole number with a fraction', { type: 'integer' }, 3, []],
    ['a number', { type: 'number' }, 3n, []],
    ['an integer or a text', { 'x-kubernetes-int-or-string': true }, '80%', []],
    [
      'neither of them',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['type : must be an integer or a string, and is a boolean'],
    ],
    ['a required field', object({ a: text }, { required: ['a'] }), {}, ['required a: is required']],
    [
      'a required field that is null',
      object({ a: text }, { required: ['a'] }),
      { a: null },
      ['required a: is required'],
    ],
    ['a required field with a default', object({ a: { ...text, default: 'x' } }, { required: ['a'] }), {}, []],
    ['an unknown field', object({ a: text }), { b: 'x' }, ['unknown b: is a field that the kind does not have']],
    ['a field of an open object', object({}, { 'x-kubernetes-preserve-unknown-fields': true }), { b: 'x' }, []],
    ['anything where nothing is said', { type: 'object' }, { b: 'x' }, []],
    [
      'values of a map',
      { type: 'object', additionalProperties: text },
      { b: 1n },
      ['type b: must be a string, and is an integer'],
    ],
    ['a null in a list', { type: 'array', items: text }, [null], ['type 0: must be a string, and is null']],
    ['an enum', { ...text, enum: ['a', 'b'] }, 'c', ['value : must be one of "a", "b"']],
    ['a pattern', { ...text, pattern: '^a+$' }, 'b', ["value : must match '^a+$'"]],
    ['a pattern that is not RE2', { ...text, pattern: '(?=a)' }, 'b', []],
    ['code points', { ...text, maxLength: 1n }, '😀', []],
    ['lengths', { ...text, minLength: 2n, maxLength: 3n }, 'abcd', ['value : must have at most 3 characters']],
    ['bounds', { type: 'integer', minimum: 2n, maximum: 3n }, 1n, ['value : must be at least 2']],
    ['exclusive bounds', { type: 'integer', maximum: 3n, exclusiveMaximum: true }, 3n, ['value : must be less than 3']],
    ['multiples', { type: 'integer', multipleOf: 2n }, 3n, ['value : must be a multiple of 2']],
    ['32 bits', { type: 'integer', format: 'int32' }, 2147483648n, ['value : must fit 32 bits']],
    ['base64', { ...text, format: 'byte' }, '??', ['value : must be base64']],
    [
      'numbers of items',
      { type: 'array', items: text, maxItems: 1n },
      ['a', 'b'],
      ['value : must have at most 1 items'],
    ],
    ['numbers of fields', { type: 'object', minProperties: 1n }, {}, ['value : must have at least 1 fields']],
    [
      'a set',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      ['a', 'a'],
      ['duplicate 1: is there twice: the list is a set'],
    ],
    [
      'a map of items',
      { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      [{ name: 'a', x: 1n }, { name: 'b' }, { name: 'a' }],
      ['duplicate 2: is there twice: items differ in name'],
    ],
    [
      'oneOf',
      object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      { a: 'x', b: 'y' },
      ['value : must fit exactly one of 2 schemas (oneOf), and fits 2'],
    ],
    [
      'anyOf',
      object({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      {},
      ['value : fits none of the schemas that it may have (anyOf)'],
    ],
    [
      'allOf',
      object({ a: text }, { allOf: [{ required: ['a'] }] }),
      {},
      ['value : does not fit all of the schemas that it has to (allOf)'],
    ],
    [
      'not',
      object({ a: text }, { not: { required: ['a'] } }),
      { a: 'x' },
      ['value : fits a schema that it must not (not)'],
    ],
  ])('looks at %s', (_, schema, value, expected) => expect(found(schema, value)).toEqual(expected));

  it('stops at a hundred', () => {
    expect(found({ type: 'array', items: text }, new Array<Value>(1000).fill(true))).toHaveLength(100);
  });

  it('follows a schema that holds itself', () => {
    const schema: Schema = { type: 'object' };
    schema.properties = { a: schema };
    expect(found(schema, { a: { a: { b: 1n } } })).toEqual(['unknown a.a.b: is a field that the kind does not have']);
  });
});

describe('withDefaults', () => {
  it('fills in what is missing, and drops nulls', () => {
    const schema = object({
      a: { ...text, default: 'x' },
      b: object({ c: { ...text, default: 'y' } }),
      d: { ...text, nullable: true },
    });
    expect(withDefaults(schema, { b: {}, d: null })).toEqual({ b: { c: 'y' }, d: null, a: 'x' });
    expect(withDefaults(schema, { a: null })).toEqual({ a: 'x' });
    expect(withDefaults({ type: 'array', items: schema }, [{}])).toEqual([{ a: 'x' }]);
  });
});

describe('patterns', () => {
  const schemaOf = (count: number, wrap: (schema: Schema) => Schema = (schema) => schema): Schema =>
    object(
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p${index}`, wrap({ ...text, pattern: `a{1000}${index}|x` })]),
      ),
    );
  const textsOf = (count: number): Record<string, Value> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 'x']));
  const kindsOf = (faults: readonly { kind: string }[]): string[] => faults.map(({ kind }) => kind);

  it.each<[string, (schema: Schema) => Schema]>([
    ['of fields', (schema) => schema],
    ['of alternatives', (schema) => ({ ...text, anyOf: [schema] })],
  ])('%s are compiled up to a bound that holds for all objects together', (_, wrap) => {
    const patterns = createPatternRoom();
    const check = { uniqueItems: true, patterns };
    expect(faultsOf(schemaOf(150, wrap), textsOf(150), check)).toEqual([]);
    expect(kindsOf(faultsOf(schemaOf(150, wrap), { ...textsOf(149), p149: 'y' }, check))).toEqual(['value']);
    expect(kindsOf(faultsOf(schemaOf(300, wrap), textsOf(300), check))).toEqual(['budget']);
  });
});
