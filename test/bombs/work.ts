import { Session } from 'node:inspector';

interface Coverage {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
}

/**
 * Stays open until the process ends: V8 counts blocks only in functions that are compiled while the session is open,
 * and discards the counts when it ends. Therefore these tests have their own process.
 */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Returns how many blocks of the sources were executed since the last call. */
function blocksRun(): number {
  let blocks = 0;
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error;
    for (const { url, functions } of (coverage as Coverage).result) {
      if (!url.includes('/src/')) continue;
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    }
  });
  return blocks;
}

/** Counts the entries that are put into maps and sets until `stop` is called, which returns their number. */
function countEntries(): () => number {
  let entries = 0;
  const [set, add] = [Map.prototype.set, Set.prototype.add];
  Map.prototype.set = function (this: Map<unknown, unknown>, key, value) {
    entries += 1;
    return set.call(this, key, value);
  };
  Set.prototype.add = function (this: Set<unknown>, value) {
    entries += 1;
    return add.call(this, value);
  };
  return () => {
    Map.prototype.set = set;
    Set.prototype.add = add;
    return entries;
  };
}

/**
 * Returns the work of a call: the number of executed blocks of the sources, and of entries put into maps and sets. In
 * contrast to time it is the same on every machine. It does not count the work inside built-in functions.
 */
export function workOf(call: () => void): number {
  blocksRun();
  const stop = countEntries();
  let entries = 0;
  try {
    call();
  } finally {
    entries = stop();
  }
  return blocksRun() + entries;
}

/** Returns the same for a call that is not finished when it returns. */
export async function workOfAsync(call: () => Promise<void>): Promise<number> {
  blocksRun();
  const stop = countEntries();
  let entries = 0;
  try {
    await call();
  } finally {
    entries = stop();
  }
  return blocksRun() + entries;
}
