import { expect, test } from 'vitest';
import { layered, numbered } from '../../../src/kro/compile/graph.ts';

const under = numbered(['schema', 'web', 'db']);

test('names of upper layers hide those of lower layers', () => {
  const names = layered(new Map([['web', 7]]), under);
  expect(names.get('web')).toBe(7);
  expect(names.get('db')).toBe(2);
  expect(names.get('cache')).toBeUndefined();
  expect([names.has('web'), names.has('schema'), names.has('cache')]).toEqual([true, true, false]);
  expect([...names.keys()]).toEqual(['web', 'schema', 'db']);
});

test('an excluded name is visible only if an upper layer has it', () => {
  const without = layered(new Map<string, number>(), under, 'web');
  expect(without.get('web')).toBeUndefined();
  expect(without.has('web')).toBe(false);
  expect([...without.keys()]).toEqual(['schema', 'db']);
  expect(layered(new Map([['web', 7]]), under, 'web').get('web')).toBe(7);
});

test('the size counts the slots of all layers', () => {
  expect(layered(new Map([['item', under.size]]), under).size).toBe(4);
});
