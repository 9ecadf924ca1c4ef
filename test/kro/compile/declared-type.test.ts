import { describe, expect, it } from 'vitest';
import { declaredType } from '../../../src/kro/compile/declared-type.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';
import { escapedFieldName, formatType, type ObjectType } from '../../../src/languages/cel/types.ts';

describe('field names', () => {
  it.each<[string, string | undefined]>([
    ['plain', 'plain'],
    ['_private1', '_private1'],
    ['a-b', 'a__dash__b'],
    ['a.b', 'a__dot__b'],
    ['a/b', 'a__slash__b'],
    ['a__b', 'a__underscores__b'],
    ['a___b', 'a__underscores___b'],
    ['a-b.c/d', 'a__dash__b__dot__c__slash__d'],
    ['namespace', '__namespace__'],
    ['in', '__in__'],
    ['namespaces', 'namespaces'],
    ['1st', undefined],
    ['-a', undefined],
    ['a b', undefined],
    ['$ref', undefined],
    ['', undefined],
  ])('%j is %j in CEL', (name, escaped) => expect(escapedFieldName(name)).toBe(escaped));
});

describe('the type of a schema', () => {
  it.each<[Schema, string | undefined]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'byte' }, 'bytes'],
    [{ type: 'string', format: 'duration' }, 'google.protobuf.Duration'],
    [{ type: 'string', format: 'date' }, 'google.protobuf.Timestamp'],
    [{ type: 'string', format: 'date-time' }, 'google.protobuf.Timestamp'],
    [{ type: 'string', format: 'uri' }, 'string'],
    [{ type: 'integer', format: 'int32' }, 'int'],
    [{ type: 'number' }, 'double'],
    [{ type: 'boolean' }, 'bool'],
    [{ 'x-kubernetes-int-or-string': true }, 'dyn'],
    [{ type: 'string', 'x-kubernetes-int-or-string': true }, 'dyn'],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, undefined],
    [{}, undefined],
    [{ type: 'array' }, undefined],
    [{ type: 'array', items: {} }, undefined],
    [{ type: 'array', items: { type: 'integer' } }, 'list(int)'],
    [{ type: 'array', items: { type: 'object' } }, 'list(T.@idx)'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map(string, int)'],
    [{ type: 'object', additionalProperties: { type: 'object' } }, 'map(string, T.@elem)'],
    [{ type: 'object', additionalProperties: true }, 'map(string, dyn)'],
    [{ type: 'object', additionalProperties: {} }, 'map(string, dyn)'],
    [{ type: 'object', additionalProperties: false }, 'T'],
    [{ type: 'object' }, 'T'],
  ])('%j is %s', (schema, type) => {
    const declared = declaredType(schema, 'T');
    expect(declared && formatType(declared)).toBe(type);
  });

  it('keeps whether a list is a set or a map', () => {
    const items: Schema = { type: 'string' };
    expect(declaredType({ type: 'array', items, 'x-kubernetes-list-type': 'set' }, 'T')).toMatchObject({
      listType: 'set',
    });
    const map: Schema = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
    expect(declaredType(map, 'T')).toMatchObject({ listType: 'map', mapKeys: ['k'] });
    expect(declaredType({ type: 'array', items, 'x-kubernetes-list-type': 'atomic' }, 'T')).not.toHaveProperty(
      'listType',
    );
  });
});

describe('the type of an object', () => {
  const text: Schema = { type: 'string' };
  const properties = {
    plain: text,
    'a-b': text,
    namespace: text,
    '1st': text,
    untyped: {},
    inner: { type: 'object' as const },
  };
  const type = declaredType({ type: 'object', properties }, 'T') as ObjectType;
  const typeOf = (name: string): string | undefined => {
    const field = type.field(name);
    return field && formatType(field);
  };

  it('has the fields that CEL can name', () => {
    expect(type.fieldNames()).toEqual(['plain', 'a__dash__b', '__namespace__', 'inner']);
  });

  it.each([
    ['plain', 'string'],
    ['a__dash__b', 'string'],
    ['__namespace__', 'string'],
    ['namespace', 'string'],
    ['inner', 'T.inner'],
    ['a-b', undefined],
    ['untyped', undefined],
    ['1st', undefined],
    ['toString', undefined],
  ])('%s is %s', (name, expected) => expect(typeOf(name)).toBe(expected));

  it('with unknown fields has every other field as dyn', () => {
    const open = declaredType({ type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true }, 'T');
    if (open?.kind !== 'object') expect.unreachable();
    expect([open.open, open.field('plain'), open.field('other')]).toEqual([true, { kind: 'string' }, { kind: 'dyn' }]);
    expect(type.open).toBe(false);
  });
});
