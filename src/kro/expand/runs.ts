import type { Collector } from '../../core/diagnostics/index.ts';
import { type InputObject, identityOf } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { type AdmittedInstance, poolExceeded, spendFromPool, startPool } from '../admit/index.ts';
import type { Graphs } from '../compile/index.ts';
import { dequeue, enqueue, enqueueReaders } from './agenda.ts';
import { reportTwin } from './claim.ts';
import { type DefaultNamespace, indexByIdentity, sourcesByIdentity } from './identity.ts';
import { startInstance } from './instance.ts';
import { settleNode } from './node.ts';
import { Objects } from './objects.ts';
import { indexObserved } from './observed.ts';
import { reportAbout } from './report.ts';
import { type InstanceRun, isSettled, markStale, setState, withNested } from './run.ts';
import { createCandidates } from './selection.ts';
import { createWorld, type World } from './world.ts';

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

/** The finished runs of all instances, and their shared world. */
export interface Expansion {
  runs: readonly InstanceRun[];
  world: World;
}

/**
 * Advances every node of every instance as far as possible. Nodes run in topological order; a node that waits for an
 * object of another instance is woken when that object is rendered, so instances may read each other.
 */
export function runInstances(input: ExpandInput, options: RenderOptions, reports: Collector): Expansion {
  const observed = indexObserved(input.observed, input.graphs, input.observedNamespace, options.namespace);
  const plain = indexByIdentity(input.plain, input.defaultNamespace);
  const facts = {
    graphs: input.graphs,
    options,
    observed,
    plain,
    candidates: createCandidates(observed, plain),
    sourceOf: sourcesByIdentity(input.plain, input.defaultNamespace),
  };
  const instances = new Map<string, InstanceRun>();
  const world = createWorld(facts, Objects.of(instances), 'full', reports);
  const runs = input.instances.flatMap(({ graph, object, input: origin }) => {
    const run = startInstance(graph, object, origin, undefined, world);
    const identity = identityOf(run.instance);
    const first = instances.get(identity);
    if (first !== undefined) {
      reportTwin(run, first, world);
      return [];
    }
    instances.set(identity, run);
    return [run];
  });
  const pool = startPool(runs.length, options);
  for (const run of runs) {
    if (reports.limitReached) return { runs, world };
    world.scheduler.add(run);
    drain(world);
    if (!spendFromPool(pool, run.budget)) {
      reportAbout(run, world, poolExceeded);
      return { runs, world };
    }
  }
  finishBlocked(runs, world);
  return { runs, world };
}

/** Processes all runs with nodes on their agenda. */
export function drain(world: World): void {
  const { scheduler } = world;
  for (let run = scheduler.next(); run !== undefined; run = scheduler.next()) advance(run, world);
}

/**
 * Processes the nodes on the agenda that are not final; wakes the nodes that wait for them, or for the whole instance.
 */
function advance(run: InstanceRun, world: World): void {
  for (let index = dequeue(run); index !== undefined; index = dequeue(run)) {
    const node = run.graph.nodes[index];
    if (node === undefined || !isOpen(run, index)) continue;
    setState(run, index, settleNode({ run, node, world }));
    if (!isOpen(run, index)) enqueueReaders(run, index);
  }
  if (!isSettled(run)) return;
  if (run.parent !== undefined) {
    markStale(run.parent.run, run.parent.node);
    enqueueReaders(run.parent.run, run.parent.node);
    world.scheduler.add(run.parent.run);
  }
  world.scheduler.wake(identityOf(run.instance));
}

/**
 * Continues when no node can be woken any more. Nodes that wait for the status of an instance continue with what
 * exists, which may render objects for others; nodes that wait for an object then stay pending.
 */
function finishBlocked(runs: readonly InstanceRun[], world: World): void {
  for (const waitPolicy of ['objects', 'none'] as const) {
    const open = runs.filter((run) => !isSettled(run));
    const unsettled = open.flatMap(withNested).filter((run) => !isSettled(run));
    world.scheduler.waitPolicy = waitPolicy;
    for (const run of unsettled) {
      for (const node of run.graph.order) enqueue(run, node);
      // Its status is read as far as it is known.
      if (run.parent !== undefined) markStale(run.parent.run, run.parent.node);
    }
    world.scheduler.addAll(unsettled);
    drain(world);
  }
}

const isOpen = ({ states }: InstanceRun, node: number): boolean =>
  states[node] === 'open' || states[node] === 'waiting';
