import { type CelValue, EvaluationError, Optional } from '../../languages/cel/index.ts';
import type { CompiledExpression } from '../compile/index.ts';
import type { InstanceRun } from './run.ts';

/** Returns the value of an expression of a run's graph, or the error. */
export function evaluate(
  expression: CompiledExpression,
  run: Pick<InstanceRun, 'frame' | 'budget'>,
): CelValue | EvaluationError {
  try {
    return expression.program.run(run.frame, run.budget);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** Returns the value of an optional, `undefined` for none; any other value unchanged. */
export const unwrapped = (value: CelValue): CelValue | undefined => (value instanceof Optional ? value.value : value);
