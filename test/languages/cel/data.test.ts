/** Tests expressions over the data of objects, whose types come from schemas. */
import { describe, expect, test } from 'vitest';
import {
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  type ListType,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
} from '../../../src/languages/cel/types.ts';
import type { CelValue } from '../../../src/languages/cel/value/values.ts';
import { json } from './engine.ts';
import { objectOf } from './types.ts';

const item = objectOf('item', { name: STRING, weight: DOUBLE, inner: objectOf('inner', { at: TIMESTAMP }) });
const entry = objectOf('entry', { k: STRING, v: INT });
const set: ListType = { ...listOf(STRING), listType: 'set' };
const keyed: ListType = { ...listOf(entry), listType: 'map', mapKeys: ['k'] };

const setting = {
  types: {
    secret: objectOf('secret', {
      data: mapOf(STRING, BYTES),
      created: TIMESTAMP,
      day: TIMESTAMP,
      ttl: DURATION,
      long: DURATION,
    }),
    spec: objectOf('spec', {
      ratio: DOUBLE,
      whole: INT,
      ratios: listOf(DOUBLE),
      shares: mapOf(STRING, DOUBLE),
      items: listOf(item),
      times: listOf(TIMESTAMP),
      set,
      keyed,
      unset: STRING,
      name: STRING,
      my__dash__key: STRING,
      a__dot__b__slash__c: STRING,
      d__underscores__e: STRING,
      __namespace__: STRING,
      namespace: STRING,
      __in__: STRING,
      __other__: STRING,
    }),
    open: objectOf('open', { known: INT }, true),
    plain: DYN,
    each: DOUBLE,
  },
  values: {
    secret: {
      data: { token: 'aMOpbGxv', pin: 'MTIzNA==', url: '_-8=', binary: '/+8=', broken: '?' },
      created: '2024-01-02T03:04:05.5Z',
      day: '2024-01-02',
      ttl: '2 days',
      long: '999999999999999999h',
    },
    spec: {
      ratio: 2n,
      whole: 4,
      ratios: [1n, 2.5],
      shares: { a: 1n, b: 0.5 },
      items: [{ name: 'x', weight: 1n, inner: { at: '2024-01-01T00:00:00Z' } }],
      times: ['2024-01-01T00:00:00Z'],
      set: ['a', 'b'],
      keyed: [
        { k: 'a', v: 1n },
        { k: 'b', v: 2n },
      ],
      unset: null,
      name: 'web',
      'my-key': 'dash',
      'a.b/c': 'path',
      d__e: 'underscores',
      namespace: 'ns',
      in: 'IN',
      __other__: 'other',
    },
    open: { known: 1n, loose: { deep: [1n, null] }, empty: null },
    plain: { a: { b: null }, f: 1 },
    each: 3n,
  } satisfies Record<string, CelValue>,
};

const table = (rows: [string, unknown][]): void => {
  test.each(rows)('%s', (source, expected) => {
    expect(json(source, setting)).toEqual(expected);
  });
};

describe('stored forms are converted when a value is read', () => {
  table([
    ['string(secret.data.token)', 'héllo'],
    ['string(secret.data["pin"])', '1234'],
    ['string(secret.data[?"pin"].orValue(b""))', '1234'],
    ['string(secret.?data.pin.value())', '1234'],
    ['secret.data.url == secret.data.binary', true],
    ['secret.data.url == b"\\xff\\xef"', true],
    ['secret.data.binary == b"\\xff\\xef"', true],
    ['secret.data.broken', 'failure: invalid byte formatted string: not base64'],
    ['secret.data.transformList(k, v, k != "broken", size(v))', [2n, 4n, 6n, 2n]],
    ['secret.created.getFullYear()', 2024n],
    ['string(secret.created)', '2024-01-02T03:04:05.5Z'],
    ['string(secret.day)', '2024-01-02T00:00:00Z'],
    ['secret.ttl == duration("48h")', true],
    // Sums wrap around as in Go.
    ['secret.long.getHours()', 2002485n],
    ['spec.ratio * 2.0', 4],
    ['spec.whole + 1', 5n],
    ['spec.ratios.map(r, r * 2.0)', [2, 5]],
    ['spec.ratios[0] + 0.5', 1.5],
    ['spec.ratios.sum()', 3.5],
    ['spec.shares.transformMap(k, v, v + 1.0)', { a: 2, b: 1.5 }],
    ['spec.shares.?a.orValue(0.0) + 1.0', 2],
    ['spec.items.map(i, i.weight + 0.5)', [1.5]],
    ['spec.items[0].inner.at.getFullYear()', 2024n],
    ['spec.times[0].getMonth()', 0n],
    ['timestamp("2024-01-01T00:00:00Z") in spec.times', true],
    ['each + 0.5', 3.5],
  ]);
});

describe('whole maps and lists keep their stored form', () => {
  table([
    ['{"copy": secret.data}.copy', setting.values.secret.data],
    ['spec.items', setting.values.spec.items],
    ['spec.times', setting.values.spec.times],
    ['spec.shares', setting.values.spec.shares],
    ['[spec.shares, 1][0]', setting.values.spec.shares],
  ]);
});

describe('fields', () => {
  table([
    ['spec.my__dash__key', 'dash'],
    ['spec.a__dot__b__slash__c', 'path'],
    ['spec.d__underscores__e', 'underscores'],
    ['spec.__namespace__ + spec.namespace', 'nsns'],
    ['spec.__in__', 'IN'],
    ['spec.__other__', 'other'],
    ['has(spec.my__dash__key)', true],
    ['spec.?my__dash__key', 'dash'],
    ['spec.unset', 'missing: no such key: unset'],
    ['has(spec.unset)', false],
    ['spec.?unset.orValue("d")', 'd'],
    ['open.loose.deep[1]', null],
    ['open.empty', 'missing: no such key: empty'],
    ['plain.a.b', null],
    ['has(plain.a.b)', true],
    ['plain.a.b.c', 'missing: no such key: c'],
    ['plain.f == 1.0', true],
  ]);

  test('a variable without a value is missing', () => {
    expect(json('node.x', { types: { node: DYN } })).toBe('missing: no such attribute(s): node');
    expect(json('has(node.x)', { types: { node: DYN } })).toBe('missing: no such attribute(s): node');
  });
});

describe('lists that are sets or maps', () => {
  table([
    ['spec.set == ["b", "a"]', true],
    ['["b", "a"] == spec.set', false],
    ['spec.set != ["b", "a"]', false],
    ['spec.set + ["b", "c"]', ['a', 'b', 'c']],
    ['(spec.set + ["c"]) == ["c", "b", "a"]', true],
    ['spec.keyed == [spec.keyed[1], spec.keyed[0]]', true],
    ['(spec.keyed + spec.keyed).size()', 2n],
    ['(spec.keyed + dyn([{"k": "a", "v": 9}, {"k": "c", "v": 3}])).map(e, e.v)', [9n, 2n, 3n]],
  ]);
});
