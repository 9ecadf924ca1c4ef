import { type CelValue, EvaluationError, isExhausted } from '../../cel/index.ts';
import { hasEnough } from '../../diagnostics/index.ts';
import type { Item } from '../../label/index.ts';
import { identityOf, type KubeObject, titleOf } from '../../model/object.ts';
import type { Value } from '../../model/value.ts';
import { type CompiledExpression, type Evaluation, type GraphNode, nodeSlot } from '../compile/index.ts';
import { groupKind } from '../definition/index.ts';
import { lookAt } from './agenda.ts';
import { evaluate, unwrapped } from './evaluate.ts';
import { findExternal, reportNotFound } from './external.ts';
import { settleFailures, waitingSeverity } from './failures.ts';
import { finishObject } from './finish.ts';
import { startNested } from './nested.ts';
import { evaluationOf } from './placeholder.ts';
import { combinations } from './product.ts';
import { reportNode, reportWrongType } from './report.ts';
import { type InstanceRun, isSettled, type Made, type NodeState } from './run.ts';
import { hasSecretIdentity, titleOfRun } from './secrecy.ts';
import { refreshViews, viewOf } from './view.ts';
import type { World } from './world.ts';

/** Brings a node as far as it gets now. */
export function settleNode(run: InstanceRun, node: GraphNode, world: World): NodeState {
  const states = node.dependencies.map((dependency) => run.states[dependency]);
  if (states.includes('skipped')) return skip(run, node, world, 'a node that it reads is left out');
  if (waits(run, node, states, world)) return 'waiting';
  if (states.includes('failed')) return 'failed';
  refreshViews(run, node.dependencies, world);
  const included = isIncluded(run, node, world);
  if (included === 'excluded') return skip(run, node, world, 'includeWhen is false');
  if (included !== 'included') return included;
  if (states.includes('pending')) return followPending(run, node, world);
  switch (node.kind) {
    case 'resource':
      return makeResource(run, node, world);
    case 'collection':
      return makeCollection(run, node, world);
    default:
      return readExternal(run, node, world);
  }
}

function skip(run: InstanceRun, node: GraphNode, world: World, reason: string): NodeState {
  reportNode(
    run,
    node.index,
    world,
    {
      code: 'node-skipped',
      message: `left out: ${reason}`,
      path: node.path,
      severity: 'info',
    },
    'nothing',
  );
  return 'skipped';
}

function waits(run: InstanceRun, node: GraphNode, states: readonly (NodeState | undefined)[], world: World): boolean {
  if (states.includes('waiting') || states.includes('open')) return true;
  if (world.patience !== 'full') return false;
  // A reader of a nested status waits until the nested instance has rendered all it can.
  for (const read of node.readsStatusOf) {
    if (run.made[read]?.some(({ nested }) => nested !== undefined && !isSettled(nested))) return true;
  }
  return false;
}

/** A node that reads a pending one is pending too. By default only the first cause is reported. */
function followPending(run: InstanceRun, node: GraphNode, world: World): NodeState {
  if (waitingSeverity(world) !== 'error') {
    const cause = node.dependencies.find((dependency) => run.states[dependency] === 'pending') as number;
    const message = `left out: it reads '${run.graph.nodes[cause]?.id}', which waits`;
    reportNode(
      run,
      node.index,
      world,
      { code: 'pending-reader', message, path: node.path, severity: 'warning' },
      'nothing',
    );
  }
  return 'pending';
}

/** All conditions must hold; an optional that is none does not (kro: IsIgnored). */
function isIncluded(run: InstanceRun, node: GraphNode, world: World): 'included' | 'excluded' | NodeState {
  for (const condition of node.includeWhen) {
    if (condition.nodes.some((read) => run.states[read] === 'pending')) return followPending(run, node, world);
    const outcome = evaluate(condition, run);
    if (outcome instanceof EvaluationError) {
      return settleFailures(
        [{ expression: condition, error: outcome, expected: condition.type }],
        run,
        node.index,
        world,
      );
    }
    const value = unwrapped(outcome);
    if (value === undefined || value === false) return 'excluded';
    if (value !== true) return reportWrongType(condition, 'includeWhen must yield bool', run, node.index, world);
  }
  return 'included';
}

function makeResource(run: InstanceRun, node: GraphNode, world: World): NodeState {
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
function makeCollection(run: InstanceRun, node: GraphNode, world: World): NodeState {
  const evaluation = evaluationOf(run, node, world);
  const shared = new Map<CompiledExpression, CelValue>();
  for (const expression of node.shared) {
    const value = evaluate(expression, run);
    if (!(value instanceof EvaluationError)) shared.set(expression, value);
    else evaluation.failures.push({ expression, error: value, expected: expression.type });
  }
  if (evaluation.failures.length > 0 && evaluation.standIn === undefined) {
    return settleFailures(evaluation.failures, run, node.index, world);
  }
  evaluation.failures.length = 0;
  const items = combinations(run, node, world);
  if (!Array.isArray(items)) return items;
  const made: Made[] = [];
  let failed = false;
  for (const [index, values] of items.entries()) {
    node.forEach.forEach(({ slot }, dimension) => {
      run.frame[slot] = values[dimension];
    });
    const raw = node.template({ ...evaluation, shared });
    if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, run, node.index, world);
    const one = makeObject(raw, node, run, world, { index, size: items.length });
    if (one !== undefined) made.push(one);
    else failed = true;
    if (failed && (isExhausted(run.budget) || hasEnough(world.reports))) break;
  }
  if (failed) return 'failed';
  run.made[node.index] = made;
  run.frame[nodeSlot(node.index)] = made.map((one) => viewOf(one, world));
  return 'done';
}

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
    world.rendered.set(key, object);
    wakeWaiting(key, world);
    return { object };
  }
  const child = startNested(graph, object, run, node, world);
  return child && { nested: child };
}

/** Two rendered objects, or a rendered and a plain one, may not share an identity (the version is not part of it). */
function claimIdentity(
  object: KubeObject,
  key: string,
  item: Item | undefined,
  node: GraphNode,
  run: InstanceRun,
  world: World,
): boolean {
  const other = world.makers.get(key);
  const plain = world.plain.get(key) ?? world.instances.get(key)?.instance;
  if (other === undefined && plain === undefined) {
    world.makers.set(key, { run, node: node.index });
    return true;
  }
  const by =
    other === undefined
      ? 'the package holds it already'
      : `the node '${other.run.graph.nodes[other.node]?.id}' of ${titleOfRun(other.run, world)} renders it already`;
  const isHidden =
    hasSecretIdentity(run, node.index, world) ||
    (other !== undefined && hasSecretIdentity(other.run, other.node, world));
  const message = `${isHidden ? `one ${object.kind}${item === undefined ? '' : ` (item ${item.index})`}` : titleOf(object)} would exist twice: ${by}`;
  const path = [...node.path, 'template', 'metadata', 'name'];
  reportNode(run, node.index, world, { code: 'identity-collision', message, path }, 'nothing');
  return false;
}

/** Puts the nodes that wait for the object of this identity back to work. */
export function wakeWaiting(key: string, world: World): void {
  const waiting = world.waiting.get(key);
  if (waiting === undefined) return;
  for (const { run, node } of waiting) {
    lookAt(run, node);
    if (world.queue.at(-1) !== run) world.queue.push(run);
  }
  world.waiting.delete(key);
}

function readExternal(run: InstanceRun, node: GraphNode, world: World): NodeState {
  const evaluation: Evaluation = { frame: run.frame, budget: run.budget, failures: [] };
  const reference = node.template(evaluation);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, run, node.index, world);
  const found = findExternal(node, reference, run, world);
  if (found === 'failed') return 'failed';
  if ('value' in found) {
    run.frame[nodeSlot(node.index)] = found.value;
    return 'done';
  }
  if (world.patience !== 'none') {
    const waiting = world.waiting.get(found.waitsFor);
    const waits = { run, node: node.index };
    if (waiting === undefined) world.waiting.set(found.waitsFor, [waits]);
    else waiting.push(waits);
    return 'waiting';
  }
  reportNotFound(found.waitsFor, run, node, world);
  return 'pending';
}
