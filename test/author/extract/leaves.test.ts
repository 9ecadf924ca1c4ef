import { describe, expect, it } from 'vitest';
import { equalValues, leavesOf, samePaths, sharedFields, withoutItems } from '../../../src/author/extract/leaves.ts';
import { OWN } from '../../../src/author/extract/texts.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';

const pod = (containers: unknown): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'shop-web' }, spec: { containers } }) as unknown as KubeObject;

describe('the values of an object', () => {
  it('have the names of items in their paths, and the mark of the copy in their texts', () => {
    const containers = [
      { name: 'shop', image: 'shop:1', ports: [80n, 81n] },
      { tty: true, args: null },
    ];
    expect([...leavesOf(pod(containers), 'shop')]).toEqual([
      ['.apiVersion', 'v1'],
      ['.kind', 'Pod'],
      ['.metadata.name', `${OWN}-web`],
      [`.spec.containers[${OWN}].name`, OWN],
      [`.spec.containers[${OWN}].image`, `${OWN}:1`],
      [`.spec.containers[${OWN}].ports[0]`, '80'],
      [`.spec.containers[${OWN}].ports[1]`, '81'],
      ['.spec.containers[1].tty', 'true'],
      ['.spec.containers[1].args', 'null'],
    ]);
  });

  it('have paths without items', () => {
    expect(withoutItems('.spec.containers[web].ports[0]')).toBe('.spec.containers[].ports[]');
    expect(withoutItems('.spec')).toBe('.spec');
  });
});

const values = (entries: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(entries));

describe('the share', () => {
  it('of equal values is of the values of both', () => {
    expect(equalValues(values({ a: '1', b: '2' }), values({ a: '1', b: '3', c: '4', d: '5' }))).toBe(1 / 4);
    expect(equalValues(values({ a: '1' }), values({ a: '1' }))).toBe(1);
    expect(equalValues(values({ a: '1' }), values({ b: '1' }))).toBe(0);
    expect(equalValues(values({}), values({}))).toBe(1);
  });

  it('of paths is of those of both, without items', () => {
    expect(samePaths(values({ 'x[a].y': '1', z: '2' }), values({ 'x[b].y': '3', w: '4' }))).toBe(1 / 3);
    expect(samePaths(values({ a: '1' }), values({ a: '2' }))).toBe(1);
    expect(samePaths(values({}), values({}))).toBe(1);
  });

  it('of fields is of the smaller set', () => {
    expect(sharedFields(new Set(['a', 'b']), new Set(['a', 'c', 'd', 'e']))).toBe(1 / 2);
    expect(sharedFields(new Set(['a', 'c', 'd', 'e']), new Set(['a', 'b']))).toBe(1 / 2);
    expect(sharedFields(new Set(), new Set(['a']))).toBe(1);
  });
});
