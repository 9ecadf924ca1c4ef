import { type Message, phrase, shown } from '../../core/diagnostics/index.ts';
import type { GraphNode } from '../compile/index.ts';
import { pendingSeverity } from './failures.ts';
import { reportNode } from './report.ts';
import type { InstanceRun } from './run.ts';
import type { World } from './world.ts';

/** Leaves a node out, and says why. */
export function skip(run: InstanceRun, { index, path }: GraphNode, world: World, reason: Message): 'skipped' {
  const message = phrase`left out: ${reason}`;
  reportNode(run, index, world, { code: 'node-skipped', message, path, severity: 'info' });
  return 'skipped';
}

/** A node that reads a pending one is pending too. By default only the first cause is reported. */
export function followPending(run: InstanceRun, node: GraphNode, world: World): 'pending' {
  if (pendingSeverity(world) !== 'error') {
    const cause = node.dependencies.find((dependency) => run.states[dependency] === 'pending') as number;
    const message = phrase`left out: it reads '${shown(run.graph.nodes[cause]?.id ?? '')}', which waits`;
    const { index, path } = node;
    reportNode(run, index, world, { code: 'pending-reader', message, path, severity: 'warning' });
  }
  return 'pending';
}
