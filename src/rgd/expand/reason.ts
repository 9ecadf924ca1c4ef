import { type EvaluationError, type Expr, nodeOf, spellsOutNothing } from '../../cel/index.ts';
import { UNSAID } from '../../diagnostics/index.ts';
import { stepsToSecret } from '../../secrecy/index.ts';
import type { CompiledExpression, EvaluationFailure, Graph } from '../compile/index.ts';
import type { InstanceRun } from './run.ts';
import { handlesSecret } from './secrecy.ts';
import type { World } from './world.ts';

/** Why an expression of a node failed, without what may be a value of a Secret. */
export function reasonOf(
  { expression, error }: Pick<EvaluationFailure, 'expression' | 'error'>,
  run: InstanceRun,
  node: number,
  world: World,
): string {
  return handlesSecret(expression, run, node, world) ? fixedReason(expression, error, run.graph) : error.message;
}

/** The reason in the words of the program and of the expression. */
export function fixedReason(expression: CompiledExpression, error: EvaluationError, graph: Graph): string {
  if (error.isFixed || error.kind === 'budget') return error.message;
  const failed = nodeOf(expression.parsed, error.nodeId);
  if (error.kind === 'missing') {
    const key = failed !== undefined && mayBeShown(expression, graph) ? writtenKey(failed) : undefined;
    return key ?? 'something is missing';
  }
  const name = failed?.kind === 'call' && /^\w+$/.test(failed.name) ? `${failed.name}()` : 'it';
  return `${name} failed (${UNSAID})`;
}

/** A field or an index that is missing, where the expression spells it out. */
function writtenKey(expr: Expr): string | undefined {
  if (expr.kind === 'select') return `no such key: ${expr.field}`;
  const index = expr.kind === 'call' && expr.name === '_[_]' ? expr.args[1] : undefined;
  if (index?.kind !== 'literal') return undefined;
  const { type, value } = index.literal;
  if (type === 'string') return `no such key: ${value}`;
  return type === 'int' ? `index out of bounds: ${value}` : undefined;
}

/** An expression in quotes; one that may spell out what a Secret keeps is not shown. */
export const shownSource = (expression: CompiledExpression, graph: Graph): string =>
  mayBeShown(expression, graph) ? `'${expression.source.trim()}'` : 'an expression';

/** Whether the text of an expression holds nothing of a Secret: it stands in none, or has no literals. */
export const mayBeShown = ({ path, parsed }: CompiledExpression, { input }: Graph): boolean =>
  stepsToSecret(input.object, path) === undefined || spellsOutNothing(parsed.root);
