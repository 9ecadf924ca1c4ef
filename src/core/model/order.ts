import { countUpTo } from '../text/line-index.ts';

export type Ordering = { ok: true; order: readonly number[] } | { ok: false; cycle: readonly number[] };

/** Returns the rendering order of nodes, or the first cycle: see {@link orderWithCycles}. */
export function topologicalOrder(dependencies: readonly (readonly number[])[]): Ordering {
  const { order, cycles } = orderWithCycles(dependencies, 1);
  const [cycle] = cycles;
  return cycle === undefined ? { ok: true, order } : { ok: false, cycle };
}

/**
 * Sorts topologically with Kahn's algorithm; of the nodes whose dependencies are all placed, the earliest declared
 * comes next (kro: pkg/graph/dag). `dependencies[i]` contains the nodes that node i needs, as indices in declaration
 * order. The nodes of a cycle are omitted, and the sort continues without them, until there are `most` cycles. Takes
 * (nodes + dependencies) x log(nodes) without cycles.
 */
export function orderWithCycles(
  dependencies: readonly (readonly number[])[],
  most: number,
): { order: readonly number[]; cycles: readonly (readonly number[])[] } {
  const waitsFor = dependencies.map((needed) => needed.length);
  const neededBy: number[][] = dependencies.map(() => []);
  dependencies.forEach((needed, node) => {
    for (const dependency of needed) neededBy[dependency]?.push(node);
  });
  /** In descending order. */
  const ready = waitsFor.flatMap((count, node) => (count === 0 ? [node] : [])).reverse();
  const order: number[] = [];
  const cycles: (readonly number[])[] = [];
  const gone = new Set<number>();
  const leave = (node: number): void => {
    gone.add(node);
    // Most are added at the end of the others.
    for (const reader of (neededBy[node] ?? []).reverse()) {
      const left = (waitsFor[reader] as number) - 1;
      waitsFor[reader] = left;
      if (left === 0 && !gone.has(reader)) addInOrder(ready, reader);
    }
  };
  for (;;) {
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
      order.push(next);
      leave(next);
    }
    if (gone.size === dependencies.length || cycles.length === most) return { order, cycles };
    const cycle = findCycle(dependencies, gone);
    cycles.push(cycle);
    for (const node of cycle) gone.add(node);
    for (const node of cycle.slice(1)) leave(node);
  }
}

/** Adds a number to numbers in descending order, of which `pop` takes the least. */
export function addInOrder(numbers: number[], added: number): void {
  const greater = countUpTo(-added, numbers.length, (at) => -(numbers[at] as number));
  numbers.splice(greater, 0, added);
}

/** Follows unplaced dependencies from the first unplaced node until one repeats; the cycle starts and ends with it. */
function findCycle(dependencies: readonly (readonly number[])[], placed: ReadonlySet<number>): readonly number[] {
  const walk = new Map<number, number>();
  let current = dependencies.findIndex((_, node) => !placed.has(node));
  while (!walk.has(current)) {
    walk.set(current, walk.size);
    current = (dependencies[current] ?? []).find((dependency) => !placed.has(dependency)) as number;
  }
  const cycle = [...walk.keys()].slice(walk.get(current));
  const first = cycle.indexOf(cycle.reduce((least, node) => Math.min(least, node)));
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
  return [...turned, turned[0] as number];
}

/** Sorts every step after its dependencies; of a cycle one link is ignored, and its steps are reported. */
export function inOrder(
  steps: readonly { readonly after: readonly number[] }[],
  cycle: (steps: readonly number[]) => void = () => undefined,
): number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  const open = new Set<number>();
  for (let first = 0; first < steps.length; first += 1) {
    const stack = [{ index: first, next: 0 }];
    if (seen.has(first)) continue;
    seen.add(first);
    open.add(first);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const before = steps[top.index]?.after[top.next];
      top.next += 1;
      if (before === undefined) {
        order.push(top.index);
        open.delete(top.index);
        stack.pop();
      } else if (!seen.has(before)) {
        seen.add(before);
        open.add(before);
        stack.push({ index: before, next: 0 });
      } else if (open.has(before)) {
        const path = stack.map(({ index }) => index);
        cycle(path.slice(path.indexOf(before)));
      }
    }
  }
  return order;
}
