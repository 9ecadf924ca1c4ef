import { phrase } from '../../core/diagnostics/index.ts';
import type { GraphNode } from '../compile/index.ts';
import { reportNode } from './report.ts';
import type { InstanceRun } from './run.ts';
import type { World } from './world.ts';

/** Reported once, by the node that did it. */
export function reportExhausted(run: InstanceRun, node: GraphNode, world: World): undefined {
  if (world.exhausted.has(run.budget)) return;
  world.exhausted.add(run.budget);
  reportNode(run, node.index, world, {
    code: 'budget-exceeded',
    message: phrase`with this node, the instance takes more than its budget: it reads or renders too many objects, or too large ones`,
    path: node.path,
    hint: phrase`read and render fewer or smaller objects, or raise --max-steps or --max-size`,
  });
}
