import { type CelValue, EvaluationError, isExhausted } from '../../cel/index.ts';
import type { Item } from '../../label/index.ts';
import { identityOf } from '../../model/object.ts';
import type { Value } from '../../model/value.ts';
import { type CompiledExpression, type Evaluation, type GraphNode, nodeSlot } from '../compile/index.ts';
import { groupKind } from '../definition/index.ts';
import { claimIdentity } from './claim.ts';
import { evaluate } from './evaluate.ts';
import { settleFailures } from './failures.ts';
import { finishObject } from './finish.ts';
import { startNested } from './nested.ts';
import { evaluationOf } from './placeholder.ts';
import { combinations } from './product.ts';
import type { InstanceRun, Made, NodeState } from './run.ts';
import { viewOf } from './view.ts';
import type { World } from './world.ts';

/** Makes the one object of a node. */
export function makeResource(run: InstanceRun, node: GraphNode, world: World): NodeState {
  const evaluation = evaluationOf(run, node, world);
  const raw = node.template(evaluation);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, run, node.index, world);
  const made = makeObject(raw, node, run, world, undefined);
  if (made === undefined) return 'failed';
  run.made[node.index] = [made];
  run.frame[nodeSlot(node.index)] = viewOf(made, world);
  return 'done';
}

/** Expands a collection: shared expressions first, then the lists, then one object for each combination. */
export function makeCollection(run: InstanceRun, node: GraphNode, world: World): NodeState {
  const evaluation = evaluationOf(run, node, world);
  const shared = sharedValues(run, node, evaluation);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, run, node.index, world);
  const items = combinations(run, node, world);
  if (!Array.isArray(items)) return items;
  const made: Made[] = [];
  const each = { ...evaluation, shared };
  let failed = false;
  for (let index = 0; index < items.length; index++) {
    node.forEach.forEach(({ slot }, dimension) => {
      run.frame[slot] = items[index]?.[dimension];
    });
    const raw = node.template(each);
    if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, run, node.index, world);
    const one = makeObject(raw, node, run, world, { index, size: items.length });
    if (one !== undefined) made.push(one);
    else failed = true;
    if (failed && (isExhausted(run.budget) || world.reports.hasEnough)) break;
  }
  if (failed) return 'failed';
  run.made[node.index] = made;
  run.frame[nodeSlot(node.index)] = made.map((one) => viewOf(one, world));
  return 'done';
}

/** What is the same for all items. What fails is a failure here, unless something stands in for it in each item. */
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

/** An object that may be there, or in its place the run of the instance that it is; `undefined` was reported. */
function makeObject(
  raw: Value,
  node: GraphNode,
  run: InstanceRun,
  world: World,
  item: Item | undefined,
): Made | undefined {
  const graph = world.graphs.get(groupKind(node.gvk));
  const object = finishObject(raw, node, run, world, item);
  if (object === undefined) return undefined;
  const key = identityOf(object);
  if (!claimIdentity(object, key, item, node, run, world)) return undefined;
  if (graph === undefined) {
    world.objects.addRendered(key, object);
    world.scheduler.wake(key);
    return { object };
  }
  const child = startNested(graph, object, run, node, world);
  return child && { nested: child };
}
