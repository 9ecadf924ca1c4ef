import { hasEnough, type Report } from '../../diagnostics/index.ts';
import { type InputObject, identityOf, type KubeObject } from '../../model/object.ts';
import type { RenderOptions } from '../../model/render.ts';
import type { AdmittedInstance } from '../admit/index.ts';
import type { Graphs } from '../compile/index.ts';
import { lookAt, lookAtReaders, onAgenda } from './agenda.ts';
import { dependenciesOf } from './dependencies.ts';
import { type DefaultNamespace, indexByIdentity } from './identity.ts';
import { startInstance } from './instance.ts';
import { settleNode, wakeWaiting } from './node.ts';
import { indexObserved } from './observed.ts';
import { orderReporter, type Placed } from './order.ts';
import { withoutInstanceOwners } from './owners.ts';
import { poolExceeded, spendFromPool, startPool } from './pool.ts';
import { reportAbout, reportNode } from './report.ts';
import { type InstanceRun, isSettled, nestedRuns } from './run.ts';
import type { World } from './world.ts';

export { type Alternative, referenceInstead } from './alternative.ts';
export { namespaceFor } from './external.ts';
export { type DefaultNamespace, inNamespace } from './identity.ts';
export { startInstance } from './instance.ts';
export { combinations } from './product.ts';
export { mayBeShown } from './reason.ts';
export { reportNode } from './report.ts';
export { type InstanceRun, type Made, nestedRuns } from './run.ts';
export { HIDDEN, hasSecretIdentity, isSecretlyNamed, secrecyOf, titleOfRun } from './secrecy.ts';
export { nestedView, refreshViews, statusOf, viewOf } from './view.ts';
export type { Wait, World } from './world.ts';

export interface ExpandInput {
  graphs: Graphs;
  instances: readonly AdmittedInstance[];
  observed: readonly InputObject[];
  /** Everything of the package that is no RGD and no instance. */
  plain: readonly InputObject[];
  defaultNamespace: DefaultNamespace;
  /** The same for live objects: a cluster tells the namespace of what has one, so nothing is assumed. */
  observedNamespace: DefaultNamespace;
}

export interface ExpandedInstance {
  input: InputObject;
  rendered: readonly Placed[];
  /** The nodes that wait, nested ones included. */
  pending: readonly { instanceId: string; node: string }[];
}

/** The finished runs of all instances, and the world that they share. */
export interface Expansion {
  runs: readonly InstanceRun[];
  world: World;
}

/**
 * Brings every node of every instance as far as it gets. Nodes run in topological order; a node that waits for an object
 * of another instance is woken when that object is rendered, so instances may read each other.
 */
export function runInstances(input: ExpandInput, options: RenderOptions, reports: Report[]): Expansion {
  const world: World = {
    graphs: input.graphs,
    options,
    reports,
    observed: indexObserved(input.observed, input.graphs, input.observedNamespace, options.namespace),
    plain: indexByIdentity(input.plain, input.defaultNamespace),
    instances: new Map(),
    nested: new Map(),
    rendered: new Map(),
    makers: new Map(),
    waiting: new Map(),
    instanceIds: new Set(),
    exhausted: new Set(),
    waits: [],
    queue: [],
    patience: 'full',
    ordered: 0,
  };
  const runs = input.instances.map(({ graph, object, input: origin }) => {
    const run = startInstance(graph, object, origin, undefined, world);
    world.instances.set(identityOf(run.instance), run);
    return run;
  });
  const pool = startPool(runs.length, options);
  for (const run of runs) {
    if (hasEnough(reports)) return { runs, world };
    world.queue.push(run);
    drain(world);
    if (!spendFromPool(pool, run.budget)) {
      reportAbout(run, world, poolExceeded);
      return { runs, world };
    }
  }
  settleTheRest(runs, world);
  return { runs, world };
}

/** What the runs made, in the order of the instances and of their nodes, whoever waited. */
export function collectInstances({ runs, world }: Expansion): ExpandedInstance[] {
  const tellOrder = orderReporter(world);
  return runs.map((run) => {
    const collected: Collected = { made: [], pending: [], tellOrder };
    collectInto(collected, run, world);
    return { input: run.input, rendered: collected.made, pending: collected.pending };
  });
}

/** Runs whatever has something to do. */
export function drain(world: World): void {
  for (let run = world.queue.pop(); run !== undefined; run = world.queue.pop()) advance(run, world);
}

/** Looks at the nodes on the agenda that are not final yet; tells whoever waits for them, or for the whole instance. */
function advance(run: InstanceRun, world: World): void {
  for (const index of onAgenda(run)) {
    const node = run.graph.nodes[index];
    if (node === undefined || !isOpen(run, index)) continue;
    run.states[index] = settleNode(run, node, world);
    if (!isOpen(run, index)) lookAtReaders(run, index);
  }
  if (!isSettled(run)) return;
  if (run.parent !== undefined) {
    run.parent.run.stale.add(run.parent.node);
    lookAtReaders(run.parent.run, run.parent.node);
    world.queue.push(run.parent.run);
  }
  wakeWaiting(identityOf(run.instance), world);
}

/**
 * Nothing is left to wake anybody. Who waits for the status of an instance goes on with what there is, which may render
 * what others wait for; who waits for an object then stays pending.
 */
function settleTheRest(runs: readonly InstanceRun[], world: World): void {
  for (const patience of ['objects', 'none'] as const) {
    const waiting = runs.flatMap(withNested).filter((run) => !isSettled(run));
    world.patience = patience;
    for (const run of waiting) {
      for (const node of run.graph.order) lookAt(run, node);
      world.queue.push(run);
      // Its status is read as far as it goes.
      run.parent?.run.stale.add(run.parent.node);
    }
    world.queue.reverse();
    drain(world);
  }
}

const isOpen = ({ states }: InstanceRun, node: number): boolean =>
  states[node] === 'open' || states[node] === 'waiting';

const withNested = (run: InstanceRun): InstanceRun[] => [run, ...nestedRuns(run).flatMap(withNested)];

const NONE: readonly KubeObject[] = [];

interface Collected {
  made: Placed[];
  pending: { instanceId: string; node: string }[];
  tellOrder: Placed['tellOrder'];
}

function collectInto(expanded: Collected, run: InstanceRun, world: World): void {
  for (const index of run.graph.order) {
    const id = run.graph.nodes[index]?.id ?? '';
    if (run.states[index] === 'pending') expanded.pending.push({ instanceId: run.id, node: id });
    const dependencies = orderedBehind(run, index, world);
    for (const made of run.made[index] ?? []) {
      if (made.nested !== undefined) collectInto(expanded, made.nested, world);
      else {
        expanded.made.push({
          object: withoutOwners(made.object, run, index, world),
          instanceId: run.id,
          node: id,
          made: { run, index },
          dependencies,
          tellOrder: expanded.tellOrder,
        });
      }
    }
  }
}

/** Two collections of a thousand items that read each other have a million dependencies between them. */
const MAX_DEPENDENCIES = 500_000;

/** What all objects of a node come after, where their order is asked for. */
function orderedBehind(run: InstanceRun, node: number, world: World): readonly KubeObject[] {
  const made = run.made[node]?.filter(({ object }) => object !== undefined) ?? [];
  if (world.options.order === 'none' || made.length === 0 || world.ordered > MAX_DEPENDENCIES) return NONE;
  const dependencies = dependenciesOf(run, node, world);
  world.ordered += dependencies.length * made.length;
  if (world.ordered <= MAX_DEPENDENCIES) return dependencies;
  const message = `with this node, there are more than ${MAX_DEPENDENCIES} dependencies between objects to write down`;
  const hint = 'leave --order out, or let nodes read single objects in place of large collections';
  const { path = [] } = run.graph.nodes[node] ?? {};
  reportNode(run, node, world, { code: 'budget-exceeded', message, path, hint }, 'nothing');
  return NONE;
}

function withoutOwners(object: KubeObject, run: InstanceRun, node: number, world: World): KubeObject {
  if (world.options.keepOwnerReferences) return object;
  const kept = withoutInstanceOwners(object, world.instanceIds);
  if (kept === object) return object;
  const message = 'an owner reference to the instance is left out: the instance is not in the cluster';
  const path = [...(run.graph.nodes[node]?.path ?? []), 'template', 'metadata', 'ownerReferences'];
  const hint = '--keep-owner-references keeps it';
  const alike = `${run.graph.name}/${run.graph.nodes[node]?.id}`;
  reportNode(run, node, world, { code: 'owner-reference', message, path, severity: 'warning', hint, alike }, 'nothing');
  return kept;
}
