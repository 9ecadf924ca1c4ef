import { describe, expect, it } from 'vitest';
import { layersOf } from '../../../src/describe/graph/layers.ts';

const chain = (length: number): [number, number][] => Array.from({ length }, (_, index) => [index, index + 1]);

describe('the layers of a graph', () => {
  it('exist for a graph that is too deep or too dense for the full layout', () => {
    expect(layersOf(101, chain(100))).toBeUndefined();
    expect(layersOf(3001, chain(3000))?.at(-1)).toBe(3000);
    const dense = chain(100).flatMap(([from]) =>
      chain(100)
        .slice(from)
        .map(([, to]): [number, number] => [from, to]),
    );
    expect(layersOf(101, dense)?.at(-1)).toBe(100);
  });
});
