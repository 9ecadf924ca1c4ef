import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topologicalOrder } from '../../src/core/model/order.ts';
import { LONG, runs } from './runs.ts';

const graphs = fc
  .integer({ min: 0, max: 14 })
  .chain((size) =>
    fc.array(fc.uniqueArray(fc.nat(Math.max(0, size - 1)), { maxLength: 3 }), { minLength: size, maxLength: size }),
  );

/** Returns the order by its definition: repeatedly the first node whose dependencies are all placed. */
function orderByDefinition(dependencies: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  for (;;) {
    const next = dependencies.findIndex(
      (needed, node) => !order.includes(node) && needed.every((one) => order.includes(one)),
    );
    if (next < 0) return order;
    order.push(next);
  }
}

/** A graph whose edges all go to earlier nodes of a shuffled list has no cycle. */
const acyclic = graphs.chain((dependencies) =>
  fc
    .shuffledSubarray([...dependencies.keys()], { minLength: dependencies.length })
    .map((rank) => dependencies.map((needed, node) => needed.filter((one) => (rank[one] ?? 0) < (rank[node] ?? 0)))),
);

describe('the topological order', () => {
  it(
    'takes the earliest declared node that is ready, or reports an existing cycle',
    () => {
      let circles = 0;
      fc.assert(
        fc.property(fc.oneof(graphs, acyclic), (dependencies) => {
          const result = topologicalOrder(dependencies);
          const order = orderByDefinition(dependencies);
          expect(result.ok).toBe(order.length === dependencies.length);
          if (result.ok) {
            expect(result.order).toEqual(order);
            return;
          }
          circles += 1;
          const [first, ...rest] = result.cycle;
          expect(rest.at(-1)).toBe(first);
          expect(new Set(rest).size).toBe(rest.length);
          expect(first).toBe(Math.min(...rest));
          for (const [index, node] of rest.entries())
            expect(dependencies[result.cycle[index] as number]).toContain(node);
        }),
        runs(1500),
      );
      expect(circles).toBeGreaterThan(0);
    },
    LONG,
  );
});
