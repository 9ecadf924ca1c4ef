import { getOrCompute } from '../../core/model/lazily.ts';
import {
  apiVersionOf,
  type GroupVersionKind,
  groupKind,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../../core/model/object.ts';
import { EACH, type Read, type Step, touches } from '../../core/model/read.ts';
import { get, getAt, isMap, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { ObjectName } from '../../kubernetes/front-end/index.ts';
import { type Item, nodeLabels } from '../../kubernetes/label/index.ts';
import {
  allReads,
  type CelValue,
  createBudget,
  EvaluationError,
  type Flow,
  into,
  isExhausted,
  readsIn,
  spendObject,
} from '../../languages/cel/index.ts';
import { type CompiledExpression, isList, isReference, originOf, statusExpressions } from '../compile/index.ts';
import { placeInNamespace, withInherited } from '../expand/finish.ts';
import type { DefaultNamespace } from '../expand/identity.ts';
import { mayNest, startInstance } from '../expand/instance.ts';
import { combinations } from '../expand/make.ts';
import {
  evaluate,
  fork,
  type InstanceRun,
  type NodeRun,
  objectsSeen,
  type RenderedItem,
  setValue,
  type World,
  withItem,
} from '../expand/run.ts';
import { drain } from '../expand/runs.ts';
import { nestedView, statusOf, viewOf } from '../expand/view.ts';
import { isWithheld } from '../expand/withheld.ts';

/** An object that expressions read: a rendered one, or one that a reference names. */
export interface ReadTarget extends ObjectName {
  /** The package's part of it, without pending values; `undefined` if there is none. */
  own: Value | undefined;
  /** The object for expressions: `own`, merged with the observed state. */
  seen: CelValue | undefined;
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
  own: { ...run.instance, status: statusOf(run) ?? {} },
  seen: nestedView(run),
  nested: run,
});

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

export interface SurveyedNode extends NodeRun {
  isPending: boolean;
  skipped: boolean;
  /** `undefined` if their number is unknown. */
  targets: readonly ReadTarget[] | undefined;
  pending: ReadonlySet<CompiledExpression>;
}

const NONE: ReadonlySet<CompiledExpression> = new Set();

/** Surveys a node; the known part of the objects of a pending one becomes its value, for its readers. */
export function surveyNode(at: NodeRun): SurveyedNode {
  const { run, node } = at;
  const state = run.states[node.index];
  // What depends on an unknown value of a Secret is not evaluated.
  const skipped = state === 'skipped' || isWithheld(at);
  const surveyed = { ...at, isPending: false, skipped, targets: [], pending: NONE };
  if (skipped) return surveyed;
  if (state === 'done') return { ...surveyed, targets: doneReadTargets(at) };
  const pending = new Set<CompiledExpression>();
  const targets = makeProvisionally(at, pending);
  const seen = targets?.map((target) => target.seen ?? null);
  // Nothing can be read from null, so readers of an unknown list are pending too.
  setValue(at, isList(node) ? (seen ?? null) : (seen?.[0] ?? null));
  return { ...surveyed, isPending: true, targets, pending };
}

const doneReadTargets = ({ run, node }: NodeRun): ReadTarget[] =>
  node.kind === 'resource' || node.kind === 'collection'
    ? (run.rendered[node.index] ?? []).map((rendered) => renderedReadTarget(rendered, run.world))
    : objectsSeen({ run, node }).map((object) => referencedReadTarget(object, node.gvk, run.world));

/** Runs a template with holes for missing values; `undefined` if the number of objects is unknown or too large. */
function makeProvisionally(at: NodeRun, pending: Set<CompiledExpression>): ReadTarget[] | undefined {
  const { run, node } = at;
  const note = (expression: CompiledExpression): void => {
    const budget = createBudget(run.world.options);
    if (evaluate(expression, { frame: run.frame, budget }) instanceof EvaluationError) pending.add(expression);
  };
  for (const condition of node.includeWhen) note(condition);
  for (const { expression } of node.forEach) note(expression);
  if (node.kind !== 'collection') {
    const target = targetWithHoles(at, run.frame, pending, undefined);
    return node.kind === 'externalCollection' ? undefined : [target];
  }
  const items = combinations(at);
  if (!Array.isArray(items)) {
    for (const expression of node.expressions) {
      if (expression.perItem) pending.add(expression);
      else note(expression);
    }
    return undefined;
  }
  const targets: ReadTarget[] = [];
  for (const [index, values] of items.entries()) {
    spendObject(run.budget, 0);
    if (isExhausted(run.budget)) return undefined;
    targets.push(targetWithHoles(at, withItem(at, values).frame, pending, { index, size: items.length }));
  }
  return targets;
}

function targetWithHoles(
  at: NodeRun,
  frame: InstanceRun['frame'],
  pending: Set<CompiledExpression>,
  item: Item | undefined,
): ReadTarget {
  const { run, node } = at;
  const { world } = run;
  const holes: Path[] = [];
  const value = node.template({
    frame,
    budget: createBudget(world.options),
    failures: [],
    standIn: ({ expression }) => {
      pending.add(expression);
      holes.push(expression.path.slice(node.path.length + 1));
      return '';
    },
  });
  for (const hole of holes) empty(value, hole);
  const { kind } = node.gvk;
  const object: KubeObject = { ...(value as ValueMap), apiVersion: apiVersionOf(node.gvk), kind };
  const metadata: ValueMap = isMap(object.metadata) ? { ...object.metadata } : {};
  placeInNamespace(metadata, at);
  object.metadata = metadata;
  const isPlaced = !holes.some(([top, key]) => top === 'metadata' && key === 'namespace');
  const known = { holes, name: (isPlaced && nameOf(object)) || undefined };
  if (isReference(node)) {
    const own = world.objects.object(identityOf(object));
    return targetOf(object, { ...known, own, seen: (own ?? object) as CelValue, referenced: true });
  }
  const labels = withInherited(get(metadata, 'labels'), 'labels', run);
  metadata.labels = nodeLabels(run.labels, node.id, item, isMap(labels) ? labels : undefined);
  const annotations = withInherited(get(metadata, 'annotations'), 'annotations', run);
  if (annotations !== undefined) metadata.annotations = annotations;
  const nested = startNested(object, holes, at);
  return targetOf(object, { ...known, ...(nested ? instanceParts(nested) : { seen: viewOf({ object }, world) }) });
}

/** Expands an instance with holes in a fork of the world: others do not find its objects. */
function startNested(object: KubeObject, holes: readonly Path[], at: NodeRun): InstanceRun | undefined {
  const { run, node } = at;
  const graph = run.world.graphs.get(groupKind(node.gvk));
  if (graph === undefined || !mayNest(run) || nameOf(object) === '') return undefined;
  const around = fork(run.world);
  // A default must not replace a pending value: objects derived from it would never exist.
  const admitted = holes.reduce<Value>(withNull, graph.admission.admit(object, run.budget).object) as KubeObject;
  const child = startInstance(graph, admitted, run.input, at, around);
  around.scheduler.add(child);
  drain(around);
  return child;
}

/** Removes a pending value from the value of a template, of which only literals are shared. */
function empty(value: Value, path: Path): void {
  const parent = getAt(value, path.slice(0, -1));
  const step = path.at(-1);
  if (Array.isArray(parent) && typeof step === 'number') parent[step] = null;
  else if (isMap(parent) && step !== undefined) delete parent[step];
}

/** Returns the value with null, from which nothing can be read, at a path; unchanged if the path does not exist. */
function withNull(value: Value, [step, ...rest]: Path): Value {
  if (step === undefined) return null;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? withNull(item, rest) : item));
  if (!isMap(value) || (rest.length > 0 && !Object.hasOwn(value, step))) return value;
  const whole: ValueMap = { ...value };
  setKey(whole, String(step), withNull(get(value, String(step)) ?? null, rest));
  return whole;
}

/** Every node of every instance, including those after pending nodes. */
export interface Survey {
  world: World;
  observedNamespace: DefaultNamespace;
  /** In the order of the instances, nested ones after their parent. */
  runs: ReadonlyMap<InstanceRun, readonly SurveyedNode[]>;
  /** The objects that pending nodes will render, by identity: references will find them. */
  expected: ReadonlyMap<string, Expected>;
}

export interface Expected extends NodeRun {
  target: ReadTarget;
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

/** Returns the objects that a read needs, and those from which the statuses of nested instances among them are computed. */
export function resolveRead(read: Read, run: InstanceRun, survey: Survey): ResolvedRead[] {
  const search = new ReadSearch(survey);
  search.follow(read, run, 0);
  return [...search.found.values()];
}

/** Follows one read through the statuses of nested instances. Fields of a status may all read the same fields. */
class ReadSearch {
  readonly found = new Map<string, ResolvedRead>();
  readonly #survey: Survey;
  /** The least number of indirections after which each read was followed. */
  readonly #followed = new Map<string, number>();
  readonly #numbers = new Map<object, number>();

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  /** Adds what a read of an instance resolves to; returns whether it resolves to anything. */
  follow(read: Read, run: InstanceRun, depth: number): boolean {
    const origin = originOf(read, run.graph);
    const of = origin?.node && this.#survey.runs.get(run)?.[origin.node.index];
    if (origin === undefined || of === undefined || depth > MAX_INDIRECTIONS) return false;
    const { path, needed, whole, item } = origin;
    if (of.targets === undefined) {
      this.#add({ of, target: undefined, path, needed, whole, computed: false });
      return true;
    }
    const picked = item === undefined ? of.targets : of.targets.slice(item, item + 1);
    if (this.#isKnown([run, of], `${item} ${keyOfRead(origin)}`, depth)) return picked.length > 0;
    for (const found of picked) {
      const target = comingFor(found, this.#survey) ?? found;
      const resolved = this.#add({ of, target, path, needed, whole, computed: false });
      if (target.nested === undefined) continue;
      for (const [inner, nested] of readsOfStatus({ ...read, path, needed }, target.nested))
        if (this.follow(inner, nested, depth + 1)) resolved.computed = true;
    }
    return picked.length > 0;
  }

  /** Returns the one that was found first. */
  #add(read: ResolvedRead): ResolvedRead {
    const key = this.#keyOf([read.of, read.target ?? this], keyOfRead(read));
    return getOrCompute(this.found, key, () => read);
  }

  #isKnown(objects: readonly object[], text: string, depth: number): boolean {
    const key = this.#keyOf(objects, text);
    const known = this.#followed.get(key);
    if (known !== undefined && known <= depth) return true;
    this.#followed.set(key, depth);
    return false;
  }

  #keyOf(objects: readonly object[], text: string): string {
    return `${objects.map((one) => getOrCompute(this.#numbers, one, () => this.#numbers.size)).join(' ')} ${text}`;
  }
}

const keyOfRead = ({ path, needed, whole }: Pick<ResolvedRead, 'path' | 'needed' | 'whole'>): string =>
  `${needed} ${whole} ${JSON.stringify(path.map((step) => (step === EACH ? null : step)))}`;

/** Returns what a pending reference will find: an object that another node is going to render. */
function comingFor(target: ReadTarget, survey: Survey): ReadTarget | undefined {
  const key = target.referenced && target.own === undefined ? keyOf(target) : undefined;
  return key === undefined || survey.world.observed.find(key) !== undefined
    ? undefined
    : survey.expected.get(key)?.target;
}

/** Returns the reads from which a part of the status of an instance is computed. */
function* readsOfStatus(read: Read, nested: InstanceRun): Generator<readonly [read: Read, run: InstanceRun]> {
  const [top, ...inStatus] = read.path;
  if (top !== undefined && top !== 'status' && top !== EACH) return;
  const all = statusExpressions(nested.graph);
  for (const { expression, path } of all) {
    if (!touches(path, inStatus)) continue;
    const rest = inStatus.slice(path.length);
    const way = read.path.length - rest.length;
    // An optional field of the status requires nothing itself.
    for (const inner of readsAt(expression, rest, read.needed - way, read.whole))
      yield [read.needed < way ? { ...inner, needed: 0 } : inner, nested];
  }
  // A refused status is written as soon as each element of its lists has a value.
  if (statusOf(nested) !== undefined) return;
  for (const { expression, path } of all) {
    if (!path.includes(EACH) || touches(path, inStatus)) continue;
    for (const inner of readsAt(expression, [], 0, true)) yield [inner, nested];
  }
}

/** Returns the reads of an expression of whose value only a part is used, with so many required steps. */
function readsAt(expression: CompiledExpression, rest: readonly Step[], needed: number, whole: boolean): Read[] {
  const { reads, value } = readsIn(expression.parsed.root);
  const part = rest.reduce<Flow>((flow, step, index) => into(flow, step, index >= needed), value);
  return allReads({ reads, value: part }).map((read) => ({ ...read, whole: read.whole && whole }));
}
