import { phrase } from '../../core/diagnostics/index.ts';
import type { GraphNode } from '../compile/index.ts';
import { includeState } from './conditions.ts';
import { readExternal } from './external.ts';
import { followPending, skip } from './left-out.ts';
import { makeCollection, makeResource } from './make.ts';
import { type InstanceRun, isSettled, type NodeState } from './run.ts';
import { refreshViews } from './view.ts';
import type { World } from './world.ts';

/** How each kind of node gets its value, once all that it reads has one. */
const MAKERS: Readonly<Record<GraphNode['kind'], (run: InstanceRun, node: GraphNode, world: World) => NodeState>> = {
  resource: makeResource,
  collection: makeCollection,
  external: readExternal,
  externalCollection: readExternal,
};

/** Brings a node as far as it gets now: what it reads decides first, then its conditions, then its template. */
export function settleNode(run: InstanceRun, node: GraphNode, world: World): NodeState {
  const states = node.dependencies.map((dependency) => run.states[dependency]);
  if (states.includes('skipped')) return skip(run, node, world, phrase`a node that it reads is left out`);
  if (states.includes('waiting') || states.includes('open')) return 'waiting';
  if (readsStatus(run, node, world)) return 'waiting';
  if (states.includes('failed')) return 'failed';
  refreshViews(run, node.dependencies, world);
  const decided = includeState(run, node, world);
  if (decided !== undefined) return decided;
  if (states.includes('pending')) return followPending(run, node, world);
  return MAKERS[node.kind](run, node, world);
}

/** A reader of a nested status waits until the nested instance has rendered all it can. */
function readsStatus(run: InstanceRun, node: GraphNode, { scheduler }: World): boolean {
  if (scheduler.patience !== 'full') return false;
  for (const read of node.readsStatusOf) {
    if (run.rendered[read]?.some(({ nested }) => nested !== undefined && !isSettled(nested))) return true;
  }
  return false;
}
