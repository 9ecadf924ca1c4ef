import { phrase } from '../../core/diagnostics/index.ts';
import { EvaluationError } from '../../languages/cel/index.ts';
import { evaluate, unwrapped } from './evaluate.ts';
import { settleFailures } from './failures.ts';
import { followPending, skip } from './left-out.ts';
import type { NodeRun } from './node-run.ts';
import { reportWrongType } from './report.ts';
import type { NodeState } from './run.ts';

/**
 * Evaluates the conditions of a node; returns `undefined` if it is included. All of them must be true; an optional
 * without a value is not (kro: IsIgnored).
 */
export function includeState(at: NodeRun): NodeState | undefined {
  const { run, node } = at;
  for (const condition of node.includeWhen) {
    if (condition.nodes.some((read) => run.states[read] === 'pending')) return followPending(at);
    const outcome = evaluate(condition, run);
    if (outcome instanceof EvaluationError) {
      const failure = { expression: condition, error: outcome, expected: condition.type };
      return settleFailures([failure], at);
    }
    const value = unwrapped(outcome);
    if (value === undefined || value === false) return skip(at, phrase`includeWhen is false`);
    if (value !== true) return reportWrongType(condition, phrase`includeWhen must yield bool`, at);
  }
  return undefined;
}
