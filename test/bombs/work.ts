import { Session } from 'node:inspector';

interface Coverage {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
}

/**
 * Open as long as the process: V8 counts the blocks only of functions that it compiled after this, and forgets all of
 * them when it ends. That is why these tests have a process of their own.
 */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** How often blocks of the sources were run since this was called last. */
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

/**
 * The work that a call does: how often every block of the sources is run, and every entry put into a map or a set. The
 * same on every machine, other than time. What the engine does inside of a built-in function is not in it.
 */
export function workOf(call: () => void): number {
  let entries = 0;
  const [set, add] = [Map.prototype.set, Set.prototype.add];
  blocksRun();
  Map.prototype.set = function (this: Map<unknown, unknown>, key, value) {
    entries += 1;
    return set.call(this, key, value);
  };
  Set.prototype.add = function (this: Set<unknown>, value) {
    entries += 1;
    return add.call(this, value);
  };
  try {
    call();
  } finally {
    Map.prototype.set = set;
    Set.prototype.add = add;
  }
  return blocksRun() + entries;
}
