import { type Message, phrase, shown } from '../../core/diagnostics/index.ts';
import { pendingSeverity } from './failures.ts';
import type { NodeRun } from './node-run.ts';
import { reportNode } from './report.ts';

/** Skips a node, and reports the reason. */
export function skip(at: NodeRun, reason: Message): 'skipped' {
  const { path } = at.node;
  const message = phrase`left out: ${reason}`;
  reportNode(at, { code: 'node-skipped', message, path, severity: 'info' });
  return 'skipped';
}

/** Marks a reader of a pending node as pending. By default only the first cause is reported. */
export function followPending(at: NodeRun): 'pending' {
  const { run, node, world } = at;
  if (pendingSeverity(world) !== 'error') {
    const cause = node.dependencies.find((dependency) => run.states[dependency] === 'pending') as number;
    const message = phrase`left out: it reads '${shown(run.graph.nodes[cause]?.id ?? '')}', which is pending`;
    reportNode(at, { code: 'pending-reader', message, path: node.path, severity: 'warning' });
  }
  return 'pending';
}
