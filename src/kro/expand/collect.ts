import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import type { InputObject, KubeObject } from '../../core/model/object.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import { get, isMap } from '../../core/model/value.ts';
import { dependenciesOf } from './dependencies.ts';
import { nodeRun } from './node-run.ts';
import { orderReporter, type Placed } from './order.ts';
import { reportNode } from './report.ts';
import type { InstanceRun } from './run.ts';
import type { Expansion } from './runs.ts';
import type { World } from './world.ts';

/** The result for an instance of the package. */
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

/** Two collections of a thousand items that read each other have a million dependencies. */
const MAX_DEPENDENCIES = 500_000;

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

function withoutOwners(object: KubeObject, run: InstanceRun, node: number, world: World): KubeObject {
  if (world.options.keepOwnerReferences) return object;
  const remaining = withoutInstanceOwners(object, world.objects.uids);
  if (remaining === object) return object;
  const message = phrase`an owner reference to the instance is left out: the instance is not in the cluster`;
  const path = [...(run.graph.nodes[node]?.path ?? []), 'template', 'metadata', 'ownerReferences'];
  const hint = phrase`--keep-owner-references keeps it`;
  const alike = `${run.graph.name}/${run.graph.nodes[node]?.id}`;
  const problem: Problem = { code: 'owner-reference', message, path, severity: 'warning', hint, alike };
  reportNode(nodeRun(run, node, world), problem);
  return remaining;
}

/**
 * Returns the object without owner references to rendered instances: those are not in the cluster, so garbage
 * collection would delete the object. Returns the object itself if it has none.
 */
function withoutInstanceOwners(object: KubeObject, instanceIds: ReadonlySet<string>): KubeObject {
  const owners = get(get(object, 'metadata'), 'ownerReferences');
  if (!Array.isArray(owners)) return object;
  const remaining = owners.filter((owner) => !isInstance(owner, instanceIds));
  if (remaining.length === owners.length) return object;
  const { ownerReferences: _, ...rest } = object.metadata as ValueMap;
  return { ...object, metadata: remaining.length === 0 ? rest : { ...rest, ownerReferences: remaining } };
}

function isInstance(owner: Value, instanceIds: ReadonlySet<string>): boolean {
  const uid = isMap(owner) ? get(owner, 'uid') : undefined;
  return typeof uid === 'string' && instanceIds.has(uid);
}
