import { expect, it } from 'vitest';
import { layered } from '../../../src/kro/compile/graph.ts';

it('counts each name once', () => {
  const under = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  for (const without of [undefined, 'a', 'c', 'other']) {
    for (const over of [[], ['a'], ['a', 'd'], ['d']]) {
      const names = layered(new Map(over.map((name) => [name, 0])), under, without);
      expect(names.size).toBe([...names.keys()].length);
      for (const name of names.keys()) expect(names.has(name)).toBe(true);
    }
  }
});
