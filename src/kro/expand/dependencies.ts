import { identityOf, type KubeObject } from '../../core/model/object.ts';
import type { InstanceRun } from './run.ts';
import type { World } from './world.ts';

/**
 * Returns the objects of the package, rendered ones above all, on which the objects of a node depend: those of the
 * nodes it reads, with nested instances expanded. A node that renders nothing (an external reference, an empty
 * collection) stands for its own dependencies; a reference to an object of another instance for that object. The nodes
 * of a nested instance also depend on the dependencies of the node that rendered it.
 */
export function dependenciesOf(run: InstanceRun, node: number, world: World): KubeObject[] {
  const found = new Set<KubeObject>();
  for (let at: InstanceRun['parent'] = { run, node }; at !== undefined; at = at.run.parent) {
    addObjects(at.run, at.run.graph.nodes[at.node]?.dependencies ?? [], world, found);
  }
  return [...found];
}

/** Processes each node once and without recursion: nodes that render nothing may form long chains. */
function addObjects(run: InstanceRun, nodes: readonly number[], world: World, found: Set<KubeObject>): void {
  const seen = new Set<number>();
  const ahead = [...nodes].reverse();
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (addRendered(run, node, world, found)) continue;
    const rendered = referencedObject(run, node, world);
    if (rendered !== undefined) {
      found.add(rendered);
      continue;
    }
    for (const object of referencedPlain(run, node, world)) found.add(object);
    for (const next of [...(run.graph.nodes[node]?.dependencies ?? [])].reverse()) ahead.push(next);
  }
}

/** Adds the rendered objects of a node; reports whether there are any. */
function addRendered(run: InstanceRun, node: number, world: World, found: Set<KubeObject>): boolean {
  const before = found.size;
  for (const rendered of run.rendered[node] ?? []) {
    if (rendered.nested === undefined) found.add(rendered.object);
    else addObjects(rendered.nested, rendered.nested.graph.order, world, found);
  }
  return found.size > before;
}

function referencedObject(run: InstanceRun, node: number, world: World): KubeObject | undefined {
  if (run.graph.nodes[node]?.kind !== 'external') return undefined;
  const value = run.frame[node + 1] as KubeObject | undefined;
  const rendered = value && world.objects.rendered(identityOf(value));
  return rendered === value ? rendered : undefined;
}

/**
 * Returns the objects of the package that an external reference, by name or by selector, found there or as live
 * objects.
 */
function referencedPlain(run: InstanceRun, node: number, world: World): KubeObject[] {
  const kind = run.graph.nodes[node]?.kind;
  if (kind !== 'external' && kind !== 'externalCollection') return [];
  const value = run.frame[node + 1] as KubeObject | readonly KubeObject[] | undefined;
  const values = value === undefined ? [] : [value].flat();
  return (values as KubeObject[]).flatMap((one) => world.plain.get(identityOf(one)) ?? []);
}
