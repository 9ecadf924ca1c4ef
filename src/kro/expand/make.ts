import { identityOf } from '../../core/model/object.ts';
import type { Path, Value } from '../../core/model/value.ts';
import type { Item } from '../../kubernetes/label/index.ts';
import { type CelValue, EvaluationError, isExhausted, toJson } from '../../languages/cel/index.ts';
import type { CompiledExpression, Evaluation, EvaluationFailure, GraphNode } from '../compile/index.ts';
import { groupKind } from '../definition/index.ts';
import { claimIdentity } from './claim.ts';
import { evaluate } from './evaluate.ts';
import { isPending, reportPending, settleFailures } from './failures.ts';
import { finishObject } from './finish.ts';
import { startNested } from './nested.ts';
import type { NodeRun } from './node-run.ts';
import { combinations } from './product.ts';
import { type InstanceRun, type NodeState, type RenderedItem, setItem, setRendered, setValue } from './run.ts';
import { viewOf } from './view.ts';

/** Renders the object of a node. */
export function makeResource(at: NodeRun): NodeState {
  const { run, node, world } = at;
  const evaluation = evaluationOf(at);
  const raw = node.template(evaluation);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  const rendered = makeObject(raw, at, undefined);
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
  const shared: ReturnType<typeof sharedValues> =
    before?.length === 0 ? new Map() : sharedValues(run, node, evaluation);
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
    const one = makeObject(raw, at, { index, size: items.length });
    if (one !== undefined) rendered.push(one);
    else failed = true;
    if (failed && (isExhausted(run.budget) || world.reports.limitReached)) break;
  }
  if (failed) return 'failed';
  setRendered(run, node.index, rendered);
  setValue(
    run,
    node.index,
    rendered.map((one) => viewOf(one, world)),
  );
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
    try {
      toJson(value);
      return [];
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      return [{ expression, error, expected: expression.type }];
    }
  });
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
