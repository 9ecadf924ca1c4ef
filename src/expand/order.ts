import { annotateOrder, type Ordered } from '../label/order.ts';
import type { Order, Rendered } from '../model/render.ts';
import type { InstanceRun } from './instance.ts';
import { reportNode } from './report.ts';
import type { World } from './world.ts';

/** An object, what it comes after, and the node that made it. */
export interface Placed extends Rendered, Ordered {
  made: { run: InstanceRun; index: number };
}

/**
 * Writes the order into the objects of all instances. Those of passed-through instances take part: what depends on
 * them still comes later. A node is told once what is wrong with its order, however many objects it has.
 */
export function writeOrder(all: readonly Placed[], order: Order, world: World): void {
  const told = new Map<InstanceRun, Set<string>>();
  const annotated = annotateOrder(all, order, (index, problem) => {
    const { run, index: node } = (all[index] as Placed).made;
    const key = `${node} ${problem.code}`;
    const known = told.get(run) ?? new Set();
    if (known.has(key)) return;
    told.set(run, known.add(key));
    const path = [...(run.graph.nodes[node]?.path ?? []), 'template', ...problem.path];
    reportNode(run, node, world, { ...problem, path });
  });
  annotated.forEach((object, index) => {
    (all[index] as Rendered).object = object;
  });
}
