import { type Problem, phrase, redact, show, shown } from '../../core/diagnostics/index.ts';
import { ORDER_ANNOTATIONS } from '../../core/model/keys.ts';
import { MAX_DEPENDENCIES } from '../../core/model/limits.ts';
import { type InputObject, identityOf, type KubeObject } from '../../core/model/object.ts';
import type { Rendered } from '../../core/model/render.ts';
import { get, textAt, type ValueMap } from '../../core/model/value.ts';
import { isSecret } from '../../core/redaction/index.ts';
import type { Ordered, OrderReporter } from '../../kubernetes/label/index.ts';
import { awaitedBy, isReference } from '../compile/index.ts';
import { reportNode } from './report.ts';
import { type Expansion, type InstanceRun, type NodeRun, nodeRun, objectsSeen } from './run.ts';
import { hasSecretIdentity, secrecyOf } from './secrecy.ts';

/** A node that renders nothing stands for its dependencies; nested nodes also depend on those of their parent. */
function dependenciesOf(node: NodeRun): KubeObject[] {
  const found = new Set<KubeObject>();
  for (let at: InstanceRun['parent'] = node; at !== undefined; at = at.run.parent) {
    addObjects(at.run, awaitedBy(at.node), found);
  }
  return [...found];
}

/** Processes each node once and without recursion: nodes that render nothing may form long chains. */
function addObjects(run: InstanceRun, nodes: readonly number[], found: Set<KubeObject>): void {
  const seen = new Set<number>();
  const ahead = [...nodes].reverse();
  for (let index = ahead.pop(); index !== undefined; index = ahead.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    const at = nodeRun(run, index);
    if (addRendered(at, found)) continue;
    const rendered = referencedObject(at);
    if (rendered !== undefined) {
      found.add(rendered);
      continue;
    }
    for (const object of referencedPlain(at)) found.add(object);
    for (const next of [...awaitedBy(at.node)].reverse()) ahead.push(next);
  }
}

function addRendered({ run, node }: NodeRun, found: Set<KubeObject>): boolean {
  const before = found.size;
  for (const rendered of run.rendered[node.index] ?? []) {
    if (rendered.nested === undefined) found.add(rendered.object);
    else addObjects(rendered.nested, rendered.nested.graph.order, found);
  }
  return found.size > before;
}

function referencedObject(at: NodeRun): KubeObject | undefined {
  if (at.node.kind !== 'external') return undefined;
  const [seen] = objectsSeen(at);
  const rendered = seen && at.run.world.objects.object(identityOf(seen));
  return rendered === seen ? rendered : undefined;
}

/** Returns the objects of the package that an external reference found there or as live objects. */
const referencedPlain = (at: NodeRun): KubeObject[] =>
  isReference(at.node) ? objectsSeen(at).flatMap((one) => at.run.world.plain.get(identityOf(one)) ?? []) : [];

interface Placed extends Rendered, Ordered {
  by: NodeRun;
}

/** Reports whether a run rendered the object, and not another front end. */
const isPlaced = (one: Ordered): one is Placed => 'by' in one;

/** Reports an ordering problem once per node, however many objects it has. */
function orderReporter(): OrderReporter {
  const reported = new Map<InstanceRun, Set<string>>();
  return (ordered, problem, other) => {
    if (!isPlaced(ordered)) return;
    const { run, node } = ordered.by;
    const key = `${node.index} ${problem.code}`;
    const known = reported.get(run) ?? new Set();
    if (known.has(key)) return;
    reported.set(run, known.add(key));
    const about = { ...problem, path: [...node.path, 'template', ...problem.path] };
    reportNode(ordered.by, isSecretlyOrdered(ordered, other) ? redact(about) : show(about));
  };
}

/** Reports whether a message about the order of two objects may contain values of a Secret. */
function isSecretlyOrdered({ by }: Placed, other: Ordered | undefined): boolean {
  const isAnnotated = (at: NodeRun): boolean => {
    const secrecy = secrecyOf(at);
    return ORDER_ANNOTATIONS.some((key) => isSecret(secrecy, ['metadata', 'annotations', key]));
  };
  if (isAnnotated(by)) return true;
  if (other !== undefined && isPlaced(other)) return hasSecretIdentity(other.by) || isAnnotated(other.by);
  return by.run.graph.nodes.some((node) => hasSecretIdentity({ run: by.run, node }));
}

export interface ExpandedInstance {
  input: InputObject;
  rendered: readonly Placed[];
  pending: readonly { instanceId: string; node: string }[];
}

export function collectInstances({ runs }: Expansion): ExpandedInstance[] {
  const reportOrder = orderReporter();
  const counted = { count: 0 };
  return runs.map((whole) => {
    const rendered: Placed[] = [];
    const pending: { instanceId: string; node: string }[] = [];
    const collect = (run: InstanceRun): void => {
      const { id: instanceId } = run;
      for (const at of run.graph.order) {
        const by = nodeRun(run, at);
        const node = by.node.id;
        if (run.states[at] === 'pending') pending.push({ instanceId, node });
        const dependencies = orderedBehind(by, counted);
        for (const { object, nested } of run.rendered[at] ?? []) {
          if (nested !== undefined) collect(nested);
          else rendered.push({ object: withoutOwners(object, by), instanceId, node, by, dependencies, reportOrder });
        }
      }
    };
    collect(whole);
    return { input: whole.input, rendered, pending };
  });
}

const NONE: readonly KubeObject[] = [];

function orderedBehind(at: NodeRun, found: { count: number }): readonly KubeObject[] {
  const { run, node } = at;
  if (run.world.options.order === 'none') return NONE;
  const rendered = run.rendered[node.index]?.filter(({ object }) => object !== undefined) ?? [];
  if (rendered.length === 0 || found.count > MAX_DEPENDENCIES) return NONE;
  const dependencies = dependenciesOf(at);
  found.count += dependencies.length * rendered.length;
  if (found.count <= MAX_DEPENDENCIES) return dependencies;
  const message = phrase`with this node, there are more than ${{ limit: shown(MAX_DEPENDENCIES) }} dependencies between objects to write down`;
  const hint = phrase`leave --order out, or let nodes read single objects in place of large collections`;
  reportNode(at, { code: 'budget-exceeded', message, path: node.path, hint });
  return NONE;
}

/** Removes owner references to instances, which are not in the cluster: garbage collection would delete the object. */
function withoutOwners(object: KubeObject, at: NodeRun): KubeObject {
  const { run, node } = at;
  const { options, objects } = run.world;
  const owners = get(get(object, 'metadata'), 'ownerReferences');
  if (options.keepOwnerReferences || !Array.isArray(owners)) return object;
  const remaining = owners.filter((owner) => !objects.uids.has(textAt(owner, 'uid')));
  if (remaining.length === owners.length) return object;
  const message = phrase`an owner reference to the instance is omitted: the instance is not in the cluster`;
  const path = [...node.path, 'template', 'metadata', 'ownerReferences'];
  const hint = phrase`--keep-owner-references keeps it`;
  const alike = `${run.graph.name}/${node.id}`;
  const problem: Problem = { code: 'owner-reference', message, path, severity: 'warning', hint, alike };
  reportNode(at, problem);
  const { ownerReferences: _, ...rest } = object.metadata as ValueMap;
  return { ...object, metadata: remaining.length === 0 ? rest : { ...rest, ownerReferences: remaining } };
}
