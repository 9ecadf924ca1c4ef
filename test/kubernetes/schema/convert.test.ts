import { describe, expect, test } from 'vitest';
import type { Path, Value } from '../../../src/core/model/value.ts';
import { fillSchema, toSchema } from '../../../src/kubernetes/schema/convert.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';

function problemsOf(value: Value): [Path, string][] {
  const problems: [Path, string][] = [];
  toSchema(value, { report: (path, message) => problems.push([path, message]) });
  return problems;
}

describe('toSchema', () => {
  test('reads every keyword and ignores unknown ones', () => {
    const known: Value = {
      type: 'object',
      format: 'x',
      description: 'about',
      properties: { a: { type: 'string', minLength: 1n, maxLength: 3n, pattern: '^a', default: 'a', nullable: true } },
      additionalProperties: { type: 'integer', minimum: -1n, maximum: 2.5, multipleOf: 2n, exclusiveMinimum: true },
      required: ['a'],
      minProperties: 1n,
      maxProperties: 2n,
      oneOf: [{ required: ['a'] }],
      anyOf: [{ type: 'object' }],
      allOf: [{ not: { enum: ['x', 1n, null] } }],
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-map-type': 'atomic',
      'x-kubernetes-validations': [{ rule: 'true', message: 'm', reason: 'r', fieldPath: '.a', optionalOldSelf: true }],
    };
    expect(toSchema({ ...known, title: 'T', 'x-kubernetes-patch-strategy': 'merge' })).toEqual(known);
    const list: Value = {
      type: 'array',
      items: { 'x-kubernetes-int-or-string': true },
      minItems: 0n,
      maxItems: 9n,
      uniqueItems: false,
      exclusiveMaximum: false,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    };
    expect(toSchema(list)).toEqual(list);
  });

  test('reads whole numbers with a fraction as counts', () => {
    expect(toSchema({ maxLength: 3 })).toEqual({ maxLength: 3n });
  });

  test('treats null as absent', () => {
    expect(toSchema({ type: 'string', default: null, properties: null })).toEqual({ type: 'string' });
  });

  test('marks the format int-or-string of built-in types as the extension', () => {
    expect(toSchema({ format: 'int-or-string', type: 'string' })['x-kubernetes-int-or-string']).toBe(true);
  });

  test('keeps a property called __proto__', () => {
    const schema = toSchema({ properties: JSON.parse('{"__proto__":{"type":"string"}}') });
    expect(Object.keys(schema.properties ?? {})).toEqual(['__proto__']);
    expect(schema.properties && Object.getPrototypeOf(schema.properties)).toBe(Object.prototype);
  });

  test.each<[string, Value, Path]>([
    ['a schema that is no map', { items: 'string' }, ['items']],
    ['an unknown type', { properties: { a: { type: 'map' } } }, ['properties', 'a', 'type']],
    ['a list of types', { type: ['string', 'null'] }, ['type']],
    ['properties that are no map', { properties: [] }, ['properties']],
    ['a required field that is no string', { required: ['a', 1n] }, ['required', 1]],
    ['a count with a fraction', { maxItems: 1.5 }, ['maxItems']],
    ['a number in quotes', { minimum: '1' }, ['minimum']],
    ['a boolean in quotes', { nullable: 'true' }, ['nullable']],
    ['a rule without text', { 'x-kubernetes-validations': [{ message: 'm' }] }, ['x-kubernetes-validations', 0]],
    ['a reference that leads nowhere', { items: { $ref: '#/x' } }, ['items', '$ref']],
  ])('reports and omits %s', (_, value, path) => {
    expect(problemsOf(value).map(([found]) => found)).toEqual([path]);
    expect(() => toSchema(value)).not.toThrow();
  });

  test('follows references, also those wrapped in allOf, and ignores their siblings', () => {
    const target: Schema = { type: 'string' };
    const resolve = (ref: string) => (ref === 'T' ? target : undefined);
    const schema = toSchema(
      { properties: { a: { $ref: 'T', description: 'x' }, b: { allOf: [{ $ref: 'T' }], default: {} } } },
      { resolve },
    );
    expect(schema.properties?.a).toBe(target);
    expect(schema.properties?.b).toBe(target);
  });

  test('reads a property called $ref as a property', () => {
    expect(toSchema({ properties: { $ref: { type: 'string' } } })).toEqual({
      properties: { $ref: { type: 'string' } },
    });
  });
});

test('fillSchema can close a cycle', () => {
  const tree: Schema = {};
  fillSchema(tree, { type: 'object', properties: { child: { $ref: 'tree' } } }, { resolve: () => tree });
  expect(tree.properties?.child).toBe(tree);
});
