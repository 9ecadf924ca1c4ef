import { expect, test } from 'vitest';
import { layered, numbered } from '../../../src/kro/compile/layers.ts';

const under = numbered(['schema', 'web', 'db']);

test('the upper names win, the lower ones are seen through them', () => {
  const names = layered(new Map([['web', 7]]), under);
  expect(names.get('web')).toBe(7);
  expect(names.get('db')).toBe(2);
  expect(names.get('cache')).toBeUndefined();
  expect([names.has('web'), names.has('schema'), names.has('cache')]).toEqual([true, true, false]);
  expect([...names.keys()]).toEqual(['web', 'schema', 'db']);
});

test('a name that is left out is seen only when the upper names have it', () => {
  const without = layered(new Map<string, number>(), under, 'web');
  expect(without.get('web')).toBeUndefined();
  expect(without.has('web')).toBe(false);
  expect([...without.keys()]).toEqual(['schema', 'db']);
  expect(layered(new Map([['web', 7]]), under, 'web').get('web')).toBe(7);
});

test('the size counts the slots of all layers, so that the next one is free', () => {
  expect(layered(new Map([['item', under.size]]), under).size).toBe(4);
});
