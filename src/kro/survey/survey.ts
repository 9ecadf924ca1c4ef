import { type GroupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Path, Value } from '../../core/model/value.ts';
import type { CelValue } from '../../languages/cel/index.ts';
import { type CompiledExpression, type GraphNode, isList, isReference } from '../compile/index.ts';
import {
  copied,
  type DefaultNamespace,
  type Expansion,
  type InstanceRun,
  makeProvisionally,
  nestedRuns,
  nestedView,
  objectsSeen,
  type ProvisionalObject,
  type RenderedItem,
  refreshViews,
  setValue,
  statusOf,
  viewOf,
  type World,
} from '../expand/index.ts';

/** An object that expressions read: a rendered one, or one that a reference names. */
export interface ReadTarget {
  apiVersion: string;
  kind: string;
  /** '' for none. */
  namespace: string;
  /** `undefined` while the name or the namespace is pending. */
  name: string | undefined;
  /** The package's part of it, without pending values; `undefined` if there is none. */
  own: Value | undefined;
  /** The object for expressions: `own`, merged with the observed state. */
  seen: CelValue | undefined;
  /** Fields whose values are pending. */
  holes: readonly Path[];
  /** It was found by reference: an observed object replaces it instead of being merged. */
  referenced: boolean;
  /** It is an instance, whose status is computed here. */
  nested: InstanceRun | undefined;
}

function readTargetOf(rendered: RenderedItem, world: World): ReadTarget {
  if (rendered.nested !== undefined) return instanceReadTarget(rendered.nested, world);
  const { object } = rendered;
  return { ...identityIn(object), own: object, seen: viewOf(rendered, world), ...PLAIN };
}

/** Returns the target of an instance: it is not in a cluster, so its status is computed from its own nodes. */
function instanceReadTarget(run: InstanceRun, world: World): ReadTarget {
  const own: Value = { ...run.instance, status: statusOf(run, world) };
  return { ...identityIn(run.instance), own, seen: nestedView(run, world), ...PLAIN, nested: run };
}

/** Returns the target of an object that a reference found anywhere. */
export function referencedReadTarget(seen: KubeObject, gvk: GroupVersionKind, world: World): ReadTarget {
  const key = identityOf(seen);
  const instance = world.objects.instance(key);
  const observed = world.observed.find(key) !== undefined;
  // The version is that of the reference, whatever was found.
  const found = { apiVersion: apiVersionOf(gvk), seen: seen as CelValue, referenced: true };
  if (instance !== undefined) return { ...instanceReadTarget(instance, world), ...found };
  const own = world.plain.get(key) ?? world.objects.rendered(key) ?? (observed ? undefined : seen);
  return { ...identityIn(seen), own, ...PLAIN, ...found };
}

const PLAIN = { holes: [], referenced: false, nested: undefined } as const;

const identityIn = (object: KubeObject): Pick<ReadTarget, 'apiVersion' | 'kind' | 'namespace' | 'name'> => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  namespace: namespaceOf(object),
  name: nameOf(object),
});

/** Returns the identity by which a live object is found; `undefined` while it is pending. */
export const keyOf = ({
  apiVersion,
  kind,
  namespace,
  name,
}: Pick<ReadTarget, 'apiVersion' | 'kind' | 'namespace' | 'name'>): string | undefined =>
  name === undefined ? undefined : identityOf({ apiVersion, kind, metadata: { name, namespace } });

/** Formats an apiVersion; the core group is omitted. */
export const apiVersionOf = ({ group, version }: GroupVersionKind): string =>
  group === '' ? version : `${group}/${version}`;

/** One node of one run, with its objects. */
export interface SurveyedNode {
  node: GraphNode;
  /** Its own value is pending. */
  isPending: boolean;
  skipped: boolean;
  /** `undefined` if their number is unknown. */
  targets: readonly ReadTarget[] | undefined;
  /** Its expressions without a value so far. */
  pending: ReadonlySet<CompiledExpression>;
}

/** Every node of every instance, including those after pending nodes. */
export interface Survey {
  world: World;
  /** The namespace of live objects without one. */
  observedNamespace: DefaultNamespace;
  /** In the order of the instances, nested ones after their parent. */
  runs: ReadonlyMap<InstanceRun, readonly SurveyedNode[]>;
  /** The objects that pending nodes will render, by identity: references will find them. */
  expected: ReadonlyMap<string, Expected>;
}

/** Surveys a finished expansion, and continues after pending nodes in a copy. */
export function surveyRuns(expansion: Expansion, observedNamespace: DefaultNamespace): Survey {
  const { runs, world } = copied(expansion);
  const found = new Map<InstanceRun, SurveyedNode[]>();
  for (const run of runs) surveyRun(run, world, found);
  return { world, observedNamespace, runs: found, expected: expectedIn(found) };
}

/** An object that a pending node will render. */
export interface Expected {
  run: InstanceRun;
  node: number;
  target: ReadTarget;
}

function expectedIn(runs: Survey['runs']): Map<string, Expected> {
  const expected = new Map<string, Expected>();
  for (const [run, nodes] of runs) {
    for (const { node, isPending, targets = [] } of nodes) {
      for (const target of isPending ? targets : []) {
        const key = keyOf(target);
        if (key !== undefined && !target.referenced) expected.set(key, { run, node: node.index, target });
      }
    }
  }
  return expected;
}

function surveyRun(run: InstanceRun, world: World, found: Map<InstanceRun, SurveyedNode[]>): void {
  const nodes: SurveyedNode[] = [];
  found.set(run, nodes);
  for (const index of run.graph.order) {
    const node = run.graph.nodes[index] as GraphNode;
    refreshViews(run, node.dependencies, world);
    const surveyed = surveyNode(run, node, world);
    nodes[index] = surveyed;
    for (const { nested } of surveyed.targets ?? []) {
      const inner = nested !== undefined && nested.parent?.run === run;
      if (inner && !found.has(nested)) surveyRun(nested, world, found);
    }
  }
  for (const nested of nestedRuns(run)) if (!found.has(nested)) surveyRun(nested, world, found);
}

const NONE: ReadonlySet<CompiledExpression> = new Set();

function surveyNode(run: InstanceRun, node: GraphNode, world: World): SurveyedNode {
  const state = run.states[node.index];
  if (state === 'skipped') return { node, isPending: false, skipped: true, targets: [], pending: NONE };
  if (state === 'done') {
    return { node, isPending: false, skipped: false, targets: doneReadTargets(run, node, world), pending: NONE };
  }
  const { targets, pending } = provisionalReadTargets(run, node, world);
  const seen = targets?.map((target) => target.seen ?? null);
  // Nothing can be read from null, so readers of an unknown list are pending too.
  setValue(run, node.index, isList(node) ? (seen ?? null) : (seen?.[0] ?? null));
  return { node, isPending: true, skipped: false, targets, pending };
}

function doneReadTargets(run: InstanceRun, node: GraphNode, world: World): ReadTarget[] {
  if (node.kind === 'resource' || node.kind === 'collection') {
    return (run.rendered[node.index] ?? []).map((rendered) => readTargetOf(rendered, world));
  }
  return objectsSeen(run, node.index).map((object) => referencedReadTarget(object, node.gvk, world));
}

/** Returns the known part of the objects of a pending node, for its readers. */
function provisionalReadTargets(
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
  if (isReference(node)) {
    const rendered = world.objects.rendered(identityOf(object));
    return { ...known, own: rendered, seen: (rendered ?? object) as CelValue, referenced: true };
  }
  if (nested !== undefined) return { ...instanceReadTarget(nested, world), ...known, nested };
  return { ...known, own: object, seen: viewOf({ object }, world) };
}
