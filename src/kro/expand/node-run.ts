import { type CelValue, type EvaluationError, Optional, outcomeOf } from '../../languages/cel/index.ts';
import type { CompiledExpression, GraphNode } from '../compile/index.ts';
import type { InstanceRun } from './run.ts';
import type { World } from './world.ts';

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

/** Returns the value of an expression of a run's graph, or the error. */
export const evaluate = (
  { program }: CompiledExpression,
  { frame, budget }: Pick<InstanceRun, 'frame' | 'budget'>,
): CelValue | EvaluationError => outcomeOf(() => program.run(frame, budget));

/** Returns the value of an optional, `undefined` for none; any other value unchanged. */
export const unwrapped = (value: CelValue): CelValue | undefined => (value instanceof Optional ? value.value : value);
