import type { CelValue } from '../../cel/index.ts';
import { identityOf, nameOf, namespaceOf } from '../../model/object.ts';
import type { CompiledExpression, GraphNode } from '../../rgd/compile/index.ts';
import {
  type InstanceRun,
  makeProvisionally,
  type ProvisionalObject,
  viewOf,
  type World,
} from '../../rgd/expand/index.ts';
import { type Carrier, identityIn, instanceCarrier, PLAIN } from './carrier.ts';

/** What a node that waits would make as far as it is known, for those who read it. */
export function provisionalCarriers(
  run: InstanceRun,
  node: GraphNode,
  world: World,
): { carriers: readonly Carrier[] | undefined; waiting: ReadonlySet<CompiledExpression> } {
  const { objects, waiting } = makeProvisionally(run, node, world);
  return { carriers: objects?.map((made) => carrierOfHoles(made, node, world)), waiting };
}

function carrierOfHoles({ object, holes, nested }: ProvisionalObject, node: GraphNode, world: World): Carrier {
  const isPlaced = !holes.some(([top, key]) => top === 'metadata' && key === 'namespace');
  const name = isPlaced && nameOf(object) !== '' ? nameOf(object) : undefined;
  const known = { ...identityIn(object), namespace: namespaceOf(object), name, ...PLAIN, holes };
  if (node.kind === 'external' || node.kind === 'externalCollection') {
    const rendered = world.objects.rendered(identityOf(object));
    return { ...known, own: rendered, seen: (rendered ?? object) as CelValue, referenced: true };
  }
  if (nested !== undefined) return { ...instanceCarrier(nested, world), ...known, nested };
  return { ...known, own: object, seen: viewOf({ object }, world) };
}
