import { type Message, phrase, shown } from '../../core/diagnostics/index.ts';
import type { NodeRun } from './node-run.ts';
import { reportAbout, reportNode } from './report.ts';
import { type InstanceRun, withNested } from './run.ts';
import type { World } from './world.ts';

export function skip(at: NodeRun, reason: Message): 'skipped' {
  const { path } = at.node;
  const message = phrase`omitted: ${reason}`;
  reportNode(at, { code: 'node-skipped', message, path, severity: 'info' });
  return 'skipped';
}

/**
 * Warns of instances that render nothing although a node without a condition should be rendered: it reads a node that
 * is omitted.
 */
export function reportNothingRendered(runs: readonly InstanceRun[], world: World): void {
  for (const run of runs.flatMap(withNested)) {
    const { nodes } = run.graph;
    const made = nodes.filter(({ kind }) => kind === 'resource' || kind === 'collection');
    if (made.some(({ index }) => run.states[index] !== 'skipped')) continue;
    const reader = made.find(({ includeWhen }) => includeWhen.length === 0);
    const cause = reader?.dependencies.find((index) => run.states[index] === 'skipped');
    if (reader === undefined || cause === undefined) continue;
    const [id, causeId] = [shown(reader.id), shown(nodes[cause]?.id ?? '')];
    const message = phrase`renders nothing: '${causeId}' is omitted, and '${id}' reads it, so that it is omitted too`;
    const hint = phrase`let '${id}' read schema and not '${causeId}', or write two nodes with opposite includeWhen`;
    reportAbout(run, world, { code: 'nothing-rendered', message, path: [], severity: 'warning', hint });
  }
}
