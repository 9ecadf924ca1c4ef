import type { Budget, CelValue } from '../../cel/index.ts';
import type { Labels } from '../../label/index.ts';
import type { InputObject, KubeObject } from '../../model/object.ts';
import type { Graph } from '../compile/index.ts';
import type { Agenda } from './agenda.ts';

/**
 * How far a node is. `open`: not looked at yet. `waiting`: for an object that is not rendered yet, or for a node that
 * waits. The others are final.
 */
export type NodeState = 'open' | 'waiting' | 'done' | 'skipped' | 'pending' | 'failed';

/** One object that a node made: to be emitted, or a nested instance rendered in its place. */
export type Made = { object: KubeObject; nested?: undefined } | { nested: InstanceRun; object?: undefined };

/** One instance while it is expanded. */
export interface InstanceRun {
  graph: Graph;
  /** Admitted, defaults applied, uid set, bookkeeping annotations removed. */
  instance: KubeObject;
  /** The object of the package that this run comes from: the instance itself, or the outermost one. */
  input: InputObject;
  id: string;
  namespace: string;
  /** The node of another instance that made this one. */
  parent: { run: InstanceRun; node: number } | undefined;
  depth: number;
  labels: Labels;
  frame: (CelValue | undefined)[];
  states: NodeState[];
  /** The nodes to look at. */
  agenda: Agenda;
  made: (readonly Made[])[];
  /** Nodes whose nested instances changed since their view was made. */
  stale: Set<number>;
  budget: Budget;
}

/** No node of the run, nested ones included, still waits. */
export function isSettled(run: InstanceRun): boolean {
  const { states, made } = run;
  if (states.includes('open') || states.includes('waiting')) return false;
  return made.every((items) => items.every(({ nested }) => nested === undefined || isSettled(nested)));
}

export function nestedRuns(run: InstanceRun): InstanceRun[] {
  return run.made.flatMap((items) => items.flatMap(({ nested }) => (nested === undefined ? [] : [nested])));
}

/** A run and all that are nested in it, each before its own. */
export const withNested = (run: InstanceRun): InstanceRun[] => [run, ...nestedRuns(run).flatMap(withNested)];
