import type { GraphNode } from '../compile/index.ts';
import type { InstanceRun } from './run.ts';
import type { World } from './world.ts';

/** A node of an instance while it is expanded. */
export interface NodeRun {
  readonly run: InstanceRun;
  readonly node: GraphNode;
  readonly world: World;
}

/** The node of an instance with an index that a run holds. */
export const nodeRun = (run: InstanceRun, index: number, world: World): NodeRun => ({
  run,
  node: run.graph.nodes[index] as GraphNode,
  world,
});
