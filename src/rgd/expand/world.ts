import type { Budget } from '../../cel/index.ts';
import type { Report } from '../../diagnostics/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { RenderOptions } from '../../model/render.ts';
import type { Graphs } from '../compile/index.ts';
import type { ObservedObjects } from './observed.ts';
import type { InstanceRun } from './run.ts';

/** Who made an object, for collision reports. */
export interface Maker {
  run: InstanceRun;
  node: number;
}

/** A report that a node waits. */
export interface Wait {
  report: Report;
  run: InstanceRun;
  node: number;
  /** The identity of the object that a reference did not find. */
  object?: string;
}

/** Everything that the instances of one package share while they are expanded. */
export interface World {
  readonly graphs: Graphs;
  readonly options: RenderOptions;
  readonly reports: Report[];
  readonly observed: ObservedObjects;
  /** Plain objects of the package by identity. */
  readonly plain: ReadonlyMap<string, KubeObject>;
  /** Runs of the instances that stand in the package, by the identity of the instance. */
  readonly instances: Map<string, InstanceRun>;
  /** Runs of the instances that others render, by the identity of the instance: references by name find them. */
  readonly nested: Map<string, InstanceRun>;
  /** What was rendered so far, by identity. */
  readonly rendered: Map<string, KubeObject>;
  readonly makers: Map<string, Maker>;
  /** Nodes that wait for an object to be rendered, by its identity. */
  readonly waiting: Map<string, Maker[]>;
  /** uids of rendered instances: owner references to them are left out. */
  readonly instanceIds: Set<string>;
  /** Budgets that are used up. */
  readonly exhausted: Set<Budget>;
  /** What was reported to wait. */
  readonly waits: Wait[];
  /** Runs with something to do. */
  readonly queue: InstanceRun[];
  /**
   * What is waited for: anything that may still be rendered; objects only, while readers of an instance's status go on
   * with what it has; nothing any more.
   */
  patience: 'full' | 'objects' | 'none';
  /** Dependencies between objects that were found, for their order. */
  ordered: number;
}
