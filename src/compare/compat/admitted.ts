/** What the schema of an RGD says of an instance, which the parts of a comparison ask again and again. */

import type { Problem } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Graph } from '../../kro/compile/index.ts';

/** The faults of instances by the RGD. */
const known = new WeakMap<Graph, WeakMap<KubeObject, readonly Problem[]>>();

/** Returns the faults of an instance by the schema of an RGD. */
export function faultsOf(graph: Graph, instance: KubeObject): readonly Problem[] {
  const ofGraph = getOrCompute(known, graph, () => new WeakMap<KubeObject, readonly Problem[]>());
  return getOrCompute(ofGraph, instance, () => graph.admission.admit(instance).problems);
}
