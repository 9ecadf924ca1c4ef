import { redact, show } from '../../core/diagnostics/index.ts';
import { ORDER_ANNOTATIONS } from '../../core/model/keys.ts';
import type { Rendered } from '../../core/model/render.ts';
import { isSecret } from '../../core/redaction/index.ts';
import type { Ordered, OrderReporter } from '../../kubernetes/label/index.ts';
import { nodeRun } from './node-run.ts';
import { reportNode } from './report.ts';
import type { InstanceRun } from './run.ts';
import { hasSecretIdentity, secrecyOf } from './secrecy.ts';
import type { World } from './world.ts';

/** A rendered object with its dependencies, and its node. */
export interface Placed extends Rendered, Ordered {
  rendered: { run: InstanceRun; index: number };
}

/** Reports whether a run rendered the object, and not another front end. */
const isPlaced = (one: Ordered): one is Placed => 'rendered' in one;

/** Reports an ordering problem once per node, however many objects it has. */
export function orderReporter(world: World): OrderReporter {
  const reported = new Map<InstanceRun, Set<string>>();
  return (ordered, problem, other) => {
    if (!isPlaced(ordered)) return;
    const { run, index: node } = ordered.rendered;
    const key = `${node} ${problem.code}`;
    const known = reported.get(run) ?? new Set();
    if (known.has(key)) return;
    reported.set(run, known.add(key));
    const path = [...(run.graph.nodes[node]?.path ?? []), 'template', ...problem.path];
    const about = { ...problem, path };
    const isHidden = isSecretlyOrdered(ordered, other, world);
    reportNode(nodeRun(run, node, world), isHidden ? redact(about) : show(about));
  };
}

/**
 * Reports whether a message about the order of two objects may contain values of a Secret: the name of the other
 * object, or computed order annotations. A plain object was found by a reference of the node.
 */
function isSecretlyOrdered({ rendered: { run, index } }: Placed, other: Ordered | undefined, world: World): boolean {
  const isAnnotated = (of: InstanceRun, node: number): boolean => {
    const secrecy = secrecyOf(of, node, world);
    return ORDER_ANNOTATIONS.some((key) => isSecret(secrecy, ['metadata', 'annotations', key]));
  };
  if (isAnnotated(run, index)) return true;
  if (other !== undefined && isPlaced(other)) {
    const { rendered } = other;
    return hasSecretIdentity(rendered.run, rendered.index, world) || isAnnotated(rendered.run, rendered.index);
  }
  return run.graph.nodes.some((node) => hasSecretIdentity(run, node.index, world));
}
