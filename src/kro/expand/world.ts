import { Collector, type Report } from '../../core/diagnostics/index.ts';
import type { KubeObject, Source } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import type { Budget } from '../../languages/cel/index.ts';
import type { Graphs } from '../compile/index.ts';
import { type Caches, createCaches } from './caches.ts';
import type { Maker, Objects } from './objects.ts';
import type { ObservedObjects } from './observed.ts';
import { type Patience, Scheduler } from './scheduler.ts';
import type { Candidates } from './selection.ts';

/** A report that a node waits. */
export interface PendingReport extends Maker {
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
  readonly candidates: Candidates;
  /** Where a plain object of an identity is written. */
  readonly sourceOf: (key: string) => Source | undefined;
}

/** What an expansion tells. */
interface Reported {
  readonly reports: Collector;
  /** Budgets that are used up. */
  readonly exhausted: Set<Budget>;
  /** What was reported to wait. */
  readonly pending: PendingReport[];
}

/** Everything that the instances of one package share while they are expanded. */
export interface World extends Facts, Reported {
  readonly objects: Objects;
  readonly scheduler: Scheduler;
  readonly caches: Caches;
}

export function createWorld(facts: Facts, objects: Objects, patience: Patience, reports: Collector): World {
  const scheduler = new Scheduler(patience);
  return { ...facts, objects, scheduler, reports, exhausted: new Set(), pending: [], caches: createCaches() };
}

/** The same world to those who look, while what they make and report is not there for others. */
export const fork = ({ graphs, options, observed, plain, candidates, sourceOf, objects }: World): World =>
  createWorld({ graphs, options, observed, plain, candidates, sourceOf }, objects.fork(), 'none', new Collector());
