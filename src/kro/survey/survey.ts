import {
  apiVersionOf,
  type GroupVersionKind,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../../core/model/object.ts';
import { EACH, type Read, type Step, touches } from '../../core/model/read.ts';
import type { Path, Value } from '../../core/model/value.ts';
import type { ObjectName } from '../../kubernetes/front-end/index.ts';
import { allReads, type CelValue, type Flow, into, readsIn } from '../../languages/cel/index.ts';
import { type CompiledExpression, isList, isReference, originOf, statusExpressions } from '../compile/index.ts';
import {
  copied,
  type DefaultNamespace,
  type Expansion,
  type InstanceRun,
  makeProvisionally,
  type NodeRun,
  nestedRuns,
  nestedView,
  nodeRun,
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
export interface ReadTarget extends ObjectName {
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

const targetOf = (object: KubeObject, parts: Partial<ReadTarget> & Pick<ReadTarget, 'seen'>): ReadTarget => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  namespace: namespaceOf(object),
  name: nameOf(object),
  own: object,
  holes: [],
  referenced: false,
  nested: undefined,
  ...parts,
});

const renderedReadTarget = (rendered: RenderedItem, world: World): ReadTarget =>
  rendered.nested === undefined
    ? targetOf(rendered.object, { seen: viewOf(rendered, world) })
    : targetOf(rendered.nested.instance, instanceParts(rendered.nested));

/** An instance is not in a cluster, so its status is computed from its own nodes. */
const instanceParts = (run: InstanceRun): Pick<ReadTarget, 'own' | 'seen' | 'nested'> => ({
  own: { ...run.instance, status: statusOf(run) },
  seen: nestedView(run),
  nested: run,
});

/** Returns the target of an object that a reference found anywhere. */
export function referencedReadTarget(seen: KubeObject, gvk: GroupVersionKind, world: World): ReadTarget {
  const key = identityOf(seen);
  const instance = world.objects.instance(key);
  // The version is that of the reference, whatever was found.
  const found = { apiVersion: apiVersionOf(gvk), seen: seen as CelValue, referenced: true };
  if (instance !== undefined) return targetOf(instance.instance, { ...instanceParts(instance), ...found });
  const observed = world.observed.find(key) !== undefined;
  const own = world.plain.get(key) ?? world.objects.object(key) ?? (observed ? undefined : seen);
  return targetOf(seen, { ...found, own });
}

/** Returns the identity by which a live object is found; `undefined` while it is pending. */
export const keyOf = ({ apiVersion, kind, namespace, name }: ObjectName): string | undefined =>
  name === undefined ? undefined : identityOf({ apiVersion, kind, metadata: { name, namespace } });

/** One node of one run, with its objects. */
export interface SurveyedNode extends NodeRun {
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
  for (const run of runs) surveyRun(run, found);
  return { world, observedNamespace, runs: found, expected: expectedIn(found) };
}

/** An object that a pending node will render. */
interface Expected extends NodeRun {
  target: ReadTarget;
}

function expectedIn(runs: Survey['runs']): Map<string, Expected> {
  const expected = new Map<string, Expected>();
  for (const [run, nodes] of runs) {
    for (const { node, isPending, targets = [] } of nodes) {
      for (const target of isPending ? targets : []) {
        const key = keyOf(target);
        if (key !== undefined && !target.referenced) expected.set(key, { run, node, target });
      }
    }
  }
  return expected;
}

function surveyRun(run: InstanceRun, found: Map<InstanceRun, SurveyedNode[]>): void {
  const nodes: SurveyedNode[] = [];
  found.set(run, nodes);
  for (const index of run.graph.order) {
    const at = nodeRun(run, index);
    refreshViews(run, at.node.dependencies);
    const surveyed = surveyNode(at);
    nodes[index] = surveyed;
    for (const { nested } of surveyed.targets ?? []) {
      const inner = nested !== undefined && nested.parent?.run === run;
      if (inner && !found.has(nested)) surveyRun(nested, found);
    }
  }
  for (const nested of nestedRuns(run)) if (!found.has(nested)) surveyRun(nested, found);
}

const NONE: ReadonlySet<CompiledExpression> = new Set();

function surveyNode(at: NodeRun): SurveyedNode {
  const { run, node } = at;
  const state = run.states[node.index];
  const surveyed = { ...at, isPending: false, skipped: state === 'skipped', targets: [], pending: NONE };
  if (state === 'skipped') return surveyed;
  if (state === 'done') return { ...surveyed, targets: doneReadTargets(at) };
  // The known part of its objects, for its readers.
  const { objects, pending } = makeProvisionally(at);
  const targets = objects?.map((rendered) => readTargetOfHoles(rendered, at));
  const seen = targets?.map((target) => target.seen ?? null);
  // Nothing can be read from null, so readers of an unknown list are pending too.
  setValue(at, isList(node) ? (seen ?? null) : (seen?.[0] ?? null));
  return { ...surveyed, isPending: true, targets, pending };
}

const doneReadTargets = ({ run, node }: NodeRun): ReadTarget[] =>
  node.kind === 'resource' || node.kind === 'collection'
    ? (run.rendered[node.index] ?? []).map((rendered) => renderedReadTarget(rendered, run.world))
    : objectsSeen({ run, node }).map((object) => referencedReadTarget(object, node.gvk, run.world));

function readTargetOfHoles({ object, holes, nested }: ProvisionalObject, { run, node }: NodeRun): ReadTarget {
  const { world } = run;
  const isPlaced = !holes.some(([top, key]) => top === 'metadata' && key === 'namespace');
  const known = { holes, name: (isPlaced && nameOf(object)) || undefined };
  if (isReference(node)) {
    const own = world.objects.object(identityOf(object));
    return targetOf(object, { ...known, own, seen: (own ?? object) as CelValue, referenced: true });
  }
  const parts = nested === undefined ? { seen: viewOf({ object }, world) } : instanceParts(nested);
  return targetOf(object, { ...known, ...parts });
}

/** One object that an expression reads, and the path in it. */
export interface ResolvedRead {
  of: SurveyedNode;
  /** `undefined` if the objects, or even their number, are unknown. */
  target: ReadTarget | undefined;
  path: readonly Step[];
  /** The number of steps of the path that must exist. */
  needed: number;
  whole: boolean;
  /** The value is computed from reads that are resolved separately. */
  computed: boolean;
}

/** More than the maximum nesting of instances; references between instances may be cyclic. */
const MAX_INDIRECTIONS = 16;

/**
 * Returns the objects of a read. The status of an instance is not in a cluster: its reads are traced to the nodes of
 * that instance.
 */
export function resolveRead(read: Read, run: InstanceRun, survey: Survey, depth = 0): ResolvedRead[] {
  const origin = originOf(read, run.graph);
  const of = origin?.node && survey.runs.get(run)?.[origin.node.index];
  if (origin === undefined || of === undefined || depth > MAX_INDIRECTIONS) return [];
  const { path, needed, whole, item } = origin;
  if (of.targets === undefined) return [{ of, target: undefined, path, needed, whole, computed: false }];
  const picked = item === undefined ? of.targets : of.targets.slice(item, item + 1);
  return picked.flatMap((found) => {
    const target = comingFor(found, survey) ?? found;
    const inner =
      target.nested === undefined ? [] : statusLandings({ ...read, path, needed }, target.nested, survey, depth);
    return [{ of, target, path, needed, whole, computed: inner.length > 0 }, ...inner];
  });
}

/** Returns what a pending reference will find: an object that another node is going to render. */
function comingFor(target: ReadTarget, survey: Survey): ReadTarget | undefined {
  const key = target.referenced && target.own === undefined ? keyOf(target) : undefined;
  return key === undefined || survey.world.observed.find(key) !== undefined
    ? undefined
    : survey.expected.get(key)?.target;
}

function statusLandings(read: Read, nested: InstanceRun, survey: Survey, depth: number): ResolvedRead[] {
  const [top, ...inStatus] = read.path;
  if (top !== undefined && top !== 'status' && top !== EACH) return [];
  const computed = statusExpressions(nested.graph.status.template).filter(({ path }) => touches(path, inStatus));
  return computed.flatMap(({ expression, path }) => {
    const rest = inStatus.slice(path.length);
    const way = read.path.length - rest.length;
    return readsAt(expression, rest, read.needed - way, read.whole).flatMap((inner) =>
      // An optional field of the status requires nothing itself.
      resolveRead(read.needed < way ? { ...inner, needed: 0 } : inner, nested, survey, depth + 1),
    );
  });
}

/** Returns the reads of an expression of whose value only a part is used, with so many required steps. */
function readsAt(expression: CompiledExpression, rest: readonly Step[], needed: number, whole: boolean): Read[] {
  const { reads, value } = readsIn(expression.parsed.root);
  const part = rest.reduce<Flow>((flow, step, index) => into(flow, step, index >= needed), value);
  return allReads({ reads, value: part }).map((read) => ({ ...read, whole: read.whole && whole }));
}
