import { phrase } from '../../core/diagnostics/index.ts';
import type { NodeRun } from './node-run.ts';
import { reportNode } from './report.ts';

/** Reports an exhausted budget once, at the node that exceeded it. */
export function reportExhausted(at: NodeRun): undefined {
  const { run, node, world } = at;
  if (world.exhausted.has(run.budget)) return;
  world.exhausted.add(run.budget);
  reportNode(at, {
    code: 'budget-exceeded',
    message: phrase`with this node, the instance takes more than its budget: it reads or renders too many objects, or too large ones`,
    path: node.path,
    hint: phrase`read and render fewer or smaller objects, or raise --max-steps or --max-size`,
  });
}
