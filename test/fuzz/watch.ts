import { Worker } from 'node:worker_threads';
import type { Message, Task } from './worker.ts';

export interface Watched {
  /** The script that runs `work` in its thread. */
  script: string;
  task: Omit<Task, 'clock'>;
  /** The maximum processor time of one input, in milliseconds. */
  limit: number;
  /** The maximum heap of one input, in MiB. */
  memory: number;
  found: (index: number, fault: string) => void;
}

/** Runs the inputs of a task; one that exceeds a limit is a fault, and the others still run. */
export async function watch(
  watched: Watched,
): Promise<{ slowest: { index: number; time: number }; succeeded: number }> {
  const times = new Float64Array(new SharedArrayBuffer(40));
  let { from } = watched.task;
  while (from < watched.task.to) {
    const stopped = await runFrom(watched, from, times);
    if (stopped === undefined) break;
    watched.found(times[0] ?? 0, stopped);
    from = (times[0] ?? 0) + 1;
  }
  const [, , time = 0, index = 0, succeeded = 0] = times;
  return { slowest: { index, time }, succeeded };
}

const cpuTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Returns why the thread was stopped before the end. */
function runFrom(
  { script, task, limit, memory, found }: Watched,
  from: number,
  times: Float64Array,
): Promise<string | undefined> {
  times.set([from, Number.POSITIVE_INFINITY]);
  const workerData: Task = { ...task, from, clock: times.buffer as SharedArrayBuffer };
  const worker = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: memory } });
  return new Promise((resolve) => {
    const stop = (fault: string | undefined): void => {
      clearInterval(timer);
      void worker.terminate().then(() => resolve(fault));
    };
    let seen = { index: -1, spent: 0 };
    const timer = setInterval(() => {
      // Only the processor time of this thread counts, so that a busy machine causes no faults.
      const spent = cpuTime();
      if (times[0] !== seen.index) seen = { index: times[0] ?? 0, spent };
      if (spent - seen.spent > limit) stop(`takes more than ${limit} ms`);
      else if (Date.now() - (times[1] ?? 0) > 60 * limit) stop('never ends');
    }, 200);
    worker.on('message', (message: Message) => {
      if (message === 'done') stop(undefined);
      else found(message.index, message.fault);
    });
    worker.on('error', (error) => stop(String(error)));
  });
}
