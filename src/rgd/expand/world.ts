import type { Budget } from '../../cel/index.ts';
import { Collector, type Report } from '../../diagnostics/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { RenderOptions } from '../../model/render.ts';
import type { Graphs } from '../compile/index.ts';
import type { Maker, Objects } from './objects.ts';
import type { ObservedObjects } from './observed.ts';
import { type Patience, Scheduler } from './scheduler.ts';

/** A report that a node waits. */
export interface Wait extends Maker {
  report: Report;
  /** The identity of the object that a reference did not find. */
  object?: string;
}

/** What an expansion reads and never changes. */
export interface Facts {
  readonly graphs: Graphs;
  readonly options: RenderOptions;
  readonly observed: ObservedObjects;
  /** Plain objects of the package by identity. */
  readonly plain: ReadonlyMap<string, KubeObject>;
}

/** What an expansion tells. */
interface Told {
  readonly reports: Collector;
  /** Budgets that are used up. */
  readonly exhausted: Set<Budget>;
  /** What was reported to wait. */
  readonly waits: Wait[];
}

/** Everything that the instances of one package share while they are expanded. */
export interface World extends Facts, Told {
  readonly objects: Objects;
  readonly scheduler: Scheduler;
}

export function createWorld(facts: Facts, objects: Objects, patience: Patience, reports: Collector): World {
  const scheduler = new Scheduler(patience);
  return { ...facts, objects, scheduler, reports, exhausted: new Set(), waits: [] };
}

/** The same world to those who look, while what they make and report is not there for others. */
export const apart = ({ graphs, options, observed, plain, objects }: World): World =>
  createWorld({ graphs, options, observed, plain }, objects.apart(), 'none', new Collector());
