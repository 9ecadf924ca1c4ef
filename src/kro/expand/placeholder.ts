import type { Path } from '../../core/model/value.ts';
import type { CompiledExpression, Evaluation, EvaluationFailure } from '../compile/index.ts';
import { isPending, reportPending } from './failures.ts';
import type { NodeRun } from './node-run.ts';

/** Returns how a template of a node is run: with a placeholder for each pending string, if requested. */
export function evaluationOf(at: NodeRun): Evaluation {
  const { run, node, world } = at;
  const evaluation: Evaluation = { frame: run.frame, budget: run.budget, failures: [] };
  if (world.options.onPending !== 'placeholder') return evaluation;
  const reported = new Set<CompiledExpression>();
  const standIn = (failed: EvaluationFailure): string | undefined => {
    const { expression, expected } = failed;
    const takesText = expected.kind === 'string' || expected.kind === 'dyn';
    if (!isPending(failed) || !takesText || hasSyntax(expression.path.slice(node.path.length + 1))) return undefined;
    // The items of a collection share their expressions.
    if (!reported.has(expression)) reportPending(failed, at, 'warning');
    reported.add(expression);
    return `<pending: ${expression.source.trim()}>`;
  };
  return { ...evaluation, standIn };
}

/** Names and labels have a syntax that no placeholder matches. */
const hasSyntax = ([top, key]: Path): boolean =>
  top === 'metadata' && (key === 'name' || key === 'namespace' || key === 'labels');
