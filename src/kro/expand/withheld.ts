import { phrase, shown } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { awaitedBy, type GraphNode } from '../compile/index.ts';
import { reportNode } from './report.ts';
import type { InstanceRun, NodeRun } from './run.ts';
import { nodeReadsSecret } from './secrecy.ts';

/*
 * With `unknownSecrets` nothing depends on values of Secrets. Whether a node reads one follows from its expressions and
 * the kinds of what they read, and is decided before any of them is evaluated.
 */

/** Reports whether the values of Secrets are unknown for a node. */
export function areSecretsUnknown({ world }: InstanceRun, { id }: Pick<GraphNode, 'id'>): boolean {
  const { unknownSecrets } = world.options;
  return unknownSecrets === 'everywhere' || (unknownSecrets !== undefined && unknownSecrets.node === id);
}

/** Reports whether a node has no result, because it depends on a value of a Secret. */
export const isWithheld = ({ run, node }: NodeRun): boolean => run.world.withheld.get(run)?.has(node.index) === true;

/** Withholds a node that reads a value of a Secret, or a node that is withheld; returns `undefined` for others. */
export function withhold(at: NodeRun): 'pending' | undefined {
  const { run, node } = at;
  if (!areSecretsUnknown(run, node)) return undefined;
  const reads = [...awaitedBy(node), ...node.dependencies];
  const read = reads.find((index) => isWithheld({ run, node: run.graph.nodes[index] as GraphNode }));
  if (read === undefined && !nodeReadsSecret(at)) return undefined;
  getOrCompute(run.world.withheld, run, () => new Set()).add(node.index);
  const cause = shown(run.graph.nodes[read ?? node.index]?.id ?? '');
  const message =
    read === undefined
      ? phrase`not shown: it reads a Secret`
      : phrase`not shown: it reads '${{ cause }}', which reads a Secret`;
  reportNode(at, { code: 'secret-unknown', message, path: node.path, severity: 'info' });
  return 'pending';
}
