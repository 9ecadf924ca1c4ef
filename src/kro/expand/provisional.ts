import { apiVersionOf, groupKind, type KubeObject, nameOf } from '../../core/model/object.ts';
import { get, getAt, isMap, type Path, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { type Item, nodeLabels } from '../../kubernetes/label/index.ts';
import { createBudget, EvaluationError, isExhausted, spendObject } from '../../languages/cel/index.ts';
import { type CompiledExpression, isReference } from '../compile/index.ts';
import { placeInNamespace, withInherited } from './finish.ts';
import { mayNest, startInstance } from './instance.ts';
import { combinations } from './make.ts';
import { evaluate, fork, type InstanceRun, type NodeRun, withItem } from './run.ts';
import { drain } from './runs.ts';

/** An object that a pending node would render, or name, without pending values. */
export interface ProvisionalObject {
  object: KubeObject;
  holes: readonly Path[];
  /** Its run, if it is an instance. */
  nested: InstanceRun | undefined;
}

/** The known part of the objects of a pending node. */
export interface Provisional {
  /** `undefined` if their number is unknown, or above what the budget of the instance allows. */
  objects: readonly ProvisionalObject[] | undefined;
  /** The expressions without a value so far. */
  pending: ReadonlySet<CompiledExpression>;
}

/**
 * Runs the template of a pending node, with holes for missing values, so that its readers can be processed too. An
 * instance with holes is expanded separately. Its errors were reported before or are due to the holes, so the reports
 * of `world` are discarded.
 */
export function makeProvisionally(at: NodeRun): Provisional {
  const { run, node } = at;
  const pending = new Set<CompiledExpression>();
  const note = (expression: CompiledExpression): void => {
    const { frame } = run;
    if (evaluate(expression, { frame, budget: createBudget(run.world.options) }) instanceof EvaluationError)
      pending.add(expression);
  };
  for (const condition of node.includeWhen) note(condition);
  for (const { expression } of node.forEach) note(expression);
  if (node.kind !== 'collection') {
    const object = makeObject(at, run.frame, pending, undefined);
    return { objects: node.kind === 'externalCollection' ? undefined : [object], pending };
  }
  const items = combinations(at);
  if (!Array.isArray(items)) {
    for (const expression of node.expressions) {
      if (expression.perItem) pending.add(expression);
      else note(expression);
    }
    return { objects: undefined, pending };
  }
  const objects: ProvisionalObject[] = [];
  for (const [index, values] of items.entries()) {
    spendObject(run.budget, 0);
    if (isExhausted(run.budget)) return { objects: undefined, pending };
    objects.push(makeObject(at, withItem(at, values).frame, pending, { index, size: items.length }));
  }
  return { objects, pending };
}

function makeObject(
  at: NodeRun,
  frame: InstanceRun['frame'],
  pending: Set<CompiledExpression>,
  item: Item | undefined,
): ProvisionalObject {
  const { run, node } = at;
  const holes: Path[] = [];
  const value = node.template({
    frame,
    budget: createBudget(run.world.options),
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
  if (!isReference(node)) {
    const labels = withInherited(get(metadata, 'labels'), 'labels', run);
    metadata.labels = nodeLabels(run.labels, node.id, item, isMap(labels) ? labels : undefined);
    const annotations = withInherited(get(metadata, 'annotations'), 'annotations', run);
    if (annotations !== undefined) metadata.annotations = annotations;
  }
  object.metadata = metadata;
  return { object, holes, nested: isReference(node) ? undefined : startNested(object, holes, at) };
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

/**
 * Removes a pending value from the value of a template, of which only literals are shared. An element of a list becomes
 * null, so that the others keep their index.
 */
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
  setKey(whole, String(step), withNull(value[step] ?? null, rest));
  return whole;
}
