import { phrase } from '../../core/diagnostics/index.ts';
import { EvaluationError } from '../../languages/cel/index.ts';
import type { GraphNode } from '../compile/index.ts';
import { evaluate, unwrapped } from './evaluate.ts';
import { settleFailures } from './failures.ts';
import { followPending, skip } from './left-out.ts';
import { reportWrongType } from './report.ts';
import type { InstanceRun, NodeState } from './run.ts';
import type { World } from './world.ts';

/**
 * What the conditions of a node make of it; `undefined` when it is included. All of them must hold; an optional that is
 * none does not (kro: IsIgnored).
 */
export function includeState(run: InstanceRun, node: GraphNode, world: World): NodeState | undefined {
  for (const condition of node.includeWhen) {
    if (condition.nodes.some((read) => run.states[read] === 'pending')) return followPending(run, node, world);
    const outcome = evaluate(condition, run);
    if (outcome instanceof EvaluationError) {
      const failure = { expression: condition, error: outcome, expected: condition.type };
      return settleFailures([failure], run, node.index, world);
    }
    const value = unwrapped(outcome);
    if (value === undefined || value === false) return skip(run, node, world, phrase`includeWhen is false`);
    if (value !== true) return reportWrongType(condition, phrase`includeWhen must yield bool`, run, node.index, world);
  }
  return undefined;
}
