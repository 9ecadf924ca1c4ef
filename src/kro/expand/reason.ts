import { type Message, phrase, shown, UNSAID } from '../../core/diagnostics/index.ts';
import { stepsToSecret } from '../../core/redaction/index.ts';
import { type EvaluationError, hasNoLiterals, nodeOf } from '../../languages/cel/index.ts';
import type { CompiledExpression, EvaluationFailure, Graph } from '../compile/index.ts';
import type { NodeRun } from './node-run.ts';
import { handlesSecret } from './secrecy.ts';

/** Returns why an expression of a node failed, without possible values of a Secret. */
export function reasonOf({ expression, error }: Pick<EvaluationFailure, 'expression' | 'error'>, at: NodeRun): Message {
  return shownReason(expression, error, at.run.graph, handlesSecret(expression, at));
}

/** Returns why an expression failed, with fixed words and the text of the expression if it reads a Secret. */
export const shownReason = (
  expression: CompiledExpression,
  error: EvaluationError,
  graph: Graph,
  isSecret: boolean,
): Message => shown(isSecret ? fixedReason(expression, error, graph) : error.message);

/** Returns the reason with fixed words and the text of the expression. */
function fixedReason(expression: CompiledExpression, error: EvaluationError, graph: Graph): string {
  const { reason } = error;
  if (reason.kind === 'budget' || (reason.kind === 'failure' && reason.isFixed)) return error.message;
  if (reason.kind === 'missing') {
    return isSpelledOut(error) && mayBeShown(expression, graph) ? error.message : 'something is missing';
  }
  const failed = nodeOf(expression.parsed, error.nodeId);
  const name = failed?.kind === 'call' && /^\w+$/.test(failed.name) ? `${failed.name}()` : 'it';
  return `${name} failed (${UNSAID})`;
}

/** Reports whether the missing part is a name or a key of the expression, and so not a value. */
const isSpelledOut = ({ reason, read }: EvaluationError): boolean =>
  read !== undefined && (read.path.length > 0 || (reason.kind === 'missing' && reason.what === 'variable'));

/** Returns a quoted expression, or nothing if it may contain a value of a Secret. */
export const shownSource = (expression: CompiledExpression, graph: Graph): Message =>
  mayBeShown(expression, graph) ? phrase`'${shown(expression.source.trim())}'` : phrase`an expression`;

/** Reports whether the text of an expression is public: it is not in a Secret, or has no literals. */
export const mayBeShown = ({ path, parsed }: CompiledExpression, { input }: Graph): boolean =>
  stepsToSecret(input.object, path) === undefined || hasNoLiterals(parsed.root);
