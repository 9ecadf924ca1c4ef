import { type InputObject, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import type { Labels } from '../../kubernetes/label/index.ts';
import type { Budget, CelValue } from '../../languages/cel/index.ts';
import { type Graph, type GraphNode, nodeSlot, SCHEMA_SLOT } from '../compile/index.ts';
import { type Agenda, wholeAgenda } from './agenda.ts';

/**
 * The state of a node. `open`: not processed yet. `waiting`: for an object that is not rendered yet, or for a pending
 * node. The others are final.
 */
export type NodeState = 'open' | 'waiting' | 'done' | 'skipped' | 'pending' | 'failed';

/** A rendered object of a node: to be printed, or a nested instance. */
export type RenderedItem = { object: KubeObject; nested?: undefined } | { nested: InstanceRun; object?: undefined };

/** The expansion of one instance. It is readable everywhere; only the functions of this file change it. */
export interface InstanceRun {
  readonly graph: Graph;
  /** Admitted, defaults applied, uid set, runner annotations removed. */
  readonly instance: KubeObject;
  /** The object of the package that this run comes from: the instance itself, or the outermost one. */
  readonly input: InputObject;
  readonly id: string;
  readonly namespace: string;
  /** The node of another instance that rendered this one. */
  readonly parent: { readonly run: InstanceRun; readonly node: number } | undefined;
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

/** The mutable view of a run, for this file. */
interface Writable {
  parent: InstanceRun['parent'];
  labels: Labels;
  frame: (CelValue | undefined)[];
  states: NodeState[];
  rendered: (readonly RenderedItem[])[];
  stale: Set<number>;
}

const writable = (run: InstanceRun): Writable => run as InstanceRun & Writable;

/** Returns a new run without processed nodes. `labelsOf` may report about the run. */
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

/** Returns a copy that can change separately but for the budget; `copyOf` returns the copies of other runs. */
export function copyRun(
  run: InstanceRun,
  remember: (copy: InstanceRun) => void,
  copyOf: (run: InstanceRun) => InstanceRun,
): InstanceRun {
  const { frame, states, stale, agenda } = run;
  const copy: InstanceRun = {
    ...run,
    frame: [...frame],
    states: [...states],
    stale: new Set(stale),
    agenda: { ...agenda, places: [...agenda.places], listed: [...agenda.listed], later: [...agenda.later] },
  };
  remember(copy);
  const { parent, rendered } = run;
  writable(copy).parent = parent && { ...parent, run: copyOf(parent.run) };
  writable(copy).rendered = rendered.map((items) =>
    items.map((one) => (one.nested ? { nested: copyOf(one.nested) } : one)),
  );
  return copy;
}

export function setState(run: InstanceRun, node: number, state: NodeState): void {
  writable(run).states[node] = state;
}

export function setValue(run: InstanceRun, node: number, value: CelValue): void {
  writable(run).frame[nodeSlot(node)] = value;
}

/** Returns the objects of a node for the expressions of a run: rendered, observed or found ones. */
export function objectsSeen({ frame }: InstanceRun, node: number): KubeObject[] {
  const value = frame[nodeSlot(node)] as Value | undefined;
  return (Array.isArray(value) ? value : [value]).filter((one) => isKubeObject(one));
}

export function setRendered(run: InstanceRun, node: number, rendered: readonly RenderedItem[]): void {
  writable(run).rendered[node] = rendered;
}

/** Sets the iterators of a collection to one of its items. */
export function setItem(run: InstanceRun, { forEach }: GraphNode, item: readonly CelValue[]): void {
  for (const [dimension, { slot }] of forEach.entries()) writable(run).frame[slot] = item[dimension];
}

/** Returns the run as expressions of one item of a collection see it. */
export function withItem(run: InstanceRun, node: GraphNode, item: readonly CelValue[]): InstanceRun {
  const copy = { ...run, frame: [...run.frame] };
  setItem(copy, node, item);
  return copy;
}

/** Marks the view of a node as out of date after its nested instance changed. */
export function markStale(run: InstanceRun, node: number): void {
  writable(run).stale.add(node);
}

/** Returns whether a node was out of date, and resets it. */
export const takeStale = (run: InstanceRun, node: number): boolean => writable(run).stale.delete(node);

/** Reports whether no node of the run, including nested ones, is waiting. */
export function isSettled(run: InstanceRun): boolean {
  const { states, rendered } = run;
  if (states.includes('open') || states.includes('waiting')) return false;
  return rendered.every((items) => items.every(({ nested }) => nested === undefined || isSettled(nested)));
}

export function nestedRuns(run: InstanceRun): InstanceRun[] {
  return run.rendered.flatMap((items) => items.flatMap(({ nested }) => (nested === undefined ? [] : [nested])));
}

/** Returns a run and all nested ones, parents first. */
export const withNested = (run: InstanceRun): InstanceRun[] => [run, ...nestedRuns(run).flatMap(withNested)];
