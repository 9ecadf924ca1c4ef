import { Collector, type Report } from '../../core/diagnostics/index.ts';
import { addTo } from '../../core/model/group-by.ts';
import { groupKind, type InputObject, isKubeObject, type KubeObject, type Source } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import type { Path, Value } from '../../core/model/value.ts';
import type { Secrecy } from '../../core/redaction/index.ts';
import type { Labels } from '../../kubernetes/label/index.ts';
import { type Budget, type CelValue, type EvaluationError, outcomeOf } from '../../languages/cel/index.ts';
import {
  type CompiledExpression,
  type Graph,
  type GraphNode,
  type Graphs,
  nodeSlot,
  SCHEMA_SLOT,
} from '../compile/index.ts';
import { type Semantics, semanticsOf } from '../semantics.ts';
import { type Agenda, enqueue, wholeAgenda } from './agenda.ts';
import { type Candidate, type Candidates, candidateOf, candidatesOf } from './candidates.ts';
import type { ObservedObjects } from './identity.ts';

/** `open`: not processed yet. `waiting`: for an object, or for a pending node. The others are final. */
export type NodeState = 'open' | 'waiting' | 'done' | 'skipped' | 'pending' | 'failed';

/** The part of an object that is known although other values of it are pending, where those are marked. */
export interface KnownPart {
  /** The paths of the pending values in the object. */
  pending: readonly Path[];
  /** The object without them. */
  object: KubeObject;
}

export type RenderedItem =
  | { object: KubeObject; known?: KnownPart; nested?: undefined }
  | { nested: InstanceRun; object?: undefined };

export interface NodeRun {
  readonly run: InstanceRun;
  readonly node: GraphNode;
}

/** The expansion of one instance. It is readable everywhere; only the functions of this file change it. */
export interface InstanceRun {
  readonly world: World;
  readonly graph: Graph;
  /** Admitted, defaults applied, uid set, runner annotations removed. */
  readonly instance: KubeObject;
  /** The object of the package that this run comes from: the instance itself, or the outermost one. */
  readonly input: InputObject;
  readonly id: string;
  readonly namespace: string;
  readonly parent: NodeRun | undefined;
  readonly depth: number;
  readonly labels: Labels;
  /** The values of `schema`, the nodes and the iterators, by their slots. */
  readonly frame: readonly (CelValue | undefined)[];
  readonly states: readonly NodeState[];
  readonly agenda: Agenda;
  readonly rendered: readonly (readonly RenderedItem[])[];
  /** Nodes whose nested instances changed since their view was computed. */
  readonly stale: ReadonlySet<number>;
  readonly budget: Budget;
}

type Writable<T> = T extends readonly (infer U)[] ? U[] : T extends ReadonlySet<infer U> ? Set<U> : T;

const writable = (run: InstanceRun) => run as { -readonly [K in keyof InstanceRun]: Writable<InstanceRun[K]> };

export function createRun(
  start: Omit<InstanceRun, 'labels' | 'frame' | 'states' | 'agenda' | 'rendered' | 'stale'>,
  labelsOf: (run: InstanceRun) => Labels,
): InstanceRun {
  const { graph, instance } = start;
  const frame = new Array<CelValue | undefined>(graph.frameSize);
  frame[SCHEMA_SLOT] = instance as CelValue;
  const run: InstanceRun = {
    ...start,
    labels: {},
    frame,
    states: graph.nodes.map(() => 'open'),
    agenda: wholeAgenda(graph.order.length),
    rendered: graph.nodes.map(() => []),
    stale: new Set(),
  };
  writable(run).labels = labelsOf(run);
  return run;
}

export function setState({ run, node }: NodeRun, state: NodeState): void {
  writable(run).states[node.index] = state;
}

export function setValue({ run, node }: NodeRun, value: CelValue): void {
  writable(run).frame[nodeSlot(node.index)] = value;
}

/** Returns the objects of a node for the expressions of a run: rendered, observed or found ones. */
export function objectsSeen({ run, node }: NodeRun): KubeObject[] {
  const value = run.frame[nodeSlot(node.index)] as Value | undefined;
  return (Array.isArray(value) ? value : [value]).filter((one) => isKubeObject(one));
}

export function setRendered({ run, node }: NodeRun, rendered: readonly RenderedItem[]): void {
  writable(run).rendered[node.index] = rendered;
}

export function setItem({ run, node }: NodeRun, item: readonly CelValue[]): void {
  for (const [dimension, { slot }] of node.forEach.entries()) writable(run).frame[slot] = item[dimension];
}

export function withItem({ run, node }: NodeRun, item: readonly CelValue[]): InstanceRun {
  const copy = { ...run, frame: run.frame.slice() };
  setItem({ run: copy, node }, item);
  return copy;
}

export function markStale({ run, node }: NodeRun): void {
  writable(run).stale.add(node.index);
}

export const takeStale = (run: InstanceRun, node: number): boolean => writable(run).stale.delete(node);

export function isSettled(run: InstanceRun): boolean {
  const { states, rendered } = run;
  if (states.includes('open') || states.includes('waiting')) return false;
  return rendered.every((items) => items.every(({ nested }) => nested === undefined || isSettled(nested)));
}

export function nestedRuns(run: InstanceRun): InstanceRun[] {
  return run.rendered.flatMap((items) => items.flatMap(({ nested }) => (nested === undefined ? [] : [nested])));
}

export const withNested = (run: InstanceRun): InstanceRun[] => [run, ...nestedRuns(run).flatMap(withNested)];

export const nodeRun = (run: InstanceRun, index: number): NodeRun => ({
  run,
  node: run.graph.nodes[index] as GraphNode,
});

export const evaluate = (
  { program }: CompiledExpression,
  { frame, budget }: Pick<InstanceRun, 'frame' | 'budget'>,
): CelValue | EvaluationError => outcomeOf(() => program.run(frame, budget));

/** The objects of an expansion by identity: instances, rendered objects, and the nodes that rendered them. */
class Objects {
  readonly nested = new Map<string, InstanceRun>();
  readonly rendered = new Map<string, KubeObject>();
  /** Without those of a fork. */
  readonly makers = new Map<string, NodeRun>();
  /** The uids of rendered instances: owner references to them are removed. */
  readonly uids = new Set<string>();

  constructor(
    readonly instances: ReadonlyMap<string, InstanceRun>,
    readonly below?: Objects,
  ) {}

  instance(key: string): InstanceRun | undefined {
    return this.instances.get(key) ?? this.nested.get(key) ?? this.below?.instance(key);
  }

  object(key: string): KubeObject | undefined {
    return this.rendered.get(key) ?? this.below?.object(key);
  }
}

/** The secrecy of nodes, by run and index; `open` while it is computed. It is valid for one search, or without one final. */
type KnownSecrecy = Map<InstanceRun, Map<number, { secrecy: Secrecy | 'open'; search?: object }>>;

/** Schedules runs, and records which nodes wait for which object. */
class Scheduler {
  readonly #queue: InstanceRun[] = [];
  readonly #waiting = new Map<string, NodeRun[]>();

  /** `objects`: readers of the status of an instance do not wait any more, and continue with what it has. */
  constructor(public waitPolicy: 'full' | 'objects' | 'none') {}

  /** Adds a run with work: it comes before those that were added earlier. */
  add(run: InstanceRun): void {
    this.#queue.push(run);
  }

  next(): InstanceRun | undefined {
    return this.#queue.pop();
  }

  await(key: string, reader: NodeRun): void {
    addTo(this.#waiting, key, reader);
  }

  wake(key: string): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    for (const { run, node } of waiting) {
      enqueue(run, node.index);
      if (this.#queue.at(-1) !== run) this.add(run);
    }
    this.#waiting.delete(key);
  }
}

export interface PendingReport extends NodeRun {
  report: Report;
  /** The identity of the object that a reference did not find. */
  object?: string | undefined;
}

/** An instance of the package, as selectors see it. */
interface InstanceCandidate extends Candidate {
  readonly key: string;
  readonly run: InstanceRun;
}

/** What other objects of a package matter to its instances. */
interface Lookups {
  /** The identities of objects that external references look up. */
  readonly identities: Set<string>;
  /** The kinds, `Kind.group`, of objects that external references select. */
  readonly kinds: Set<string>;
  /** The identities of objects that are not rendered, because the package has another one. */
  readonly taken: Set<string>;
}

/** Everything that the instances of one package share while they are expanded. */
export interface World {
  readonly graphs: Graphs;
  readonly options: RenderOptions;
  readonly observed: ObservedObjects;
  readonly plain: ReadonlyMap<string, KubeObject>;
  readonly candidates: Candidates;
  /** The objects of the package, also those that observed ones replace. */
  readonly plainCandidates: Candidates;
  /** The instances of the package. */
  readonly instances: Candidates<InstanceCandidate>;
  readonly sourceOf: (key: string) => Source | undefined;
  readonly reports: Collector;
  readonly exhausted: Set<Budget>;
  /** The reported files with output of an earlier rendering. */
  readonly outputs: Set<string>;
  readonly pending: PendingReport[];
  readonly lookups: Lookups;
  /** The nodes that depend on a value of a Secret, if those are unknown. */
  readonly withheld: Map<InstanceRun, Set<number>>;
  readonly semantics: Semantics;
  readonly objects: Objects;
  readonly scheduler: Scheduler;
  /** What templates render, whole objects, and the Secrets that are written out in either. */
  readonly caches: { desired: KnownSecrecy; whole: KnownSecrecy; written: WeakMap<object, Secrecy> };
}

export interface Expansion {
  runs: readonly InstanceRun[];
  world: World;
  /**
   * Expands the same instances once more, with other options: pending nodes can be continued in the result. Its reports go
   * to another collector.
   */
  again(changes?: Partial<RenderOptions>, reports?: Collector): Expansion;
}

export const createWorld = (
  facts: Pick<World, 'graphs' | 'options' | 'observed' | 'plain' | 'candidates' | 'plainCandidates' | 'sourceOf'>,
  instances: World['objects']['instances'],
  reports: Collector,
): World => ({
  ...facts,
  semantics: semanticsOf(facts.options),
  objects: new Objects(instances),
  instances: candidatesOf(
    () => [...instances].map(([key, run]) => ({ ...candidateOf(run.instance), key, run })),
    ({ run }) => groupKind(run.graph),
  ),
  scheduler: new Scheduler('full'),
  reports,
  exhausted: new Set(),
  outputs: new Set(),
  pending: [],
  lookups: { identities: new Set(), kinds: new Set(), taken: new Set() },
  withheld: new Map(),
  caches: { desired: new Map(), whole: new Map(), written: new WeakMap() },
});

/** Returns a world that reads this one, while its own objects, which may never exist, and its reports are separate. */
export const fork = (world: World): World => ({
  ...createWorld(world, world.objects.instances, new Collector()),
  objects: new Objects(world.objects.instances, world.objects),
  instances: world.instances,
  scheduler: new Scheduler('none'),
});
