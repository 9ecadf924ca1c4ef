import { enqueue } from './agenda.ts';
import type { Maker } from './objects.ts';
import type { InstanceRun } from './run.ts';

/**
 * What nodes may wait for: anything that may still be rendered; objects only, while readers of an instance's status
 * continue with what it has; nothing any more.
 */
export type WaitPolicy = 'full' | 'objects' | 'none';

/** Schedules runs, and records which nodes wait for which object. */
export class Scheduler {
  readonly #queue: InstanceRun[] = [];
  readonly #waiting = new Map<string, Maker[]>();

  constructor(public waitPolicy: WaitPolicy) {}

  /** Adds a run with work: it comes before those that were added earlier. */
  add(run: InstanceRun): void {
    this.#queue.push(run);
  }

  /** Adds runs in this order. */
  addAll(runs: readonly InstanceRun[]): void {
    for (const run of runs.toReversed()) this.add(run);
  }

  next(): InstanceRun | undefined {
    return this.#queue.pop();
  }

  /** Records that a node waits for the object of this identity. */
  await(key: string, reader: Maker): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, [reader]);
    else waiting.push(reader);
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
