import { Collector } from '../../core/diagnostics/index.ts';
import { copyRun, type InstanceRun } from './run.ts';
import type { Expansion } from './runs.ts';
import { createCaches } from './world.ts';

/** Runs the graphs of instances: renders the objects of nodes in dependency order. */

export { type Alternative, referenceInstead } from './alternative.ts';
export { collectInstances, type ExpandedInstance } from './collect.ts';
export { namespaceFor } from './external.ts';
export { type DefaultNamespace, inNamespace } from './identity.ts';
export { inheritedKeys } from './inherit.ts';
export { type NodeRun, nodeRun } from './node-run.ts';
export type { Maker } from './objects.ts';
export { combinations } from './product.ts';
export { makeProvisionally, type ProvisionalObject } from './provisional.ts';
export { mayBeShown, reasonOf } from './reason.ts';
export { reportNode, reportNothingRendered } from './report.ts';
export {
  type InstanceRun,
  type NodeState,
  nestedRuns,
  objectsSeen,
  type RenderedItem,
  setValue,
  withItem,
  withNested,
} from './run.ts';
export { type ExpandInput, type Expansion, runInstances } from './runs.ts';
export {
  handlesSecret,
  hasSecretIdentity,
  isSecretlyNamed,
  secrecyOf,
  secretOf,
  titleOfRun,
} from './secrecy.ts';
export { candidateOf, selected } from './selection.ts';
export { computeStatus, nestedView, refreshViews, statusOf, viewOf } from './view.ts';
export type { PendingReport, World } from './world.ts';

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
