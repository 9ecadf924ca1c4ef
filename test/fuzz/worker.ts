import { parentPort, workerData } from 'node:worker_threads';
import { verdictOn } from './check.ts';
import { readCorpus } from './corpus.ts';
import { inputOf } from './input.ts';

export interface Task {
  folders: readonly string[];
  seed: number;
  from: number;
  to: number;
  /** Numbers: the current input, its start; the time of the slowest (milliseconds), its number; how many succeeded. */
  clock: SharedArrayBuffer;
}

export type Message = { index: number; fault: string } | 'done';

/** Runs inputs one after the other, in its own thread so that an endless one can be stopped. */
export async function work(): Promise<void> {
  const { folders, seed, from, to, clock } = workerData as Task;
  const corpus = readCorpus(folders);
  const times = new Float64Array(clock);
  for (let index = from; index < to; index++) {
    const input = inputOf(corpus, seed, index);
    times[0] = index;
    times[1] = Date.now();
    const { succeeded, fault } = await verdictOn(input);
    const time = Date.now() - times[1];
    if (time > (times[2] ?? 0)) times.set([time, index], 2);
    if (succeeded) times[4] = (times[4] ?? 0) + 1;
    if (fault !== undefined) parentPort?.postMessage({ index, fault } satisfies Message);
  }
  parentPort?.postMessage('done' satisfies Message);
}
