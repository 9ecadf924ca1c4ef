import { Collector, type Report } from '../../core/diagnostics/index.ts';
import { addTo } from '../../core/model/group-by.ts';
import type { KubeObject, Source } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import type { Secrecy } from '../../core/redaction/index.ts';
import type { Budget } from '../../languages/cel/index.ts';
import type { Graphs } from '../compile/index.ts';
import { type Semantics, semanticsOf } from '../semantics.ts';
import { enqueue } from './agenda.ts';
import type { Maker, Objects } from './objects.ts';
import type { ObservedObjects } from './observed.ts';
import type { InstanceRun } from './run.ts';
import type { Candidates } from './selection.ts';

/** The secrecy of nodes, by run and index; `open` while it is computed. */
export type KnownSecrecy = Map<InstanceRun, Map<number, Secrecy | 'open'>>;

/** What a world computes on demand and keeps. A world with other objects needs caches of its own. */
interface Caches {
  /** What templates render, and whole objects, of nodes that do not change any more. */
  readonly desired: KnownSecrecy;
  readonly whole: KnownSecrecy;
  /** The Secrets that are written out in a template or an object. */
  readonly written: WeakMap<object, Secrecy>;
}

export const createCaches = (): Caches => ({ desired: new Map(), whole: new Map(), written: new WeakMap() });

/**
 * What nodes may wait for: anything that may still be rendered; objects only, while readers of an instance's status
 * continue with what it has; nothing any more.
 */
type WaitPolicy = 'full' | 'objects' | 'none';

/** Schedules runs, and records which nodes wait for which object. */
class Scheduler {
  readonly #queue: InstanceRun[] = [];
  readonly #waiting = new Map<string, Maker[]>();

  constructor(public waitPolicy: WaitPolicy) {}

  /** Adds a run with work: it comes before those that were added earlier. */
  add(run: InstanceRun): void {
    this.#queue.push(run);
  }

  addAll(runs: readonly InstanceRun[]): void {
    for (const run of runs.toReversed()) this.add(run);
  }

  next(): InstanceRun | undefined {
    return this.#queue.pop();
  }

  /** Records that a node waits for the object of this identity. */
  await(key: string, reader: Maker): void {
    addTo(this.#waiting, key, reader);
  }

  /** Wakes the nodes that wait for the object of this identity. */
  wake(key: string): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    for (const { run, node } of waiting) {
      enqueue(run, node);
      if (this.#queue.at(-1) !== run) this.add(run);
    }
    this.#waiting.delete(key);
  }
}

export interface PendingReport extends Maker {
  report: Report;
  /** The identity of the object that a reference did not find. */
  object?: string | undefined;
}

/** The immutable inputs of an expansion. */
interface Facts {
  readonly graphs: Graphs;
  readonly options: RenderOptions;
  readonly observed: ObservedObjects;
  /** Plain objects of the package by identity. */
  readonly plain: ReadonlyMap<string, KubeObject>;
  readonly candidates: Candidates;
  readonly sourceOf: (key: string) => Source | undefined;
}

/** Everything that the instances of one package share while they are expanded. */
export interface World extends Facts {
  readonly reports: Collector;
  readonly exhausted: Set<Budget>;
  /** The reported files with output of an earlier rendering. */
  readonly outputs: Set<string>;
  readonly pending: PendingReport[];
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
