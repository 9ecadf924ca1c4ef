import { Collector } from '../../core/diagnostics/index.ts';
import { createCaches } from './caches.ts';
import { copyRun, type InstanceRun } from './run.ts';
import type { Expansion } from './runs.ts';

/**
 * Returns a copy of a finished expansion in which pending nodes can be continued: its
 * reports are discarded. The original does not change; both spend from one budget.
 */
export function copied({ runs, world }: Expansion): Expansion {
  const copies = new Map<InstanceRun, InstanceRun>();
  const copyOf = (run: InstanceRun): InstanceRun => {
    const known = copies.get(run);
    if (known !== undefined) return known;
    return copyRun(run, (copy) => copies.set(run, copy), copyOf);
  };
  return {
    runs: runs.map(copyOf),
    world: {
      ...world,
      reports: new Collector(),
      objects: world.objects.ofRuns(copyOf),
      caches: createCaches(),
    },
  };
}
