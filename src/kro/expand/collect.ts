import { type Problem, phrase, redact, show, shown } from '../../core/diagnostics/index.ts';
import { ORDER_ANNOTATIONS } from '../../core/model/keys.ts';
import { MAX_DEPENDENCIES } from '../../core/model/limits.ts';
import { type InputObject, identityOf, type KubeObject } from '../../core/model/object.ts';
import type { Rendered } from '../../core/model/render.ts';
import { get, textAt, type ValueMap } from '../../core/model/value.ts';
import { isSecret } from '../../core/redaction/index.ts';
import type { Ordered, OrderReporter } from '../../kubernetes/label/index.ts';
import { awaitedBy, type GraphNode, isReference } from '../compile/index.ts';
import { nodeRun } from './node-run.ts';
import { reportNode } from './report.ts';
import { type InstanceRun, objectsSeen } from './run.ts';
import type { Expansion } from './runs.ts';
import { hasSecretIdentity, secrecyOf } from './secrecy.ts';
import type { World } from './world.ts';

/**
 * Returns the objects of the package, rendered ones above all, on which the objects of a node depend: those of the
 * nodes it reads, with nested instances expanded. A node that renders nothing (an external reference, an empty
 * collection) stands for its own dependencies; a reference to an object of another instance for that object. The nodes
 * of a nested instance also depend on the dependencies of the node that rendered it.
 */
function dependenciesOf(run: InstanceRun, node: number, world: World): KubeObject[] {
  const found = new Set<KubeObject>();
  for (let at: InstanceRun['parent'] = { run, node }; at !== undefined; at = at.run.parent) {
    addObjects(at.run, awaitedBy(at.run.graph.nodes[at.node] as GraphNode), world, found);
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
    for (const next of [...awaitedBy(run.graph.nodes[node] as GraphNode)].reverse()) ahead.push(next);
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
  const [seen] = objectsSeen(run, node);
  const rendered = seen && world.objects.rendered(identityOf(seen));
  return rendered === seen ? rendered : undefined;
}

/**
 * Returns the objects of the package that an external reference, by name or by selector, found there or as live
 * objects.
 */
function referencedPlain(run: InstanceRun, node: number, world: World): KubeObject[] {
  const external = run.graph.nodes[node];
  if (external === undefined || !isReference(external)) return [];
  return objectsSeen(run, node).flatMap((one) => world.plain.get(identityOf(one)) ?? []);
}

/** A rendered object with its dependencies, and its node. */
interface Placed extends Rendered, Ordered {
  rendered: { run: InstanceRun; index: number };
}

/** Reports whether a run rendered the object, and not another front end. */
const isPlaced = (one: Ordered): one is Placed => 'rendered' in one;

/** Reports an ordering problem once per node, however many objects it has. */
function orderReporter(world: World): OrderReporter {
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

export interface ExpandedInstance {
  input: InputObject;
  rendered: readonly Placed[];
  /** The pending nodes, including nested ones. */
  pending: readonly { instanceId: string; node: string }[];
}

/** Returns the rendered objects of the runs, in the order of the instances and of their nodes. */
export function collectInstances({ runs, world }: Expansion): ExpandedInstance[] {
  const shared = { reportOrder: orderReporter(world), dependencies: { count: 0 } };
  return runs.map((run) => {
    const collected: Collected = { rendered: [], pending: [], ...shared };
    collectInto(collected, run, world);
    return { input: run.input, rendered: collected.rendered, pending: collected.pending };
  });
}

const NONE: readonly KubeObject[] = [];

interface Collected {
  rendered: Placed[];
  pending: { instanceId: string; node: string }[];
  reportOrder: Placed['reportOrder'];
  /** The number of dependencies between objects of all instances. */
  dependencies: { count: number };
}

function collectInto(collected: Collected, run: InstanceRun, world: World): void {
  for (const index of run.graph.order) {
    const id = run.graph.nodes[index]?.id ?? '';
    if (run.states[index] === 'pending') collected.pending.push({ instanceId: run.id, node: id });
    const dependencies = orderedBehind(run, index, world, collected.dependencies);
    for (const rendered of run.rendered[index] ?? []) {
      if (rendered.nested !== undefined) collectInto(collected, rendered.nested, world);
      else {
        collected.rendered.push({
          object: withoutOwners(rendered.object, run, index, world),
          instanceId: run.id,
          node: id,
          rendered: { run, index },
          dependencies,
          reportOrder: collected.reportOrder,
        });
      }
    }
  }
}

/** Returns the dependencies of all objects of a node, if an order is requested. */
function orderedBehind(
  run: InstanceRun,
  node: number,
  world: World,
  found: Collected['dependencies'],
): readonly KubeObject[] {
  if (world.options.order === 'none') return NONE;
  const rendered = run.rendered[node]?.filter(({ object }) => object !== undefined) ?? [];
  if (rendered.length === 0 || found.count > MAX_DEPENDENCIES) return NONE;
  const dependencies = dependenciesOf(run, node, world);
  found.count += dependencies.length * rendered.length;
  if (found.count <= MAX_DEPENDENCIES) return dependencies;
  const message = phrase`with this node, there are more than ${shown(MAX_DEPENDENCIES)} dependencies between objects to write down`;
  const hint = phrase`leave --order out, or let nodes read single objects in place of large collections`;
  const { path = [] } = run.graph.nodes[node] ?? {};
  reportNode(nodeRun(run, node, world), { code: 'budget-exceeded', message, path, hint });
  return NONE;
}

/**
 * Returns the object without owner references to rendered instances: those are not in the cluster, so garbage
 * collection would delete the object. Returns the object itself if it has none.
 */
function withoutOwners(object: KubeObject, run: InstanceRun, node: number, world: World): KubeObject {
  const owners = get(get(object, 'metadata'), 'ownerReferences');
  if (world.options.keepOwnerReferences || !Array.isArray(owners)) return object;
  const remaining = owners.filter((owner) => !world.objects.uids.has(textAt(owner, 'uid')));
  if (remaining.length === owners.length) return object;
  const message = phrase`an owner reference to the instance is omitted: the instance is not in the cluster`;
  const path = [...(run.graph.nodes[node]?.path ?? []), 'template', 'metadata', 'ownerReferences'];
  const hint = phrase`--keep-owner-references keeps it`;
  const alike = `${run.graph.name}/${run.graph.nodes[node]?.id}`;
  const problem: Problem = { code: 'owner-reference', message, path, severity: 'warning', hint, alike };
  reportNode(nodeRun(run, node, world), problem);
  const { ownerReferences: _, ...rest } = object.metadata as ValueMap;
  return { ...object, metadata: remaining.length === 0 ? rest : { ...rest, ownerReferences: remaining } };
}
