import { describe, expect, it } from 'vitest';
import { format } from '../../../src/core/diagnostics/index.ts';
import type { Value } from '../../../src/core/model/value.ts';
import type { Schema } from '../../../src/kubernetes/schema/index.ts';
import { conformityOf } from '../../../src/kubernetes/validation/index.ts';

/** Returns the errors of a value that is the `spec` of an object. */
const found = (schema: Schema, value: Value, custom = true): string[] => {
  const kind: Schema = { type: 'object', properties: { apiVersion: text, kind: text, spec: schema } };
  const { faults } = conformityOf(kind, { apiVersion: 'v1', kind: 'X', spec: value }, custom);
  return faults.map(({ code, path, message }) => `${kindOf(code)} ${path.slice(1).join('.')}: ${format(message)}`);
};
const kindOf = (code: string): string => code.replace(/^rendered-|-field$/g, '');
const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

describe('conformityOf', () => {
  it.each<[string, Schema, Value, string[]]>([
    ['a type', object({ a: { type: 'integer' } }), { a: 'x' }, ['type a: must be of type integer: "string"']],
    ['a whole number with a fraction', { type: 'integer' }, 3, []],
    ['a number', { type: 'number' }, 3n, []],
    ['an integer or a text', { 'x-kubernetes-int-or-string': true }, '80%', []],
    [
      'neither of them',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['type : must be of type integer or string: "boolean"'],
    ],
    ['a required field', object({ a: text }, { required: ['a'] }), {}, ['required a: Required value']],
    [
      'a required field that is null',
      object({ a: text }, { required: ['a'] }),
      { a: null },
      ['required a: Required value'],
    ],
    ['a required field with a default', object({ a: { ...text, default: 'x' } }, { required: ['a'] }), {}, []],
    ['an unknown field', object({ a: text }), { b: 'x' }, ['unknown b: unknown field "spec.b"']],
    ['a field of an open object', object({}, { 'x-kubernetes-preserve-unknown-fields': true }), { b: 'x' }, []],
    [
      'values of a map',
      { type: 'object', additionalProperties: text },
      { b: 1n },
      ['type b: must be of type string: "integer"'],
    ],
    ['a null in a list', { type: 'array', items: text }, [null], ['type 0: must be of type string: "null"']],
    ['an enum', { ...text, enum: ['a', 'b'] }, 'c', ['value : Unsupported value: "c": supported values: "a", "b"']],
    ['a pattern', { ...text, pattern: '^a+$' }, 'b', ["value : should match '^a+$'"]],
    ['a pattern that is not RE2', { ...text, pattern: '(?=a)' }, 'b', []],
    ['code points', { ...text, maxLength: 1n }, '😀', []],
    ['lengths', { ...text, minLength: 2n, maxLength: 3n }, 'abcd', ['value : should be at most 3 chars long']],
    ['bounds', { type: 'integer', minimum: 2n, maximum: 3n }, 1n, ['value : should be greater than or equal to 2']],
    [
      'exclusive bounds',
      { type: 'integer', maximum: 3n, exclusiveMaximum: true },
      3n,
      ['value : should be less than 3'],
    ],
    ['multiples', { type: 'integer', multipleOf: 2n }, 3n, ['value : should be a multiple of 2']],
    ['32 bits', { type: 'integer', format: 'int32' }, 2147483648n, ['value : must be of type int32']],
    [
      'numbers of items',
      { type: 'array', items: text, maxItems: 1n },
      ['a', 'b'],
      ['value : should have at most 1 items'],
    ],
    ['numbers of fields', { type: 'object', minProperties: 1n }, {}, ['value : should have at least 1 properties']],
    [
      'a set',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      ['a', 'a'],
      ['duplicate 1: Duplicate value: "a"'],
    ],
    [
      'a map of items',
      {
        type: 'array',
        items: object({ name: text, x: { type: 'integer' } }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      [{ name: 'a', x: 1n }, { name: 'b' }, { name: 'a' }],
      ['duplicate 2: Duplicate value: {"name":"a"}'],
    ],
    [
      'oneOf',
      object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      { a: 'x', b: 'y' },
      ['value : must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'anyOf',
      object({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      {},
      ['value : must validate at least one schema (anyOf)'],
    ],
    [
      'allOf',
      object({ a: text }, { allOf: [{ required: ['a'] }] }),
      {},
      ['value : must validate all the schemas (allOf)'],
    ],
    [
      'not',
      object({ a: text }, { not: { required: ['a'] } }),
      { a: 'x' },
      ['value : must not validate the schema (not)'],
    ],
  ])('checks %s', (_, schema, value, expected) => expect(found(schema, value)).toEqual(expected));

  it('stops after a hundred errors', () => {
    expect(found({ type: 'array', items: text }, new Array<Value>(1000).fill(true))).toHaveLength(100);
  });

  it('handles a recursive schema', () => {
    const schema: Schema = { type: 'object' };
    schema.properties = { a: schema };
    expect(found(schema, { a: { a: { b: 1n } } })).toEqual(['unknown a.a.b: unknown field "spec.a.a.b"']);
  });
});

describe('what an API server rejects in custom objects', () => {
  const nullable = (schema: Schema): Schema => ({ ...schema, nullable: true });
  const number = (multipleOf: number): Schema => ({ type: 'number', multipleOf });

  it.each<[string, Schema, Value, string[]]>([
    ['a null of a nullable field is present', object({ a: nullable(text) }, { required: ['a'] }), { a: null }, []],
    [
      'a null of a nullable field is present, for alternatives too',
      object({ a: nullable(text) }, { not: { required: ['a'] } }),
      { a: null },
      ['value : must not validate the schema (not)'],
    ],
    [
      'a null of a nullable field counts',
      object({ a: nullable(text) }, { maxProperties: 0n }),
      { a: null },
      ['value : should have at most 0 properties'],
    ],
    ['a null is held against no alternative', nullable({ ...text, anyOf: [{ minLength: 1n }] }), null, []],
    [
      'a null is no option',
      nullable({ ...text, enum: ['a'] }),
      null,
      ['value : Unsupported value: null: supported values: "a"'],
    ],
    [
      'a null is no option in an alternative',
      object({ a: nullable(text) }, { anyOf: [{ properties: { a: { enum: ['a'] } } }] }),
      { a: null },
      ['value : must validate at least one schema (anyOf)'],
    ],
    ['another null is omitted', object({ a: text }, { maxProperties: 0n }), { a: null }, []],
    [
      'defaults count',
      object({ a: { type: 'integer', default: 1n }, b: text }, { maxProperties: 1n }),
      { b: 'x' },
      ['value : should have at most 1 properties'],
    ],
    [
      'defaults are inside of alternatives',
      object({ a: { ...text, default: 'x' } }, { not: { required: ['a'] } }),
      {},
      ['value : must not validate the schema (not)'],
    ],
    ['a null in a list takes the default', { type: 'array', items: { ...text, default: 'x' } }, [null], []],
    ['a fraction that is a multiple', number(0.1), -0.5, []],
    ['a fraction that is almost a multiple', number(0.1), 0.3, []],
    ['a fraction that is none', number(0.1), 0.25, ['value : should be a multiple of 0.1']],
    ['an integer is no multiple of a fraction below 1', number(0.5), 2n, ['value : should be a multiple of 0.5']],
    ['the fraction of a factor is cut off for integers', number(1.5), 7n, []],
    [
      'an integer has no bound with a fraction',
      { type: 'integer', minimum: 1.5 },
      5n,
      ['value : allows no value: minimum is 1.5, which is not of the type of the field'],
    ],
    ['a number of 32 bits', { type: 'number', format: 'float' }, 1e300, ['value : must be of type float']],
    ['a format', { ...text, format: 'uuid' }, 'nope', ['value : must be of type uuid']],
    ['a format of integers for a text', { 'x-kubernetes-int-or-string': true, format: 'int32' }, 'x', []],
    ['a list where a text of a format is wanted', { ...text, format: 'uuid' }, ['x'], []],
    ['a list where another text is wanted', text, ['x'], ['type : must be of type string: "array"']],
    ['an option that is another kind of number', { type: 'number', enum: [2n] }, 2.5, []],
    ['an option that is the character of a number', { 'x-kubernetes-int-or-string': true, enum: ['a'] }, 97n, []],
    ['an unknown field of a plain object', { type: 'object' }, { b: 'x' }, [unknownField('b')]],
    [
      'an unknown field below any value',
      { type: 'object', additionalProperties: true },
      { b: { c: 1n } },
      [unknownField('b.c')],
    ],
    ['an unknown null', object({}), { b: null }, [unknownField('b')]],
    [
      'an unknown field of a field of an object that keeps others',
      object({ a: object({}) }, { 'x-kubernetes-preserve-unknown-fields': true }),
      { a: { b: 1n }, c: { d: 1n } },
      [unknownField('a.b')],
    ],
    [
      'lists in what keeps unknown fields',
      { type: 'array', items: object({}), 'x-kubernetes-preserve-unknown-fields': true },
      [{ b: 1n }],
      [],
    ],
    [
      'keys of items that are missing and null',
      {
        type: 'array',
        items: object({ k: nullable(text) }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
      [{}, { k: null }],
      [],
    ],
  ])('%s', (_, schema, value, expected) => expect(found(schema, value)).toEqual(expected));

  it('includes the metadata of the object', () => {
    const faults = (metadata: Value): string[] =>
      conformityOf({ type: 'object' }, { apiVersion: 'v1', kind: 'X', metadata }, true).faults.map(
        ({ code, path }) => `${kindOf(code)} ${path.join('.')}`,
      );
    expect(faults({ name: 'x', labels: { a: null } })).toEqual([]);
    expect(faults({ name: 'x', zz: 1n })).toEqual(['unknown metadata.zz']);
    expect(faults({ name: 'x', annotations: { a: 1n } })).toEqual(['type metadata.annotations.a']);
    expect(faults({ name: 'x', labels: { 'a b': 'x' } })).toEqual(['value metadata.labels.a b']);
  });

  const resource: Schema = object({ spec: object({ a: text }) }, { 'x-kubernetes-embedded-resource': true });
  it.each<[string, Value, string[]]>([
    ['is taken', { apiVersion: 'apps/v1', kind: 'Pod', metadata: { name: 'x' }, spec: { a: 'x' } }, []],
    ['needs apiVersion and kind', {}, ['required apiVersion: Required value', 'required kind: Required value']],
    [
      'needs an apiVersion that is one',
      { apiVersion: 'a/b/c', kind: 'my kind' },
      ['value apiVersion: must be a valid apiVersion', 'value kind: must be a valid kind'],
    ],
    ['has no text that is a number', { apiVersion: 'v1', kind: 3n }, ['type kind: must be of type string: "integer"']],
    ['has no other fields', { apiVersion: 'v1', kind: 'Pod', zz: 1n }, [unknownField('zz')]],
    ['has metadata', { apiVersion: 'v1', kind: 'Pod', metadata: { zz: 1n } }, [unknownField('metadata.zz')]],
    ['has metadata with nulls', { apiVersion: 'v1', kind: 'Pod', metadata: { labels: null } }, []],
    [
      'has no other metadata, null or not',
      { apiVersion: 'v1', kind: 'Pod', metadata: { zz: null } },
      [unknownField('metadata.zz')],
    ],
    [
      'has metadata with types',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 1n } },
      ['type metadata.name: must be of type string: "integer"'],
    ],
    [
      'has a name',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b' } },
      ["value metadata.name: must not be '.' or '..' and must not contain '/' or '%'"],
    ],
    [
      'has owners that may own objects',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ownerReferences: [
            { apiVersion: 'apps/v1', kind: 'Event', name: 'x', uid: 'y' },
            { apiVersion: 'v1', kind: 'Event', name: 'x', uid: 'y' },
            { apiVersion: '/v1', kind: 'Event', name: 'x', uid: 'y' },
            { apiVersion: 'apps/', kind: 'Pod', name: 'x', uid: 'y' },
            { apiVersion: 'a/b/c', kind: 'Pod', name: 'x', uid: 'y' },
          ],
        },
      },
      [
        'value metadata.ownerReferences.1: must not be an Event',
        'value metadata.ownerReferences.2: must not be an Event',
        'value metadata.ownerReferences.3: must have an apiVersion with a version',
        'value metadata.ownerReferences.4: must have an apiVersion with a version',
      ],
    ],
    [
      'has a time',
      { apiVersion: 'v1', kind: 'Pod', metadata: { creationTimestamp: 'x' } },
      ['value metadata.creationTimestamp: must be a time such as 2006-01-02T15:04:05Z'],
    ],
  ])('includes an embedded object %s', (_, value, expected) => expect(found(resource, value)).toEqual(expected));

  it('includes what the schema says of the metadata of an embedded object', () => {
    const named: Schema = object(
      { metadata: object({ name: { ...text, pattern: '^a' } }) },
      { 'x-kubernetes-embedded-resource': true },
    );
    const of = (name: string): Value => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });
    expect(found(named, of('abc'))).toEqual([]);
    expect(found(named, of('b'))).toEqual(["value metadata.name: should match '^a'"]);
    // Empty fields of metadata are removed before the validation.
    expect(found(named, of(''))).toEqual([]);
  });

  it('passes rules the object with its defaults, and without nulls that the schema rejects', () => {
    const schema = object({
      a: { ...text, default: 'x' },
      b: object({ c: { ...text, default: 'y' } }),
      d: nullable(text),
      e: { type: 'array', items: object({ f: { ...text, default: 'z' } }) },
      g: text,
    });
    const given = { a: null, b: {}, d: null, e: [{}], g: null };
    expect(conformityOf(schema, given, true).object).toEqual({
      a: 'x',
      b: { c: 'y' },
      d: null,
      e: [{ f: 'z' }],
    });
  });
});

describe("what an API server rejects in Kubernetes' own kinds", () => {
  it.each<[string, Schema, Value, string[]]>([
    ['anything where nothing is said', { type: 'object' }, { b: 'x' }, []],
    ['a null is omitted', object({ a: text }, { required: ['a'] }), { a: null }, ['required a: Required value']],
    ['base64', { ...text, format: 'byte' }, '??', ['value : must be base64']],
    ['a time', { ...text, format: 'date-time' }, 'x', ['value : must be a time such as 2006-01-02T15:04:05Z']],
    ['no other format', { ...text, format: 'uuid' }, 'x', []],
    ['an unknown field', object({ a: text }), { b: 'x' }, [unknownField('b')]],
  ])('%s', (_, schema, value, expected) => expect(found(schema, value, false)).toEqual(expected));
});

function unknownField(path: string): string {
  return `unknown ${path}: unknown field "spec.${path}"`;
}
