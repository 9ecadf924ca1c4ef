import { Collector } from '../../diagnostics/index.ts';
import type { InstanceRun } from './run.ts';
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
    const copy: InstanceRun = { ...run, frame: [...run.frame], stale: new Set(run.stale), made: [] };
    copies.set(run, copy);
    copy.parent = run.parent && { ...run.parent, run: copyOf(run.parent.run) };
    copy.made = run.made.map((items) => items.map((one) => (one.nested ? { nested: copyOf(one.nested) } : one)));
    return copy;
  };
  return {
    runs: runs.map(copyOf),
    world: { ...world, reports: new Collector(), objects: world.objects.ofRuns(copyOf) },
  };
}
