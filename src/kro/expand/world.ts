import { Collector, type Report } from '../../core/diagnostics/index.ts';
import type { KubeObject, Source } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import type { Budget } from '../../languages/cel/index.ts';
import type { Graphs } from '../compile/index.ts';
import { type Semantics, semanticsOf } from '../semantics.ts';
import { type Caches, createCaches } from './caches.ts';
import type { Maker, Objects } from './objects.ts';
import type { ObservedObjects } from './observed.ts';
import { Scheduler, type WaitPolicy } from './scheduler.ts';
import type { Candidates } from './selection.ts';

/** A report about a pending node. */
export interface PendingReport extends Maker {
  report: Report;
  /** The identity of the object that a reference did not find. */
  object?: string;
}

/** The immutable inputs of an expansion. */
export interface Facts {
  readonly graphs: Graphs;
  readonly options: RenderOptions;
  readonly observed: ObservedObjects;
  /** Plain objects of the package by identity. */
  readonly plain: ReadonlyMap<string, KubeObject>;
  readonly candidates: Candidates;
  /** Returns the location of a plain object of an identity. */
  readonly sourceOf: (key: string) => Source | undefined;
}

/** The results of an expansion. */
interface Reported {
  readonly reports: Collector;
  /** The exhausted budgets. */
  readonly exhausted: Set<Budget>;
  /** The reported files with output of an earlier rendering. */
  readonly outputs: Set<string>;
  /** The reported pending nodes. */
  readonly pending: PendingReport[];
}

/** Everything that the instances of one package share while they are expanded. */
export interface World extends Facts, Reported {
  readonly semantics: Semantics;
  readonly objects: Objects;
  readonly scheduler: Scheduler;
  readonly caches: Caches;
}

export function createWorld(facts: Facts, objects: Objects, waitPolicy: WaitPolicy, reports: Collector): World {
  const scheduler = new Scheduler(waitPolicy);
  return {
    ...facts,
    semantics: semanticsOf(facts.options),
    objects,
    scheduler,
    reports,
    exhausted: new Set(),
    outputs: new Set(),
    pending: [],
    caches: createCaches(),
  };
}

/** Returns a world that reads this one, while its own objects and reports are separate. */
export const fork = ({ graphs, options, observed, plain, candidates, sourceOf, objects }: World): World =>
  createWorld({ graphs, options, observed, plain, candidates, sourceOf }, objects.fork(), 'none', new Collector());
