import { phrase, shown } from '../../core/diagnostics/index.ts';
import { groupKind, identityOf, type KubeObject } from '../../core/model/object.ts';
import { get, mapItems, type Path, type Value } from '../../core/model/value.ts';
import type { Item } from '../../kubernetes/label/index.ts';
import { type CelValue, EvaluationError, isExhausted, outcomeOf, toJson } from '../../languages/cel/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import {
  bytesProblem,
  type CompiledExpression,
  type Evaluation,
  type EvaluationFailure,
  nodeSlot,
} from '../compile/index.ts';
import { isRetried, pendingSeverity, reportPending, settleFailures } from './failures.ts';
import { finishObject } from './finish.ts';
import { claimIdentity, startNested } from './instance.ts';
import { recordPending, reportNode, reportWrongType } from './report.ts';
import { evaluate, type NodeRun, type NodeState, type RenderedItem, setItem, setRendered, setValue } from './run.ts';
import { handlesSecret } from './secrecy.ts';
import { viewOf } from './view.ts';

export function makeResource(at: NodeRun): NodeState {
  const { node } = at;
  const evaluation = evaluationOf(at);
  const raw = node.template(evaluation);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  const placed = ofKind(raw, at);
  if (placed === 'pending') return placed;
  const rendered = makeObject(raw, placed, undefined, evaluation.marked);
  if (rendered === undefined) return 'failed';
  setRendered(at, [rendered.item]);
  setValue(at, viewOf(rendered.known, at.run.world));
  return 'done';
}

/** Expands a collection: shared expressions first, then the lists, then one object for each combination. */
export function makeCollection(at: NodeRun): NodeState {
  const { world } = at.run;
  const evaluation = evaluationOf(at);
  const before = world.semantics.emptyCollectionReadsNothing ? combinations(at) : undefined;
  if (before !== undefined && !Array.isArray(before)) return before;
  const shared = before?.length === 0 ? new Map() : sharedValues(at, evaluation);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  const items = before ?? combinations(at);
  if (!Array.isArray(items)) return items;
  if (items.length === 0 && evaluation.standIn === undefined)
    for (const failure of unwritable(shared)) evaluation.failures.push(failure);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  const rendered = makeItems(at, items, evaluation, shared);
  if (typeof rendered === 'string') return rendered;
  setRendered(
    at,
    rendered.map(({ item }) => item),
  );
  const views = rendered.map(({ known }) => viewOf(known, world));
  setValue(at, views);
  return 'done';
}

/** Makes one object for each item, or returns the state of the node without them. */
function makeItems(
  at: NodeRun,
  items: readonly CelValue[][],
  evaluation: MarkingEvaluation,
  shared: ReadonlyMap<CompiledExpression, CelValue>,
): readonly MadeObject[] | NodeState {
  const { run, node } = at;
  const rendered: MadeObject[] = [];
  const each = { ...evaluation, shared };
  let failed = false;
  for (let index = 0; index < items.length; index++) {
    setItem(at, items[index] ?? []);
    evaluation.marked.length = 0;
    const raw = node.template(each);
    if (evaluation.failures.length > 0) {
      const frame = [...run.frame];
      const failures = evaluation.failures.map((failure) => ({ ...failure, frame }));
      return settleFailures(failures, at);
    }
    const placed = ofKind(raw, at);
    if (placed === 'pending') return placed;
    const one = makeObject(raw, placed, { index, size: items.length }, evaluation.marked);
    if (one !== undefined) rendered.push(one);
    else failed = true;
    if (failed && (isExhausted(run.budget) || run.world.reports.limitReached)) break;
  }
  return failed ? 'failed' : rendered;
}

function sharedValues(
  { run, node }: NodeRun,
  { standIn, failures }: Evaluation,
): ReadonlyMap<CompiledExpression, CelValue> {
  const shared = new Map<CompiledExpression, CelValue>();
  for (const expression of node.shared) {
    const value = evaluate(expression, run);
    if (!(value instanceof EvaluationError)) shared.set(expression, value);
    else if (standIn === undefined) failures.push({ expression, error: value, expected: expression.type });
  }
  return shared;
}

/** Returns values that no object can contain: kro converts the shared values before it evaluates the lists. */
function unwritable(shared: ReadonlyMap<CompiledExpression, CelValue>): Evaluation['failures'] {
  return [...shared].flatMap(([expression, value]) => {
    const error = outcomeOf(() => toJson(value));
    return error instanceof EvaluationError ? [{ expression, error, expected: expression.type }] : [];
  });
}

/** Evaluates a node that makes no object: a variable of a Graph, or a list of them. */
export function makeValue(at: NodeRun): NodeState {
  const { node } = at;
  const evaluation = evaluationOf(at);
  const items = combinations(at);
  if (!Array.isArray(items)) return items;
  const values = items.map((item) => {
    setItem(at, item);
    return node.template(evaluation) as CelValue;
  });
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  setValue(at, node.forEach.length === 0 ? (values[0] as CelValue) : values);
  return 'done';
}

/** Collects the values of the nodes of a frame; those that are omitted or pending have none. */
export function readFrame(at: NodeRun): NodeState {
  const { run, node } = at;
  const members = [...(node.members ?? [])].filter(([, index]) => run.states[index] === 'done');
  const values = Object.fromEntries(members.map(([id, index]) => [id, run.frame[nodeSlot(index)]]));
  setValue(at, values as CelValue);
  return 'done';
}

/** Returns the node with the kind of its object, if it is computed; a kind that nothing describes is pending. */
function ofKind(raw: Value, at: NodeRun): NodeRun | 'pending' {
  const { run, node } = at;
  if (node.resolve === undefined) return at;
  const rendered = run.rendered.flatMap((items) => items.flatMap(({ object }) => object ?? []));
  const known = node.resolve(raw, rendered);
  if (known !== undefined) return { run, node: { ...node, ...known } };
  const message = phrase`nothing describes the computed kind ${{ kind: toJsonText([get(raw, 'apiVersion') ?? null, get(raw, 'kind') ?? null]) }}`;
  recordPending(at, { code: 'pending-value', message, path: node.path, severity: pendingSeverity(run) });
  return 'pending';
}

/** A rendered object, and the part of it that other nodes read. */
interface MadeObject {
  item: RenderedItem;
  /** The same without values that are pending. */
  known: RenderedItem;
}

function makeObject(raw: Value, at: NodeRun, item: Item | undefined, marked: readonly Path[]): MadeObject | undefined {
  const { world } = at.run;
  const graph = world.graphs.get(groupKind(at.node.gvk));
  const object = finishObject(raw, at, item);
  if (object === undefined) return undefined;
  const key = identityOf(object);
  if (!claimIdentity(object, key, item, at)) return undefined;
  if (graph === undefined) {
    const known = marked.reduce<Value>(unsetAt, object) as KubeObject;
    world.objects.rendered.set(key, known);
    world.scheduler.wake(key);
    if (marked.length === 0) {
      const made = { object };
      return { item: made, known: made };
    }
    return { item: { object, known: { pending: [...marked], object: known } }, known: { object: known } };
  }
  const child = startNested(graph, object, at);
  if (child === undefined) return undefined;
  const made = { nested: child };
  return { item: made, known: made };
}

/** Returns a value without one of its fields; an item of a list becomes null, so that the others keep their index. */
function unsetAt(value: Value, [step, ...rest]: Path): Value {
  if (step === undefined) return null;
  return mapItems(value, (inner, key) => {
    if (key !== step) return inner;
    if (rest.length > 0) return unsetAt(inner, rest);
    return typeof key === 'number' ? null : undefined;
  });
}

/** The evaluation of a template, and the fields with a text in the place of a pending value. */
interface MarkingEvaluation extends Evaluation {
  /** Paths in the object; nobody reads the texts there. */
  marked: Path[];
}

/** Returns how a template of a node is run: with a placeholder for each pending value, if requested. */
function evaluationOf(at: NodeRun): MarkingEvaluation {
  const { run, node } = at;
  const withBytes = new Set<CompiledExpression>();
  const onBytes = (expression: CompiledExpression): void => {
    // The items of a collection share their expressions.
    if (expression.writesBytes === true || withBytes.has(expression)) return;
    withBytes.add(expression);
    reportNode(at, bytesProblem(expression, run.world.options.strict), { expression });
  };
  const { onPending, marksPending = false } = run.world.options;
  const evaluation: MarkingEvaluation = { frame: run.frame, budget: run.budget, failures: [], onBytes, marked: [] };
  if (onPending !== 'placeholder' && !marksPending) return evaluation;
  // A nested instance is admitted by its schema, and others read it.
  if (marksPending && run.world.graphs.has(groupKind(node.gvk))) return evaluation;
  const reported = new Set<CompiledExpression>();
  const standIn = (failed: EvaluationFailure): string | undefined => {
    const { expression, expected } = failed;
    const path = expression.path.slice(node.path.length + 1);
    const takesText = marksPending || expected.kind === 'string' || expected.kind === 'dyn';
    if (!isRetried(failed, run) || !takesText || hasSyntax(path)) return undefined;
    if (marksPending) evaluation.marked.push(path);
    // The items of a collection share their expressions.
    if (!reported.has(expression)) reportPending(failed, at, 'warning');
    reported.add(expression);
    return `<pending: ${expression.source.trim()}>`;
  };
  return { ...evaluation, standIn };
}

/** Names and labels have a syntax that no placeholder matches. */
const hasSyntax = ([top, key]: Path): boolean =>
  top === 'metadata' && (key === 'name' || key === 'namespace' || key === 'labels');

/** kro: evaluateForEach; before 0.10, lists after an empty one are not evaluated. Items are plain data. */
export function combinations(at: NodeRun): CelValue[][] | NodeState {
  const { world } = at.run;
  const lists = forEachLists(at);
  if (!Array.isArray(lists)) return lists;
  const empty = lists.findIndex((list) => list.length === 0);
  // The lists before an empty one are limited too (kro 0.10: cartesianProduct).
  const counted = world.semantics.forEachReadsAll ? lists.slice(0, empty < 0 ? undefined : empty) : lists;
  const size = counted.reduce((total, list) => total * list.length, 1);
  const limit = world.options.maxCollectionSize;
  if (size <= limit) return product(lists);
  const isSecret = at.node.forEach.some(({ expression }) => handlesSecret(expression, at));
  const count = shown(isSecret ? '' : `${size} items, `);
  const message = phrase`the collection would have ${count}more than the limit of ${{ limit: shown(limit) }}`;
  const hint = phrase`raise --max-collection-size, or shorten the lists`;
  const path = [...at.node.path, 'forEach'];
  reportNode(at, { code: 'collection-too-large', message, path, hint });
  return 'failed';
}

/** Returns the lists of `forEach`, up to the first empty one if the following ones are not evaluated. */
export function forEachLists(at: NodeRun): (readonly CelValue[])[] | NodeState {
  const { run, node } = at;
  const lists: (readonly CelValue[])[] = [];
  for (const { name, expression } of node.forEach) {
    const found = evaluate(expression, run);
    const value = found instanceof EvaluationError ? found : outcomeOf(() => toJson(found));
    if (value instanceof EvaluationError) {
      return settleFailures([{ expression, error: value, expected: expression.type }], at);
    }
    if (!Array.isArray(value)) {
      return reportWrongType(expression, phrase`forEach '${{ name: shown(name) }}' must yield a list`, at);
    }
    lists.push(value);
    if (value.length === 0 && !run.world.semantics.forEachReadsAll) return lists;
  }
  return lists;
}

/** Returns every combination of items; the last list varies fastest. */
function product(lists: readonly (readonly CelValue[])[]): CelValue[][] {
  return lists.reduce<CelValue[][]>((rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])), [[]]);
}
