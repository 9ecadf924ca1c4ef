import { type CelValue, EvaluationError, Optional } from '../../languages/cel/index.ts';
import type { CompiledExpression } from '../compile/index.ts';
import type { InstanceRun } from './run.ts';

/** The value of an expression of a run's graph, or why there is none. */
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

/** What an optional holds, `undefined` for none; any other value as it is. */
export const unwrapped = (value: CelValue): CelValue | undefined => (value instanceof Optional ? value.value : value);
