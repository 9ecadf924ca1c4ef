import { phrase } from '../../core/diagnostics/index.ts';
import { groupKind, identityOf } from '../../core/model/object.ts';
import { get, type Path, type Value } from '../../core/model/value.ts';
import type { Item } from '../../kubernetes/label/index.ts';
import { type CelValue, EvaluationError, isExhausted, outcomeOf, toJson } from '../../languages/cel/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import {
  type CompiledExpression,
  type Evaluation,
  type EvaluationFailure,
  type GraphNode,
  nodeSlot,
} from '../compile/index.ts';
import { claimIdentity } from './claim.ts';
import { isPending, pendingSeverity, reportPending, settleFailures } from './failures.ts';
import { finishObject } from './finish.ts';
import { startNested } from './instance.ts';
import { evaluate, type NodeRun } from './node-run.ts';
import { combinations } from './product.ts';
import { recordPending } from './report.ts';
import { type InstanceRun, type NodeState, type RenderedItem, setItem, setRendered, setValue } from './run.ts';
import { viewOf } from './view.ts';

export function makeResource(at: NodeRun): NodeState {
  const { run, node, world } = at;
  const evaluation = evaluationOf(at);
  const raw = node.template(evaluation);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  const placed = ofKind(raw, at);
  if (placed === 'pending') return placed;
  const rendered = makeObject(raw, placed, undefined);
  if (rendered === undefined) return 'failed';
  setRendered(run, node.index, [rendered]);
  setValue(run, node.index, viewOf(rendered, world));
  return 'done';
}

/**
 * Expands a collection: shared expressions first, then the lists, then one object for each combination. From kro 0.10
 * on, the lists come first.
 */
export function makeCollection(at: NodeRun): NodeState {
  const { run, node, world } = at;
  const evaluation = evaluationOf(at);
  const before = world.semantics.emptyCollectionReadsNothing ? combinations(at) : undefined;
  if (before !== undefined && !Array.isArray(before)) return before;
  const shared = before?.length === 0 ? new Map() : sharedValues(run, node, evaluation);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  const items = before ?? combinations(at);
  if (!Array.isArray(items)) return items;
  if (items.length === 0 && evaluation.standIn === undefined)
    for (const failure of unwritable(shared)) evaluation.failures.push(failure);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  const rendered: RenderedItem[] = [];
  const each = { ...evaluation, shared };
  let failed = false;
  for (let index = 0; index < items.length; index++) {
    setItem(run, node, items[index] ?? []);
    const raw = node.template(each);
    if (evaluation.failures.length > 0) {
      const frame = [...run.frame];
      const failures = evaluation.failures.map((failure) => ({ ...failure, frame }));
      return settleFailures(failures, at);
    }
    const placed = ofKind(raw, at);
    if (placed === 'pending') return placed;
    const one = makeObject(raw, placed, { index, size: items.length });
    if (one !== undefined) rendered.push(one);
    else failed = true;
    if (failed && (isExhausted(run.budget) || world.reports.limitReached)) break;
  }
  if (failed) return 'failed';
  setRendered(run, node.index, rendered);
  const views = rendered.map((one) => viewOf(one, world));
  setValue(run, node.index, views);
  return 'done';
}

/**
 * Evaluates what is the same for all items. A failure fails the node, unless a placeholder replaces it in each item.
 */
function sharedValues(
  run: InstanceRun,
  node: GraphNode,
  { standIn, failures }: Evaluation,
): ReadonlyMap<CompiledExpression, CelValue> {
  const shared = new Map<CompiledExpression, CelValue>();
  for (const expression of node.shared) {
    const value = evaluate(expression, run);
    if (!(value instanceof EvaluationError)) shared.set(expression, value);
    else if (standIn === undefined) failures.push({ expression, error: value, expected: expression.type });
  }
  return shared;
}

/** Returns values that no object can contain: kro converts the shared values before it evaluates the lists. */
function unwritable(shared: ReadonlyMap<CompiledExpression, CelValue>): Evaluation['failures'] {
  return [...shared].flatMap(([expression, value]) => {
    const error = outcomeOf(() => toJson(value));
    return error instanceof EvaluationError ? [{ expression, error, expected: expression.type }] : [];
  });
}

/** Evaluates a node that makes no object: a variable of a Graph, or a list of them. */
export function makeValue(at: NodeRun): NodeState {
  const { run, node } = at;
  const evaluation = evaluationOf(at);
  const items = combinations(at);
  if (!Array.isArray(items)) return items;
  const values = items.map((item) => {
    setItem(run, node, item);
    return node.template(evaluation) as CelValue;
  });
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  setValue(run, node.index, node.forEach.length === 0 ? (values[0] as CelValue) : values);
  return 'done';
}

/** Collects the values of the nodes of a frame; those that are omitted or pending have none. */
export function readFrame({ run, node }: NodeRun): NodeState {
  const members = [...(node.members ?? [])].filter(([, index]) => run.states[index] === 'done');
  const values = Object.fromEntries(members.map(([id, index]) => [id, run.frame[nodeSlot(index)]]));
  setValue(run, node.index, values as CelValue);
  return 'done';
}

/** Returns the node with the kind of its object, if it is computed; a kind that nothing describes is pending. */
function ofKind(raw: Value, at: NodeRun): NodeRun | 'pending' {
  const { run, node } = at;
  if (node.resolve === undefined) return at;
  const rendered = run.rendered.flatMap((items) => items.flatMap(({ object }) => object ?? []));
  const known = node.resolve(raw, rendered);
  if (known !== undefined) return { ...at, node: { ...node, ...known } };
  const message = phrase`nothing describes the computed kind ${toJsonText([get(raw, 'apiVersion') ?? null, get(raw, 'kind') ?? null])}`;
  recordPending(at, { code: 'pending-value', message, path: node.path, severity: pendingSeverity(at.world) });
  return 'pending';
}

/**
 * Returns the rendered object, if it is included, or the run of a nested instance; `undefined` after a reported error.
 */
function makeObject(raw: Value, at: NodeRun, item: Item | undefined): RenderedItem | undefined {
  const { node, world } = at;
  const graph = world.graphs.get(groupKind(node.gvk));
  const object = finishObject(raw, at, item);
  if (object === undefined) return undefined;
  const key = identityOf(object);
  if (!claimIdentity(object, key, item, at)) return undefined;
  if (graph === undefined) {
    world.objects.addRendered(key, object);
    world.scheduler.wake(key);
    return { object };
  }
  const child = startNested(graph, object, at);
  return child && { nested: child };
}

/** Returns how a template of a node is run: with a placeholder for each pending string, if requested. */
function evaluationOf(at: NodeRun): Evaluation {
  const { run, node, world } = at;
  const evaluation: Evaluation = { frame: run.frame, budget: run.budget, failures: [] };
  if (world.options.onPending !== 'placeholder') return evaluation;
  const reported = new Set<CompiledExpression>();
  const standIn = (failed: EvaluationFailure): string | undefined => {
    const { expression, expected } = failed;
    const takesText = expected.kind === 'string' || expected.kind === 'dyn';
    if (!isPending(failed, world) || !takesText || hasSyntax(expression.path.slice(node.path.length + 1)))
      return undefined;
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
