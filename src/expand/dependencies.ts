import { identityOf, type KubeObject } from '../model/object.ts';
import type { InstanceRun } from './instance.ts';
import type { World } from './world.ts';

/**
 * The objects of the package, rendered ones above all, that the objects of a node come after: those of the nodes it reads, nested instances taken
 * apart. A node that renders nothing (an external reference, an empty collection) stands for what it reads itself;
 * a reference to an object of another instance for that object. The nodes of a nested instance also come after what
 * the node that made it reads.
 */
export function dependenciesOf(run: InstanceRun, node: number, world: World): KubeObject[] {
  const found = new Set<KubeObject>();
  for (const read of run.graph.nodes[node]?.dependencies ?? []) addObjects(run, read, world, found);
  if (run.parent !== undefined) {
    for (const object of dependenciesOf(run.parent.run, run.parent.node, world)) found.add(object);
  }
  return [...found];
}

function addObjects(run: InstanceRun, node: number, world: World, found: Set<KubeObject>): void {
  const before = found.size;
  for (const made of run.made[node] ?? []) {
    if (made.nested === undefined) found.add(made.object);
    else for (const index of made.nested.graph.order) addObjects(made.nested, index, world, found);
  }
  if (found.size > before) return;
  const rendered = referencedObject(run, node, world);
  if (rendered !== undefined) {
    found.add(rendered);
    return;
  }
  for (const object of referencedPlain(run, node, world)) found.add(object);
  for (const read of run.graph.nodes[node]?.dependencies ?? []) addObjects(run, read, world, found);
}

function referencedObject(run: InstanceRun, node: number, world: World): KubeObject | undefined {
  if (run.graph.nodes[node]?.kind !== 'external') return undefined;
  const value = run.frame[node + 1] as KubeObject | undefined;
  const rendered = value && world.rendered.get(identityOf(value));
  return rendered === value ? rendered : undefined;
}

/** The objects of the package that an external reference, by name or by selector, found there or as live objects. */
function referencedPlain(run: InstanceRun, node: number, world: World): KubeObject[] {
  const kind = run.graph.nodes[node]?.kind;
  if (kind !== 'external' && kind !== 'externalCollection') return [];
  const value = run.frame[node + 1] as KubeObject | readonly KubeObject[] | undefined;
  const values = value === undefined ? [] : [value].flat();
  return (values as KubeObject[]).flatMap((one) => world.plain.get(identityOf(one)) ?? []);
}
