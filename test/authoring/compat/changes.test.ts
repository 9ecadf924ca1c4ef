import { describe, expect, it } from 'vitest';
import { CHANGE_NAMES, compareSchemas } from '../../../src/authoring/compat/index.ts';
import type { Schema } from '../../../src/kubernetes/schema/index.ts';

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, required?: string[]): Schema => ({
  type: 'object',
  properties,
  ...(required === undefined ? {} : { required }),
});
const field = (schema: Schema): Schema => object({ a: schema });
const found = (before: Schema, after: Schema, conservative = false): string[] =>
  compareSchemas(before, after, conservative).map(({ change, path, breaking }) => {
    expect(CHANGE_NAMES).toContain(change);
    return `${breaking ? 'breaking' : 'fine'} ${path.join('.')} ${change}`;
  });

describe('changes by the rules of kro 0.9.4', () => {
  it.each<[string, Schema, Schema, string[]]>([
    ['nothing', field(text), field(text), []],
    ['a field that goes', object({ a: text }), object({}), ['breaking a property-removed']],
    ['a field that comes', object({}), object({ a: text }), ['fine a property-added']],
    ['a required field that comes', object({}), object({ a: text }, ['a']), ['breaking a required-property-added']],
    ['one with a default', object({}), object({ a: { ...text, default: 'x' } }, ['a']), ['fine a property-added']],
    ['required', object({ a: text }), object({ a: text }, ['a']), ['breaking a required-added']],
    ['no longer required', object({ a: text }, ['a']), object({ a: text }), ['fine a required-removed']],
    [
      'a required field without its default',
      object({ a: { ...text, default: 'x' } }, ['a']),
      object({ a: text }, ['a']),
      ['fine a default-changed', 'breaking a required-default-removed'],
    ],
    ['a type', field(text), field({ type: 'integer' }), ['breaking a type-changed']],
    ['a default', field(text), field({ ...text, default: 'x' }), ['fine a default-changed']],
    ['a pattern', field(text), field({ ...text, pattern: 'a' }), ['breaking a pattern-added']],
    [
      'another pattern',
      field({ ...text, pattern: 'b' }),
      field({ ...text, pattern: 'a' }),
      ['breaking a pattern-changed'],
    ],
    ['no pattern', field({ ...text, pattern: 'b' }), field(text), ['fine a pattern-removed']],
    ['an empty pattern, which is none', field({ ...text, pattern: '' }), field(text), []],
    ['another description', field({ ...text, description: 'b' }), field(text), ['fine a description-changed']],
    ['a bound', field({ type: 'integer' }), field({ type: 'integer', minimum: 1n }), ['breaking a minimum-added']],
    [
      'a higher minimum',
      field({ type: 'integer', minimum: 1n }),
      field({ type: 'integer', minimum: 2n }),
      ['breaking a minimum-increased'],
    ],
    [
      'a lower minimum',
      field({ type: 'integer', minimum: 2n }),
      field({ type: 'integer', minimum: 1n }),
      ['fine a minimum-decreased'],
    ],
    [
      'a lower maximum',
      field({ ...text, maxLength: 2n }),
      field({ ...text, maxLength: 1n }),
      ['breaking a max-length-decreased'],
    ],
    ['no bound', field({ type: 'array', maxItems: 2n }), field({ type: 'array' }), ['fine a max-items-removed']],
    [
      'an enum with less',
      field({ ...text, enum: ['a', 'b'] }),
      field({ ...text, enum: ['a'] }),
      ['breaking a enum-restricted'],
    ],
    [
      'an enum with more',
      field({ ...text, enum: ['a'] }),
      field({ ...text, enum: ['a', 'b'] }),
      ['fine a enum-expanded'],
    ],
    ['an enum where none was', field(text), field({ ...text, enum: ['a'] }), ['fine a enum-added']],
    [
      'items',
      field({ type: 'array', items: text }),
      field({ type: 'array', items: { type: 'integer' } }),
      ['breaking a.items type-changed'],
    ],
    [
      'values of a map, at which kro does not look',
      field({ type: 'object', additionalProperties: text }),
      field({ type: 'object', additionalProperties: { type: 'integer' } }),
      [],
    ],
  ])('%s', (_, before, after, expected) => expect(found(before, after)).toEqual(expected));
});

describe('changes by the conservative rules', () => {
  it.each<[string, Schema, Schema, string[]]>([
    ['an enum where none was', field(text), field({ ...text, enum: ['a'] }), ['breaking a enum-added']],
    [
      'values of a map',
      field({ type: 'object', additionalProperties: text }),
      field({ type: 'object', additionalProperties: { type: 'integer' } }),
      ['breaking a.values type-changed'],
    ],
    ['null', field({ ...text, nullable: true }), field(text), ['breaking a nullable-removed']],
    [
      'unknown fields',
      field({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
      field({ type: 'object' }),
      ['breaking a unknown-fields-pruned'],
    ],
    [
      'a rule',
      field(text),
      field({ ...text, 'x-kubernetes-validations': [{ rule: 'self != ""' }] }),
      ['breaking a rule-added'],
    ],
    [
      'a rule that goes',
      field({ ...text, 'x-kubernetes-validations': [{ rule: 'self != ""' }] }),
      field(text),
      ['fine a rule-removed'],
    ],
    ['a format', field(text), field({ ...text, format: 'date' }), ['breaking a format-changed']],
    [
      'a set',
      field({ type: 'array' }),
      field({ type: 'array', 'x-kubernetes-list-type': 'set' }),
      ['breaking a list-type-changed'],
    ],
    [
      'uniqueItems',
      field({ type: 'array' }),
      field({ type: 'array', uniqueItems: true }),
      ['breaking a unique-items-changed'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(found(before, after, true)).toEqual(expected);
    expect(found(before, after).filter((one) => one.startsWith('breaking'))).toEqual([]);
  });
});
