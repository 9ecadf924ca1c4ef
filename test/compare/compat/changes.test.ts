import { describe, expect, it } from 'vitest';
import { CHANGE_NAMES, compareSchemas, isBreaking } from '../../../src/compare/compat/index.ts';
import type { Schema } from '../../../src/kubernetes/schema/index.ts';

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, required?: string[]): Schema => ({
  type: 'object',
  properties,
  ...(required === undefined ? {} : { required }),
});
const field = (schema: Schema): Schema => object({ a: schema });
const found = (before: Schema, after: Schema, checks: '0.9' | '0.10' | 'conservative' = '0.9'): string[] =>
  compareSchemas(before, after, checks).map((one) => {
    expect(CHANGE_NAMES).toContain(one.change);
    const compared = isBreaking(one) ? 'breaking' : 'fine';
    const unchecked = one.narrows ? 'unchecked' : 'unwritten';
    return `${one.isCompared ? compared : unchecked} ${one.path.join('.')} ${one.change}`;
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
    ['an enum where none was', field(text), field({ ...text, enum: ['a'] }), ['unchecked a enum-added']],
    ['no enum', field({ ...text, enum: ['a'] }), field(text), ['unwritten a enum-removed']],
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
      ['unchecked a.values type-changed'],
    ],
  ])('%s', (_, before, after, expected) => expect(found(before, after)).toEqual(expected));
});

const open: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const list = (more: Schema): Schema => field({ type: 'array', ...more });
const rule = (...rules: string[]): Schema =>
  field({ ...text, 'x-kubernetes-validations': rules.map((one) => ({ rule: one })) });
const values = (value: Schema): Schema => field({ type: 'object', additionalProperties: value });

/** From the tests of kro's pull request 1430: what a release says of a change, without and with the feature gate. */
describe.each<[string, Schema, Schema, string, [before: string, byDefault: string, withTheGate: string]]>([
  [
    'an enum where none was',
    field(text),
    field({ ...text, enum: ['a'] }),
    'a enum-added',
    ['unchecked', 'breaking', 'breaking'],
  ],
  ['no enum', field({ ...text, enum: ['a'] }), field(text), 'a enum-removed', ['unwritten', 'fine', 'fine']],
  [
    'no null',
    field({ ...text, nullable: true }),
    field(text),
    'a nullable-removed',
    ['unchecked', 'breaking', 'breaking'],
  ],
  ['null', field(text), field({ ...text, nullable: true }), 'a nullable-added', ['unwritten', 'fine', 'fine']],
  [
    'pruned fields',
    field(open),
    field({ type: 'object' }),
    'a unknown-fields-pruned',
    ['unchecked', 'breaking', 'breaking'],
  ],
  ['kept fields', field({ type: 'object' }), field(open), 'a unknown-fields-kept', ['unwritten', 'fine', 'fine']],
  ['a rule', field(text), rule('self != ""'), 'a rule-added', ['unchecked', 'unchecked', 'breaking']],
  ['no rule', rule('self != ""'), field(text), 'a rule-removed', ['unwritten', 'unwritten', 'fine']],
  [
    'a format',
    field(text),
    field({ ...text, format: 'date-time' }),
    'a format-added',
    ['unchecked', 'unchecked', 'breaking'],
  ],
  [
    'no format',
    field({ ...text, format: 'date-time' }),
    field(text),
    'a format-removed',
    ['unwritten', 'unwritten', 'fine'],
  ],
  [
    'another format',
    field({ type: 'integer', format: 'int32' }),
    field({ type: 'integer', format: 'int64' }),
    'a format-changed',
    ['unchecked', 'unchecked', 'breaking'],
  ],
  [
    'values of a map',
    values(text),
    values({ type: 'integer' }),
    'a.values type-changed',
    ['unchecked', 'unchecked', 'breaking'],
  ],
  [
    'a field of values',
    values(object({ b: text })),
    values(object({})),
    'a.values.b property-removed',
    ['unchecked', 'unchecked', 'breaking'],
  ],
  [
    'a new field of values',
    values(object({})),
    values(object({ b: text })),
    'a.values.b property-added',
    ['unwritten', 'unwritten', 'fine'],
  ],
  [
    'a schema of values',
    field({ type: 'object' }),
    values(text),
    'a.values values-added',
    ['unwritten', 'unwritten', 'fine'],
  ],
  [
    'a set',
    list({ 'x-kubernetes-list-type': 'atomic' }),
    list({ 'x-kubernetes-list-type': 'set' }),
    'a list-type-changed',
    ['unchecked', 'unchecked', 'breaking'],
  ],
  [
    'other keys',
    list({ 'x-kubernetes-list-map-keys': ['name'] }),
    list({ 'x-kubernetes-list-map-keys': ['id'] }),
    'a list-map-keys-changed',
    ['unchecked', 'unchecked', 'breaking'],
  ],
  [
    'a map type',
    field({ type: 'object' }),
    field({ type: 'object', 'x-kubernetes-map-type': 'granular' }),
    'a map-type-changed',
    ['unchecked', 'unchecked', 'breaking'],
  ],
  [
    'uniqueItems',
    list({}),
    list({ uniqueItems: true }),
    'a unique-items-changed',
    ['unchecked', 'unchecked', 'breaking'],
  ],
])('%s', (_, before, after, change, [old, byDefault, withTheGate]) => {
  it('is compared by the releases and the gate that know it', () => {
    expect(found(before, after, '0.9')).toEqual([`${old} ${change}`]);
    expect(found(before, after, '0.10')).toEqual([`${byDefault} ${change}`]);
    expect(found(before, after, 'conservative')).toEqual([`${withTheGate} ${change}`]);
  });
});

describe('what changes nothing', () => {
  it.each<[string, Schema, Schema]>([
    ['a default type of a list that is written', list({}), list({ 'x-kubernetes-list-type': 'atomic' })],
    [
      'another order of keys',
      list({ 'x-kubernetes-list-map-keys': ['namespace', 'name'] }),
      list({ 'x-kubernetes-list-map-keys': ['name', 'namespace'] }),
    ],
    ['no rules as an empty list', field(text), rule()],
    ['uniqueItems that is false', list({}), list({ uniqueItems: false })],
  ])('%s', (_, before, after) => {
    for (const checks of ['0.9', '0.10', 'conservative'] as const) expect(found(before, after, checks)).toEqual([]);
  });
});
