import { phrase } from '../../core/diagnostics/index.ts';
import type { GraphNode } from '../compile/index.ts';
import { includeState } from './conditions.ts';
import { readExternal } from './external.ts';
import { followPending, skip } from './left-out.ts';
import { makeCollection, makeResource } from './make.ts';
import type { NodeRun } from './node-run.ts';
import { isSettled, type NodeState } from './run.ts';
import { refreshViews } from './view.ts';

/** The functions that compute the value of each kind of node, after all of its dependencies have one. */
const MAKERS: Readonly<Record<GraphNode['kind'], (at: NodeRun) => NodeState>> = {
  resource: makeResource,
  collection: makeCollection,
  external: readExternal,
  externalCollection: readExternal,
};

/** Advances a node as far as possible: its dependencies decide first, then its conditions, then its template. */
export function settleNode(at: NodeRun): NodeState {
  const { run, node, world } = at;
  const states = node.dependencies.map((dependency) => run.states[dependency]);
  if (states.includes('skipped')) return skip(at, phrase`a node that it reads is left out`);
  if (states.includes('waiting') || states.includes('open')) return 'waiting';
  if (readsStatus(at)) return 'waiting';
  if (states.includes('failed')) return 'failed';
  refreshViews(run, node.dependencies, world);
  const decided = includeState(at);
  if (decided !== undefined) return decided;
  if (states.includes('pending')) return followPending(at);
  return MAKERS[node.kind](at);
}

/** A reader of a nested status waits until the nested instance is rendered as far as possible. */
function readsStatus(at: NodeRun): boolean {
  const { run, node, world } = at;
  if (world.scheduler.patience !== 'full') return false;
  for (const read of node.readsStatusOf) {
    if (run.rendered[read]?.some(({ nested }) => nested !== undefined && !isSettled(nested))) return true;
  }
  return false;
}
