import { expect, it } from 'vitest';
import type { KubeObject } from '../../../src/core/model/object.ts';
import type { Value, ValueMap } from '../../../src/core/model/value.ts';
import { distinct } from '../../../src/kubernetes/front-end/index.ts';
import { workOf } from '../../bombs/work.ts';

const object = (name: string, data: ValueMap, annotations: ValueMap = {}, kind = 'Thing'): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind,
  metadata: { name, annotations },
  data,
});

const left = (objects: readonly KubeObject[]): Value[] =>
  distinct(objects.map((one) => ({ object: one, source: undefined }))).map((one) => one.object);

it('removes an object that is repeated, whatever the order of its keys', () => {
  const one = object('a', { a: 1n, b: 'x' });
  expect(left([one, object('b', {}), object('a', { b: 'x', a: 1n }), object('a', { a: 1n, b: 'x' })])).toEqual([
    one,
    object('b', {}),
  ]);
});

it('removes repeated objects after the first of their name', () => {
  const all = [object('a', { a: 1n }), object('a', { a: 2n }), object('a', { a: 2n }), object('a', { a: 1n })];
  expect(left(all)).toEqual(all.slice(0, 2));
});

it.each<[string, KubeObject]>([
  ['a float', object('a', { a: 1 })],
  ['a string', object('a', { a: '1' })],
  ['another kind', object('a', { a: 1n }, {}, 'Other')],
  ['another mode', object('a', { a: 1n }, { 'render-rgd.dev/mode': 'observed' })],
  ['another annotation', object('a', { a: 1n }, { team: 'x' })],
  ['null', object('a', { a: null })],
])('keeps an object that differs by %s', (_, other) => {
  const all = [object('a', { a: 1n }), object('a', { a: 2n }), other];
  expect(left(all)).toEqual(all);
});

it('ignores the annotations of runners', () => {
  const noted = object('a', { a: 1n }, { 'config.kubernetes.io/index': '1', team: 'x' });
  expect(left([object('a', { a: 1n }, { team: 'x' }), noted])).toHaveLength(1);
});

it.each<[string, (index: number) => KubeObject]>([
  ['kinds of one name', (index) => object('a', {}, {}, `Kind${index}`)],
  ['objects of one kind and name', (index) => object('a', { a: BigInt(index) })],
  [
    'numbers that differ by their type',
    (index) =>
      object(
        'a',
        Object.fromEntries([...index.toString(2).padStart(12, '0')].map((bit, at) => [at, bit === '1' ? 1 : 1n])),
      ),
  ],
])('takes work in proportion to the number of %s', (_, make) => {
  const workFor = (count: number): number => {
    const objects = Array.from({ length: count }, (_, index) => make(index));
    return workOf(() => left(objects));
  };
  workFor(100);
  expect(workFor(400) / workFor(100)).toBeLessThan(4 ** 1.2);
});
