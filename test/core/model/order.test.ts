import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topologicalOrder } from '../../../src/core/model/order.ts';

describe('topologicalOrder', () => {
  it('keeps the declared order without dependencies', () => {
    expect(topologicalOrder([[], [], []])).toEqual({ ok: true, order: [0, 1, 2] });
  });

  it('moves a node that is ready late before nodes that are declared later', () => {
    // 0 reads 2: 1 and 2 come first, then 0 before 3.
    expect(topologicalOrder([[2], [], [], []])).toEqual({ ok: true, order: [1, 2, 0, 3] });
  });

  it('reports a cycle from its first node back to it', () => {
    expect(topologicalOrder([[], [3], [1], [2], [1]])).toEqual({ ok: false, cycle: [1, 3, 2, 1] });
    expect(topologicalOrder([[0]])).toEqual({ ok: false, cycle: [0, 0] });
  });

  it('always takes the earliest declared node that is ready', () => {
    const acyclic = fc.integer({ min: 1, max: 12 }).chain((size) =>
      fc.tuple(
        fc.shuffledSubarray(
          Array.from({ length: size }, (_, index) => index),
          { minLength: size, maxLength: size },
        ),
        fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 30 }),
      ),
    );
    fc.assert(
      fc.property(acyclic, ([rank, edges]) => {
        const dependencies: number[][] = rank.map(() => []);
        for (const [a, b] of edges) {
          // Edges go from higher to lower rank only, so there is no cycle.
          if ((rank[a] as number) > (rank[b] as number) && !dependencies[a]?.includes(b)) dependencies[a]?.push(b);
        }
        const result = topologicalOrder(dependencies);
        if (!result.ok) throw new Error('a circle where there is none');
        const placed = new Set<number>();
        for (const node of result.order) {
          const free = dependencies.findIndex(
            (needed, index) => !placed.has(index) && needed.every((one) => placed.has(one)),
          );
          expect(node).toBe(free);
          placed.add(node);
        }
        expect(placed.size).toBe(dependencies.length);
      }),
    );
  });
});
