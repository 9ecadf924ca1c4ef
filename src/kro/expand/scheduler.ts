import { enqueue } from './agenda.ts';
import type { Maker } from './objects.ts';
import type { InstanceRun } from './run.ts';

/**
 * What is waited for: anything that may still be rendered; objects only, while readers of an instance's status go on
 * with what it has; nothing any more.
 */
export type Patience = 'full' | 'objects' | 'none';

/** Says which run comes next, and who waits for which object. */
export class Scheduler {
  readonly #queue: InstanceRun[] = [];
  readonly #waiting = new Map<string, Maker[]>();

  constructor(public patience: Patience) {}

  /** A run with something to do: it comes before those that were added earlier. */
  add(run: InstanceRun): void {
    this.#queue.push(run);
  }

  /** Runs that come in this order. */
  addAll(runs: readonly InstanceRun[]): void {
    for (const run of runs.toReversed()) this.add(run);
  }

  next(): InstanceRun | undefined {
    return this.#queue.pop();
  }

  /** Notes that a node waits for the object of this identity. */
  await(key: string, reader: Maker): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, [reader]);
    else waiting.push(reader);
  }

  /** Puts the nodes that wait for the object of this identity back to work. */
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
