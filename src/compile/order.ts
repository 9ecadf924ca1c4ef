/** The order in which nodes render, or the cycle that forbids one. */
export type Ordering = { ok: true; order: readonly number[] } | { ok: false; cycle: readonly number[] };

/**
 * Kahn's algorithm; among the nodes whose dependencies are all placed the earliest declared goes next
 * (kro: pkg/graph/dag). `dependencies[i]` holds the nodes that node i needs, as indices in declaration order.
 */
export function topologicalOrder(dependencies: readonly (readonly number[])[]): Ordering {
  const waitsFor = dependencies.map((needed) => needed.length);
  const neededBy: number[][] = dependencies.map(() => []);
  dependencies.forEach((needed, node) => {
    for (const dependency of needed) neededBy[dependency]?.push(node);
  });
  const ready = waitsFor.flatMap((count, node) => (count === 0 ? [node] : []));
  const order: number[] = [];
  while (ready.length > 0) {
    const next = ready.shift() as number;
    order.push(next);
    for (const reader of neededBy[next] ?? []) {
      const left = (waitsFor[reader] as number) - 1;
      waitsFor[reader] = left;
      if (left === 0) insertSorted(ready, reader);
    }
  }
  if (order.length === dependencies.length) return { ok: true, order };
  return { ok: false, cycle: findCycle(dependencies, new Set(order)) };
}

function insertSorted(list: number[], value: number): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, value);
}

/** Follows unplaced dependencies from the first unplaced node until one comes again; the cycle starts and ends with it. */
function findCycle(dependencies: readonly (readonly number[])[], placed: ReadonlySet<number>): readonly number[] {
  const walk: number[] = [];
  let current = dependencies.findIndex((_, node) => !placed.has(node));
  while (!walk.includes(current)) {
    walk.push(current);
    current = (dependencies[current] ?? []).find((dependency) => !placed.has(dependency)) as number;
  }
  const cycle = walk.slice(walk.indexOf(current));
  const first = cycle.indexOf(cycle.reduce((least, node) => Math.min(least, node)));
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
  return [...turned, turned[0] as number];
}
