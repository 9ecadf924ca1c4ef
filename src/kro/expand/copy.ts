import { Collector } from '../../core/diagnostics/index.ts';
import { createCaches } from './caches.ts';
import { copyRun, type InstanceRun } from './run.ts';
import type { Expansion } from './runs.ts';

/**
 * A copy of a finished expansion for those who go on behind the nodes that wait: their frames are written to, and what
 * is found on the way is reported to nobody. The expansion itself stays as it is.
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
