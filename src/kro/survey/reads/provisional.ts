import { identityOf, nameOf, namespaceOf } from '../../../core/model/object.ts';
import type { CelValue } from '../../../languages/cel/index.ts';
import type { CompiledExpression, GraphNode } from '../../compile/index.ts';
import { type InstanceRun, makeProvisionally, type ProvisionalObject, viewOf, type World } from '../../expand/index.ts';
import { identityIn, instanceReadTarget, PLAIN, type ReadTarget } from './read-target.ts';

/** Returns the known part of the objects of a pending node, for its readers. */
export function provisionalReadTargets(
  run: InstanceRun,
  node: GraphNode,
  world: World,
): { targets: readonly ReadTarget[] | undefined; pending: ReadonlySet<CompiledExpression> } {
  const { objects, pending } = makeProvisionally({ run, node, world });
  return { targets: objects?.map((rendered) => readTargetOfHoles(rendered, node, world)), pending };
}

function readTargetOfHoles({ object, holes, nested }: ProvisionalObject, node: GraphNode, world: World): ReadTarget {
  const isPlaced = !holes.some(([top, key]) => top === 'metadata' && key === 'namespace');
  const name = isPlaced && nameOf(object) !== '' ? nameOf(object) : undefined;
  const known = { ...identityIn(object), namespace: namespaceOf(object), name, ...PLAIN, holes };
  if (node.kind === 'external' || node.kind === 'externalCollection') {
    const rendered = world.objects.rendered(identityOf(object));
    return { ...known, own: rendered, seen: (rendered ?? object) as CelValue, referenced: true };
  }
  if (nested !== undefined) return { ...instanceReadTarget(nested, world), ...known, nested };
  return { ...known, own: object, seen: viewOf({ object }, world) };
}
