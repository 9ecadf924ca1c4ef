import { phrase } from '../../core/diagnostics/index.ts';
import { EvaluationError } from '../../languages/cel/index.ts';
import { awaitedBy, type GraphNode, statusReadsOf } from '../compile/index.ts';
import { readExternal } from './external.ts';
import { followPending, settleFailures } from './failures.ts';
import { makeCollection, makeResource, makeValue, readFrame } from './make.ts';
import { evaluate, type NodeRun, unwrapped } from './node-run.ts';
import { reportWrongType, skip } from './report.ts';
import { isSettled, type NodeState } from './run.ts';
import { refreshViews } from './view.ts';

/** The functions that compute the value of each kind of node, after all of its dependencies have one. */
const MAKERS: Readonly<Record<GraphNode['kind'], (at: NodeRun) => NodeState>> = {
  resource: makeResource,
  collection: makeCollection,
  external: readExternal,
  externalCollection: readExternal,
  value: makeValue,
  valueCollection: makeValue,
  frame: readFrame,
};

/** Advances a node as far as possible: its dependencies decide first, then its conditions, then its template. */
export function settleNode(at: NodeRun): NodeState {
  const { run, node, world } = at;
  const states = awaitedBy(node).map((read) => run.states[read]);
  if ((node.captured ?? []).some((read) => run.states[read] === 'skipped'))
    return skip(at, phrase`its graph reads a node that is omitted`);
  // A frame is not omitted with a node in it.
  if (node.kind !== 'frame' && states.includes('skipped')) return skip(at, phrase`a node that it reads is omitted`);
  if (states.includes('waiting') || states.includes('open')) return 'waiting';
  if (node.kind === 'frame') return readFrame(at);
  if (readsStatus(at)) return 'waiting';
  if (states.includes('failed')) return 'failed';
  refreshViews(run, node.dependencies, world);
  const decided = includeState(at);
  if (decided !== undefined) return decided;
  if (states.includes('pending') && !run.graph.readsPending) return followPending(at);
  return MAKERS[node.kind](at);
}

/** A reader of a nested status waits until the nested instance is rendered as far as possible. */
function readsStatus(at: NodeRun): boolean {
  const { run, node, world } = at;
  if (world.scheduler.waitPolicy !== 'full') return false;
  return node.dependencies.some(
    (read) =>
      run.rendered[read]?.some(({ nested }) => nested !== undefined && !isSettled(nested)) === true &&
      statusReadsOf(node).has(run.graph.nodes[read]?.id ?? ''),
  );
}

/**
 * Evaluates the conditions of a node; returns `undefined` if it is included. All of them must be true; an optional
 * without a value is not, and an error from kro 0.10 on (kro: IsIgnored).
 */
function includeState(at: NodeRun): NodeState | undefined {
  const { run, node, world } = at;
  for (const condition of node.includeWhen) {
    const isHeld = !run.graph.readsPending && condition.nodes.some((read) => run.states[read] === 'pending');
    if (isHeld) return followPending(at);
    const outcome = evaluate(condition, run);
    if (outcome instanceof EvaluationError) {
      const waits = world.semantics.includeWhenWaits || condition.nodes.length > 0;
      return settleFailures([{ expression: condition, error: outcome, expected: condition.type, waits }], at);
    }
    const value = unwrapped(outcome);
    if (value === undefined && world.semantics.optionalConditionFails) {
      return reportWrongType(
        condition,
        phrase`includeWhen must yield bool in kro 0.10, and an optional has a value`,
        at,
      );
    }
    if (value === undefined || value === false) return skip(at, phrase`includeWhen is false`);
    if (value !== true) return reportWrongType(condition, phrase`includeWhen must yield bool`, at);
  }
  return undefined;
}
