import { Collector, phrase } from '../../core/diagnostics/index.ts';
import { type InputObject, identityOf } from '../../core/model/object.ts';
import type { Read } from '../../core/model/read.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { EvaluationError, Optional } from '../../languages/cel/index.ts';
import { type AdmittedInstance, poolExceeded, spendFromPool, startPool } from '../admit/index.ts';
import {
  awaitedBy,
  type CompiledExpression,
  type GraphNode,
  type Graphs,
  nodeReads,
  originOf,
  statusReadsOf,
} from '../compile/index.ts';
import { dequeue, enqueue, enqueueReaders } from './agenda.ts';
import { candidateOf, candidatesOf, createCandidates } from './candidates.ts';
import { followUnevaluated, settleFailures } from './failures.ts';
import { type DefaultNamespace, indexByIdentity, indexObserved, sourcesByIdentity } from './identity.ts';
import { reportTwin, startInstance } from './instance.ts';
import { makeCollection, makeResource, makeValue, readFrame } from './make.ts';
import { reportAbout, reportNode, reportWrongType, shownSource, skip } from './report.ts';
import {
  createWorld,
  type Expansion,
  evaluate,
  type InstanceRun,
  isSettled,
  markStale,
  type NodeRun,
  type NodeState,
  nodeRun,
  setState,
  type World,
  withNested,
} from './run.ts';
import { readExternal, refreshViews } from './view.ts';
import { withhold } from './withheld.ts';

export interface ExpandInput {
  graphs: Graphs;
  instances: readonly AdmittedInstance[];
  observed: readonly InputObject[];
  /** Every object of the package that is neither an RGD nor an instance. */
  plain: readonly InputObject[];
  defaultNamespace: DefaultNamespace;
  /** The same for live objects: a cluster knows their namespace, so nothing is assumed. */
  observedNamespace: DefaultNamespace;
}

/** Advances every node of every instance as far as possible. */
export function runInstances(input: ExpandInput, options: RenderOptions, reports: Collector): Expansion {
  const observed = indexObserved(input.observed, input.graphs, input.observedNamespace, options.namespace);
  const plain = indexByIdentity(input.plain, input.defaultNamespace);
  const facts = {
    graphs: input.graphs,
    options,
    observed,
    plain,
    candidates: createCandidates(observed, plain),
    plainCandidates: candidatesOf(() => [...plain.values()].map(candidateOf)),
    sourceOf: sourcesByIdentity(input.plain, input.defaultNamespace),
  };
  const instances = new Map<string, InstanceRun>();
  const world = createWorld(facts, instances, reports);
  const runs = input.instances.flatMap(({ graph, object, input: origin }) => {
    const run = startInstance(graph, object, origin, undefined, world);
    const identity = identityOf(run.instance);
    const first = instances.get(identity);
    if (first !== undefined) {
      reportTwin(run, first);
      return [];
    }
    instances.set(identity, run);
    return [run];
  });
  const again: Expansion['again'] = (changes = {}, others = new Collector()) =>
    runInstances(input, { ...options, ...changes }, others);
  const expansion = { runs, world, again };
  const pool = startPool(runs.length, options);
  for (const run of runs) {
    if (reports.limitReached) return expansion;
    world.scheduler.add(run);
    drain(world);
    if (!spendFromPool(pool, run.budget)) {
      reportAbout(run, poolExceeded);
      return expansion;
    }
  }
  finishBlocked(runs, world);
  return expansion;
}

export function drain(world: World): void {
  const { scheduler } = world;
  for (let run = scheduler.next(); run !== undefined; run = scheduler.next()) advance(run);
}

/** Processes the agenda of a run, and wakes the nodes that wait for it. */
function advance(run: InstanceRun): void {
  for (let index = dequeue(run); index !== undefined; index = dequeue(run)) {
    if (!isOpen(run, index)) continue;
    const at = nodeRun(run, index);
    setState(at, settleNode(at));
    if (!isOpen(run, index)) enqueueReaders(run, index);
  }
  if (!isSettled(run)) return;
  const { parent, world } = run;
  if (parent !== undefined) {
    markStale(parent);
    enqueueReaders(parent.run, parent.node.index);
    world.scheduler.add(parent.run);
  }
  world.scheduler.wake(identityOf(run.instance));
}

/** Continues when no node can be woken any more. */
function finishBlocked(runs: readonly InstanceRun[], world: World): void {
  for (const waitPolicy of ['objects', 'none'] as const) {
    const open = runs.filter((run) => !isSettled(run));
    const unsettled = open.flatMap(withNested).filter((run) => !isSettled(run));
    world.scheduler.waitPolicy = waitPolicy;
    for (const run of unsettled) {
      for (const node of run.graph.order) enqueue(run, node);
      // Its status is read as far as it is known.
      if (run.parent !== undefined) markStale(run.parent);
    }
    for (const run of unsettled.toReversed()) world.scheduler.add(run);
    drain(world);
  }
}

const isOpen = ({ states }: InstanceRun, node: number): boolean =>
  states[node] === 'open' || states[node] === 'waiting';

const MAKERS: Readonly<Record<GraphNode['kind'], (at: NodeRun) => NodeState>> = {
  resource: makeResource,
  collection: makeCollection,
  external: readExternal,
  externalCollection: readExternal,
  value: makeValue,
  valueCollection: makeValue,
  frame: readFrame,
};

function settleNode(at: NodeRun): NodeState {
  const { run, node } = at;
  const awaited = awaitedBy(node);
  const states = awaited.map((read) => run.states[read]);
  if ((node.captured ?? []).some((read) => run.states[read] === 'skipped'))
    return skip(at, phrase`its graph reads a node that is omitted`);
  // A frame is not omitted with a node in it.
  if (node.kind !== 'frame' && states.includes('skipped')) return skip(at, phrase`a node that it reads is omitted`);
  if (states.includes('waiting') || states.includes('open')) return 'waiting';
  const withheld = withhold(at);
  if (withheld !== undefined) return withheld;
  if (node.kind === 'frame') return readFrame(at);
  if (readsStatus(at)) return 'waiting';
  if (states.includes('failed')) return 'failed';
  refreshViews(run, node.dependencies);
  const decided = includeState(at);
  if (decided !== undefined) return decided;
  const followed = followUnevaluated(at, awaited);
  if (followed !== undefined) return followed;
  const state = MAKERS[node.kind](at);
  if (state === 'done') warnOfWholeStatus(at);
  return state;
}

/** Warns of an expression that reads the whole status of a nested instance, to which kro adds its own fields. */
function warnOfWholeStatus(at: NodeRun): void {
  const { run, node } = at;
  const isNested = (read: number): boolean => run.rendered[read]?.some(({ nested }) => nested !== undefined) === true;
  if (!node.dependencies.some(isNested)) return;
  for (const { expression, reads } of nodeReads(node)) {
    const whole = reads.some((read) => {
      const origin = originOf(read, run.graph);
      return origin?.node !== undefined && isNested(origin.node.index) && isWholeStatus(origin);
    });
    if (whole) reportWholeStatus(expression, at);
  }
}

const isWholeStatus = ({ path, whole }: Pick<Read, 'path' | 'whole'>): boolean =>
  whole && path.length === 1 && path[0] === 'status';

function reportWholeStatus(expression: CompiledExpression, at: NodeRun): void {
  const { path, offset } = expression;
  reportNode(at, {
    code: 'whole-status',
    message: phrase`${shownSource(expression, at.run.graph)} reads a whole status: in a cluster it also has state and conditions, which kro writes`,
    path,
    offset,
    severity: 'warning',
    hint: phrase`read the fields that are needed`,
    alike: `${at.run.graph.name} ${path.join('.')} ${offset}`,
  });
}

/** A reader of a nested status waits until the nested instance is rendered as far as possible. */
function readsStatus(at: NodeRun): boolean {
  const { run, node } = at;
  if (run.world.scheduler.waitPolicy !== 'full') return false;
  return node.dependencies.some(
    (read) =>
      run.rendered[read]?.some(({ nested }) => nested !== undefined && !isSettled(nested)) === true &&
      statusReadsOf(node).has(run.graph.nodes[read]?.id ?? ''),
  );
}

/** Returns `undefined` if a node is included; null and an optional without a value are false. */
function includeState(at: NodeRun): NodeState | undefined {
  const { run, node } = at;
  for (const condition of node.includeWhen) {
    const followed = followUnevaluated(at, condition.nodes);
    if (followed !== undefined) return followed;
    const outcome = evaluate(condition, run);
    if (outcome instanceof EvaluationError) {
      const waits = condition.nodes.length > 0;
      return settleFailures([{ expression: condition, error: outcome, expected: condition.type, waits }], at);
    }
    const value = outcome instanceof Optional ? outcome.value : outcome;
    if (value === undefined || value === null || value === false) return skip(at, phrase`includeWhen is false`);
    if (value !== true) return reportWrongType(condition, phrase`includeWhen must yield bool`, at);
  }
  return undefined;
}
