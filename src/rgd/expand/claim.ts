import type { Item } from '../../label/index.ts';
import { type KubeObject, titleOf } from '../../model/object.ts';
import type { GraphNode } from '../compile/index.ts';
import { reportNode } from './report.ts';
import type { InstanceRun } from './run.ts';
import { hasSecretIdentity, titleOfRun } from './secrecy.ts';
import type { World } from './world.ts';

/** Two rendered objects, or a rendered and a plain one, may not share an identity (the version is not part of it). */
export function claimIdentity(
  object: KubeObject,
  key: string,
  item: Item | undefined,
  node: GraphNode,
  run: InstanceRun,
  world: World,
): boolean {
  const { objects } = world;
  const other = objects.maker(key);
  const plain = world.plain.get(key) ?? objects.instances.get(key)?.instance;
  if (other === undefined && plain === undefined) {
    objects.claim(key, { run, node: node.index });
    return true;
  }
  const by =
    other === undefined
      ? 'the package holds it already'
      : `the node '${other.run.graph.nodes[other.node]?.id}' of ${titleOfRun(other.run, world)} renders it already`;
  const isHidden =
    hasSecretIdentity(run, node.index, world) ||
    (other !== undefined && hasSecretIdentity(other.run, other.node, world));
  const hidden = `one ${object.kind}${item === undefined ? '' : ` (item ${item.index})`}`;
  const message = `${isHidden ? hidden : titleOf(object)} would exist twice: ${by}`;
  const path = [...node.path, 'template', 'metadata', 'name'];
  reportNode(run, node.index, world, { code: 'identity-collision', message, path }, 'nothing');
  return false;
}
