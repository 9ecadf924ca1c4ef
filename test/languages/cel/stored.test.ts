/** Tests that values read from data keep their type, and that computed values never get one. */
import { describe, expect, test } from 'vitest';
import { declaredType } from '../../../src/kro/compile/declared-type.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';
import { check, createBudget, kroEnvironment, parse, plan, toJson } from '../../../src/languages/cel/index.ts';
import { type CelType, DYN } from '../../../src/languages/cel/types.ts';
import type { CelValue } from '../../../src/languages/cel/value/values.ts';
import { json } from './engine.ts';

const text: Schema = { type: 'string' };
const time: Schema = { type: 'string', format: 'date-time' };
const bytes: Schema = { type: 'string', format: 'byte' };
const count: Schema = { type: 'integer' };
const ratio: Schema = { type: 'number' };
const pair: Schema = { type: 'object', properties: { id: text, at: time, 'free-form': text, count, ratio } };

const schema: Schema = {
  type: 'object',
  properties: {
    names: { type: 'array', items: text },
    none: { type: 'array', items: text },
    labels: { type: 'object', additionalProperties: text },
    noLabels: { type: 'object', additionalProperties: text },
    blank: { type: 'object', properties: { a: text } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    partly: { type: 'object', properties: { known: text }, 'x-kubernetes-preserve-unknown-fields': true },
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    pairs: { type: 'array', items: pair, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] },
    list: { type: 'array', items: pair },
    secrets: { type: 'object', additionalProperties: bytes },
    times: { type: 'array', items: time },
    timeMap: { type: 'object', additionalProperties: time },
    ratios: { type: 'array', items: ratio },
    maybe: { type: 'array', items: { type: 'string', nullable: true } },
    holes: { type: 'array', items: text },
    mixed: { type: 'object', additionalProperties: text },
    lone: { type: 'array', items: { type: 'object', additionalProperties: text } },
  },
};

const data = {
  names: ['b', 'a'],
  none: [],
  labels: { a: '1' },
  noLabels: {},
  blank: {},
  free: { n: null, inner: { n: null }, none: [] },
  partly: { known: null, other: null },
  tags: ['a', 'b'],
  pairs: [{ id: 'x', at: '2024-01-01T00:00:00Z', 'free-form': 'f', count: 1, ratio: 2n }],
  list: [{ id: 'x', at: '2024-01-01T00:00:00.5Z', 'free-form': 'f', count: 1, ratio: 2n }],
  secrets: { ok: 'aGVsbG8=', broken: '?' },
  times: ['2024-01-01T00:00:00.5Z'],
  timeMap: { t: '2024-01-01T00:00:00.500Z' },
  ratios: [1n, 2.5],
  maybe: ['a', null],
  holes: ['a', null],
  mixed: { a: 'text', b: 5n, c: null },
  lone: [{ a: '1' }, 'text'],
} satisfies CelValue;

const types = { self: declaredType(schema, 'self') ?? DYN };

const table = (rows: [string, unknown][]): void => {
  test.each(rows)('%s', (source, expected) => {
    expect(json(source, { types, values: { self: data } })).toEqual(expected);
  });
};

describe('types are stored with the values', () => {
  table([
    ['string(dyn(self.secrets).ok)', 'hello'],
    ['[dyn(self), 1][0].secrets.ok.size()', 5n],
    ['cel.bind(s, dyn(self), s.times[0].getFullYear())', 2024n],
    ['dyn(self.list).map(x, x.free__dash__form)', ['f']],
    ['dyn(self.list).map(x, x.ratio + 0.5)', [2.5]],
    ['dyn(self.list).flatten().map(x, x.count * 2)', [2n]],
    ['[self.list].flatten()[0].ratio + 0.5', 2.5],
    ['dyn(self).?timeMap.?t.orValue(timestamp(0)).getMilliseconds()', 500n],
    ['optional.of(self.list).value().first().value().ratio / 4.0', 0.5],
    ['(true ? self : self).list[0].ratio + 0.5', 2.5],
    ['{"k": self.list}.k[0].at.getFullYear()', 2024n],
    ['self.ratios.map(r, r * 2.0)', [2, 5]],
    ['dyn(self.ratios).sum() + 0.5', 4],
  ]);
});

describe('type variables of a signature do not give a value a type', () => {
  table([
    ['size(json.unmarshal("[\\"abcd\\"]").distinct()[0])', 4n],
    ['json.unmarshal("[\\"b\\", \\"a\\"]").distinct().sort()', ['a', 'b']],
    ['json.unmarshal("[\\"b\\", \\"a\\"]").reverse().sortBy(x, x)', ['a', 'b']],
    ['json.unmarshal("[[\\"YWI=\\"]]").flatten().map(x, x.size())', [4n]],
    ['json.unmarshal("[1.5]").slice(0, 1)[0]', 1.5],
    ['json.unmarshal("{\\"d\\": 1.5}").merge({"z": 1}).d', 1.5],
  ]);
});

describe('lists keep their order of items, their keys or their set', () => {
  table([
    ['self.tags == ["b", "a"]', true],
    ['dyn(self.tags) == ["b", "a"]', true],
    ['[self.tags] == [["b", "a"]]', true],
    ['["b", "a"] == self.tags', false],
    ['self.tags + ["c", "c", "a"]', ['a', 'b', 'c']],
    ['dyn(self.tags) + ["a"]', ['a', 'b']],
    ['self.tags + ["c"] + ["c", "d"]', ['a', 'b', 'c', 'd']],
    ['self.tags + ["c"] == ["c", "b", "a"]', true],
    ['["c", "b", "a"] in [self.tags + ["c"]]', false],
    ['self.tags + ["c"] in [["c", "b", "a"]]', true],
    ['["b", "a"] in [self.tags]', false],
    ['self.tags in [["b", "a"]]', true],
    [
      '[self.tags, ["b", "a"], ["a", "b"]].distinct()',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
    ['[["b", "a"], self.tags].distinct()', [['b', 'a']]],
    ['(self.pairs + self.pairs).size()', 1n],
    ['self.names == ["a", "b"]', false],
    ['self.names + self.names', ['b', 'a', 'b', 'a']],
    ['self.tags.map(x, x) + ["a"]', ['a', 'b', 'a']],
  ]);
});

describe('a read value is never a zero value, and a computed one may be', () => {
  table([
    ['optional.ofNonZeroValue(self.none).hasValue()', true],
    ['optional.ofNonZeroValue(self.noLabels).hasValue()', true],
    ['optional.ofNonZeroValue(self.blank).hasValue()', true],
    ['optional.ofNonZeroValue(dyn(self.none)).hasValue()', true],
    ['optional.ofNonZeroValue(self.none.map(x, x)).hasValue()', false],
    ['optional.ofNonZeroValue(self.free.none).hasValue()', false],
    ['optional.ofNonZeroValue([]).hasValue()', false],
  ]);
});

describe('null', () => {
  table([
    ['self.free.n', null],
    ['has(self.free.n)', true],
    ['self.free.inner.n == null', true],
    ['has(self.partly.known)', false],
    ['has(self.partly.other)', false],
    ['dyn(self).partly.known', 'missing: no such key: known'],
    ['self.maybe[1]', null],
    ['self.holes[1]', 'failure: invalid data, got null for schema with nullable=false'],
    ['self.mixed.c', 'failure: invalid data, got null for schema with nullable=false'],
  ]);
});

describe('invalid data fails only expressions that read it', () => {
  table([
    ['self.secrets.ok == b"hello"', true],
    ['self.secrets.size()', 2n],
    ['self.secrets.map(k, k)', ['broken', 'ok']],
    ['dyn(self.secrets).broken', 'failure: invalid byte formatted string: not base64'],
    ['self.secrets.transformList(k, v, k == "ok" ? v.size() : 0)', [0n, 5n]],
    ['self.secrets.transformList(k, v, v.size())', 'failure: invalid byte formatted string: not base64'],
    ['self.mixed.b', 'failure: invalid data, expected string, got int64'],
    ['has(self.mixed.b)', 'failure: invalid data, expected string, got int64'],
    ['has(self.mixed.c)', 'failure: invalid data, got null for schema with nullable=false'],
    ['has(self.mixed.a)', true],
    ['self.mixed == self.mixed', 'failure: invalid data, expected string, got int64'],
    ['self.mixed in [self.mixed]', false],
    ['[self.mixed, self.mixed].distinct().size()', 2n],
    ['self.lone[1]', 'failure: invalid data, expected a map, got string'],
    ['self.lone[1].a', 'failure: invalid data, expected a map, got string'],
    ['has(self.lone[1].a)', 'failure: invalid data, expected a map, got string'],
    ['self.lone[1].?a.hasValue()', 'failure: invalid data, expected a map, got string'],
    ['self.lone[1]["a"]', 'failure: invalid data, expected a map, got string'],
    ['self.lone[0].a', '1'],
    ['self.mixed.a', 'text'],
    ['self.holes.map(x, 1)', [1n, 1n]],
    ['self.holes.map(x, x)', 'failure: invalid data, got null for schema with nullable=false'],
    ['self.holes', 'failure: invalid data, got null for schema with nullable=false'],
  ]);
});

describe('a sum keeps the types of a list that was read', () => {
  const mixed = (item: string): string => `[?optional.of("z"), ${item}]`;
  const misfit = (what: string): string => `failure: invalid data, expected ${what}`;
  table([
    [`self.names + ${mixed('self.none')}`, misfit('string, got list')],
    [`self.names + ${mixed('self.labels')}`, misfit('string, got map')],
    [`self.names + ${mixed('1')}`, misfit('string, got int64')],
    [`self.names + ${mixed('1u')}`, misfit('string, got uint')],
    [`self.names + ${mixed('duration("1s")')}`, misfit('string, got google.protobuf.Duration')],
    [`self.names + ${mixed('quantity("1")')}`, misfit('string, got kubernetes.Quantity')],
    [`self.names + ${mixed('null')}`, misfit('').replace('expected ', 'got null for schema with nullable=false')],
    [`self.tags + ${mixed('1')}`, misfit('string, got int64')],
    [`self.pairs + ${mixed('self.list[0]')}`, misfit('a map, got string')],
    [`self.names + self.none + ${mixed('1')}`, misfit('string, got int64')],
    ...['distinct()', 'sort()', 'sortBy(x, x)'].map((call): [string, string] => [
      `self.none.${call} + ${mixed('1')}`,
      misfit('string, got int64'),
    ]),
    [`(self.names + ${mixed('1')}).map(x, string(x))`, misfit('string, got int64')],
    ['self.list + [dyn({"id": 1})]', misfit('string, got int64')],
    ['self.list + [dyn({"id": ["a"]})]', misfit('string, got list')],
    ['self.ratios + [dyn("x")]', misfit('float, got string')],
    ['self.times + [dyn("x")]', 'failure: invalid RFC 3339 timestamp "x"'],
  ]);
  // A comparison is a read.
  table([
    [`"y" in (self.names + ${mixed('1')})`, misfit('string, got int64')],
    [`"z" in (self.names + ${mixed('1')} + [dyn(2)])`, true],
    [`self.names + ${mixed('1')} == self.names + ${mixed('1')}`, misfit('string, got int64')],
    [`self.names + ${mixed('1')} != self.names + [dyn("y"), 1]`, true],
    ['self.mixed == {"a": "text", "b": "x", "c": "y"}', misfit('string, got int64')],
    ['"y" in self.holes', 'failure: invalid data, got null for schema with nullable=false'],
    ['self.holes == ["a", "b"]', 'failure: invalid data, got null for schema with nullable=false'],
    ['self.holes == ["b", "b"]', false],
  ]);
  // Only expressions that read invalid data get an error.
  table([
    [`size(self.names + ${mixed('1')})`, 4n],
    [`(self.names + ${mixed('1')})[2]`, 'z'],
    [`(self.names + ${mixed('1')}).slice(0, 3)`, ['b', 'a', 'z']],
    [`self.names + ${mixed('self.names[0]')}`, ['b', 'a', 'z', 'b']],
  ]);
  // A matching value is read as an item of the list; no other list has types for added items.
  table([
    ['(self.times + [dyn("2024-02-03T04:05:06Z")])[1].getMonth()', 1n],
    ['(self.ratios + [dyn(1)])[2] / 2.0', 0.5],
    ['(self.list + [dyn({"id": "y", "count": 3})])[1].count + 1', 4n],
    ['size(self.list + [dyn({1: 2})])', 2n],
    ['self.maybe + [dyn(null)]', ['a', null, null]],
    ['self.names + [optional.of("c")].map(x, dyn(x))', ['b', 'a', 'c']],
    [`["a"] + self.names + ${mixed('1')}`, ['a', 'b', 'a', 'z', 1n]],
    ['self.free.none + [1, "a"]', [1n, 'a']],
    ['self.names.map(x, x) + [dyn(1)]', ['b', 'a', 1n]],
    ['optional.ofNonZeroValue(self.none + self.none).hasValue()', true],
  ]);
});

describe('conversions for output', () => {
  table([
    ['self.times', ['2024-01-01T00:00:00Z']],
    ['[self.times]', [['2024-01-01T00:00:00Z']]],
    ['self.timeMap', data.timeMap],
    ['true ? self.timeMap : {}', data.timeMap],
    ['[self.timeMap]', [data.timeMap]],
    ['dyn(self.secrets)', data.secrets],
    ['json.marshal(self.timeMap)', '{"t":"2024-01-01T00:00:00.500Z"}'],
    ['json.marshal([self.times, self.secrets])', '[["2024-01-01T00:00:00Z"],{"broken":"?","ok":"aGVsbG8="}]'],
    ['self.timeMap.transformMap(k, v, v)', { t: '2024-01-01T00:00:00Z' }],
    ['timestamp("0001-01-01T00:00:00Z")', null],
    ['self.list', data.list],
  ]);
});

test('one part of the data may be read as two types', () => {
  const shared = ['2024-01-01T00:00:00.5Z'];
  const asTimes: CelType = types.self.kind === 'object' ? (types.self.field('times') ?? DYN) : DYN;
  const asTexts: CelType = types.self.kind === 'object' ? (types.self.field('names') ?? DYN) : DYN;
  const values = { a: shared, b: shared, c: shared };
  const setting = { types: { a: asTimes, b: asTexts, c: DYN }, values };
  expect(json('[a[0].getFullYear() == 2024, b[0].size() == 22, c[0] == b[0], dyn(a) == dyn(b)]', setting)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(json('[a, b, c]', setting)).toEqual([['2024-01-01T00:00:00Z'], shared, shared]);
});

test('variables with CEL values are not converted', () => {
  const parsed = parse('[item.at, item.ratio]');
  if (!parsed.ok) throw new Error('syntax');
  const item = types.self.kind === 'object' ? types.self.field('list') : undefined;
  const element = item?.kind === 'list' ? item.element : DYN;
  const checked = check(kroEnvironment(), parsed.expression, new Map([['item', element]]));
  if (!checked.ok) throw new Error('check');
  const run = (computed: ReadonlySet<string>) =>
    toJson(plan(kroEnvironment(), checked.checked, ['item'], computed).run([data.list[0]], createBudget()));
  expect(run(new Set())).toEqual(['2024-01-01T00:00:00Z', 2]);
  expect(run(new Set(['item']))).toEqual(['2024-01-01T00:00:00.5Z', 2n]);
});
