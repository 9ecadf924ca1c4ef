import {
  addressText,
  Collector,
  composeText,
  counted,
  format,
  HIDDEN,
  joinTexts,
  type Report,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import type { Location } from '../../core/text/line-index.ts';
import type { CompiledExpression, ExpressionDetails, GraphNode } from '../../kro/compile/index.ts';
import {
  areSecretsUnknown,
  combinations,
  expressionReadsSecret,
  forEachLists,
  handlesSecret,
  hiddenTitleOfNode,
  type InstanceRun,
  isWithheld,
  mayBeShown,
  type NodeRun,
  objectsSeen,
  type PendingReport,
  shownReason,
  statusReadsSecret,
  titleOfRun,
  withItem,
} from '../../kro/expand/index.ts';
import {
  type CelValue,
  chainOf,
  children,
  createBudget,
  EvaluationError,
  type Expr,
  Optional,
  outcomeOf,
  type Program,
  toJson,
} from '../../languages/cel/index.ts';
import { locationOf } from '../../yaml/locate/index.ts';
import { type Explainable, placed } from './package.ts';

export type Verdict = 'included' | 'skipped' | 'pending' | 'failed';

/** The explanation of one node of an instance. */
export interface ExplainedNode {
  id: Text;
  kind: Text;
  verdict: Verdict;
  /** The reason in a sentence. */
  why: Text;
  place?: Location;
  /** The nodes that it reads, with their states. */
  reads: readonly { id: Text; verdict: Verdict }[];
  conditions: readonly ExplainedExpression[];
  iterators: readonly ExplainedExpression[];
  /** For a collection, those of its first item. */
  expressions: readonly ExplainedExpression[];
  /** The objects that it renders, as `KIND/NAMESPACE/NAME`. */
  objects: readonly Text[];
}

/** An instance with a summary of each of its nodes. */
export interface ExplainedInstance {
  instance: Text;
  /** '' for a Graph, which is its own definition. */
  rgd: Text;
  nodes: readonly InShort[];
}

/** Reports whether an instance is a Graph of kro 0.10, which is its own definition. */
export const isGraphRun = ({ graph, input }: InstanceRun): boolean => graph.input === input;

type InShort = Pick<ExplainedNode, 'id' | 'kind' | 'verdict' | 'why' | 'objects'>;

export function explainInstance(run: InstanceRun, from: Explainable): ExplainedInstance {
  const found = foundIn(run, from);
  return {
    instance: titleOfRun(run),
    rgd: trusted.definition(isGraphRun(run) ? '' : run.graph.name),
    nodes: run.graph.order.map((index) => inShort(run.graph.nodes[index] as GraphNode, run, found)),
  };
}

export function explainNode(node: GraphNode, run: InstanceRun, from: Explainable): ExplainedNode {
  const explain = (expression: CompiledExpression, field?: Text, seen = run): ExplainedExpression => {
    const own = trusted.field(expression.path.slice(node.path.length));
    return explainExpression(expression, field ?? own, { run: seen, node }, from);
  };
  const isSkipped = run.states[node.index] === 'skipped';
  // What an item is may depend on a value of a Secret.
  const isUnreached = isSkipped || (node.forEach.length > 0 && isWithheld({ run, node }));
  const reached = isUnreached ? undefined : runAtItem({ run, node }, 0);
  const inTemplate = isSkipped ? [] : node.expressions.filter(({ perItem }) => reached !== undefined || !perItem);
  return {
    ...inShort(node, run, foundIn(run, from)),
    ...placed(run.graph.input, node.path, from),
    reads: readBy(node, run).map((index) => ({ id: idOf(index, run), verdict: verdictOf(run, index) })),
    conditions: node.includeWhen.map((one) => explain(one)),
    iterators: node.forEach.map(({ name, expression }) =>
      explain(expression, composeText`forEach ${trusted.definition(name)}`),
    ),
    expressions: inTemplate.map((one) => explain(one, undefined, reached)),
  };
}

const VERDICTS: Readonly<Record<InstanceRun['states'][number], Verdict>> = {
  done: 'included',
  skipped: 'skipped',
  pending: 'pending',
  waiting: 'pending',
  open: 'failed',
  failed: 'failed',
};

/** Returns the nodes that a node reads; a nested Graph reads what its nodes read around it. */
function readBy({ id, kind, dependencies }: GraphNode, { graph }: InstanceRun): readonly number[] {
  if (kind !== 'frame') return dependencies;
  const inside = graph.nodes.filter((one) => one.id.startsWith(`${id}.`));
  const read = new Set(inside.flatMap((one) => one.dependencies));
  return [...read].filter((index) => !inside.some((one) => one.index === index));
}

export const verdictOf = (run: InstanceRun, node: number): Verdict => VERDICTS[run.states[node] ?? 'open'];

/** What was reported of an instance, by the ids of its nodes. */
interface Found {
  reports: ReadonlyMap<string | undefined, readonly Report[]>;
  pending: ReadonlyMap<string, readonly PendingReport[]>;
}

function foundIn(run: InstanceRun, { reports }: Explainable): Found {
  const title = titleOfRun(run);
  const own = reports.filter(({ object }) => object === title);
  const pending = run.world.pending.filter((one) => one.run === run);
  return { reports: groupBy(own, ({ node }) => node), pending: groupBy(pending, ({ node }) => node.id) };
}

function inShort(node: GraphNode, run: InstanceRun, found: Found): InShort {
  const hidden = hiddenTitleOfNode({ run, node });
  const objects = (run.rendered[node.index] ?? []).map(({ object, nested }) =>
    addressText(nested?.instance ?? (object as KubeObject), hidden),
  );
  return {
    id: idOf(node.index, run),
    kind: trusted.definition(node.gvk.kind || node.contentKey),
    verdict: verdictOf(run, node.index),
    why: reasonFor(node, run, objects.length, found),
    objects,
  };
}

/** Why a node is not included, if no report says it: what is the case with the nodes that it reads, or with itself. */
const REASONS: Readonly<Record<Exclude<Verdict, 'included'>, readonly [ofReads: Text, own: Text]>> = {
  skipped: [composeText`is skipped`, composeText`a condition of includeWhen is false`],
  pending: [composeText`is pending`, composeText`it is pending`],
  failed: [composeText`failed`, composeText`what it reads failed`],
};

function reasonFor(node: GraphNode, run: InstanceRun, objects: number, { reports, pending }: Found): Text {
  const verdict = verdictOf(run, node.index);
  const own = reports.get(node.id) ?? [];
  const withheld = isWithheld({ run, node }) ? own.find(({ code }) => code === 'secret-unknown') : undefined;
  if (withheld !== undefined) return withheld.message;
  if (verdict !== 'included') {
    const behind = (pending.get(node.id) ?? []).map(({ report }) => report);
    const found = { skipped: [], pending: behind, failed: own }[verdict];
    const messages = found.map(({ message }) => message);
    if (messages.length > 0) return joinTexts(messages, '; ');
    const [which, otherwise] = REASONS[verdict];
    const nameOf = (index: number): Text =>
      composeText`${run.graph.nodes[index]?.kind === 'frame' ? 'the graph ' : ''}${idOf(index, run)}`;
    const alike = (indexes: readonly number[]): Text[] =>
      indexes.filter((index) => verdictOf(run, index) === verdict).map(nameOf);
    const inside = alike(readBy(node, run));
    const around = alike(node.captured ?? []);
    if (inside.length > 0) return composeText`it reads ${joinTexts(inside, ', ')}, which ${which}`;
    return around.length === 0 ? otherwise : composeText`its graph ${which}: it reads ${joinTexts(around, ', ')}`;
  }
  const patch = own.find(({ code }) => code === 'graph-patch');
  if (patch !== undefined) return patch.message;
  const shown = (count: number): Text => (count === 0 ? composeText`no objects` : counted(count, 'object'));
  if (node.kind === 'external') return composeText`the reference found its object`;
  if (node.kind === 'externalCollection')
    return composeText`the selector found ${shown(objectsSeen({ run, node }).length)}`;
  if (node.kind === 'collection') return composeText`it renders ${shown(objects)}`;
  return node.includeWhen.length > 0
    ? composeText`every condition of includeWhen is true`
    : composeText`it has no conditions`;
}

const idOf = (node: number, run: InstanceRun): Text => trusted.definition(run.graph.nodes[node]?.id ?? '');

/** The result of an expression, or of a part of one: a value, or why there is none. */
export interface Evaluated {
  source: Text;
  value?: Value;
  /** Why there is no value. */
  missing?: Text;
  /** Why it was not evaluated: whether and how it fails may depend on a value of a Secret. */
  unshown?: Text;
  /** Its parts, in the order in which they are written. */
  parts: readonly Evaluated[];
}

export interface ExplainedExpression extends Evaluated {
  field: Text;
  place?: Location;
  /** Values are hidden. */
  hidden: boolean;
}

export type Expanded = Pick<Explainable, 'details' | 'locator'>;

const MOST_PARTS = 60;
const ABSENT = composeText`the optional is empty`;

/** Where an expression is evaluated: for a node, or without one for the status of the instance. */
export interface ExpressionRun {
  readonly run: InstanceRun;
  readonly node: GraphNode | undefined;
}

/**
 * Evaluates an expression part by part, as the run of a node sees it. Values that come from a Secret, or flow into one,
 * are hidden, and so is the text of an expression in a Secret that may contain one; with `hidden` all values are.
 * `entry` is the part that is explained in place of the whole.
 */
export function explainExpression(
  expression: CompiledExpression,
  field: Text,
  { run, node }: ExpressionRun,
  { details, locator }: Expanded,
  hidden = false,
  entry?: Expr,
): ExplainedExpression {
  const place = locationOf(locator, run.graph.input.source, expression.path, expression.offset);
  const there = { field, ...(place && { place }) };
  if (!mayBeShown(expression, run.graph)) return { ...there, hidden: true, source: HIDDEN, value: HIDDEN, parts: [] };
  const readsSecret = (): boolean =>
    node === undefined ? statusReadsSecret(expression, run) : expressionReadsSecret(expression, { run, node });
  if (areSecretsUnknown(run, { id: node?.id ?? '' }) && readsSecret()) {
    const written = trusted.definition(expression.source.trim());
    return { ...there, hidden: true, source: written, unshown: composeText`not shown: it reads a Secret`, parts: [] };
  }
  const handles = node === undefined ? readsSecret() : handlesSecret(expression, { run, node });
  const isHidden = hidden || handles;
  const evaluate = (program: Program): Pick<Evaluated, 'value' | 'missing'> => {
    const value = outcomeOf(() => program.run(run.frame, createBudget(run.world.options)));
    if (value instanceof EvaluationError)
      return { missing: format(shownReason(expression, value, run.graph, handles)) };
    if (value instanceof Optional && value.value === undefined && !isHidden) return { missing: ABSENT };
    return { value: isHidden ? HIDDEN : plain(value) };
  };
  const detail = details.get(expression);
  let left = MOST_PARTS;
  const partsIn = (part: Expr): Evaluated[] => {
    if (detail === undefined) return [];
    return inside(part, detail.checked.calls).flatMap((one) => {
      if (one.kind === 'literal' || left <= 0) return [];
      // A list or a map literal is omitted, because its members are shown.
      if (one.kind === 'list' || one.kind === 'map' || one.kind === 'struct') return partsIn(one);
      left -= 1;
      const source = trusted.definition(expression.parsed.source.slice(one.start, one.end));
      return [{ source, ...evaluate(detail.part(one)), parts: partsIn(one) }];
    });
  };
  const root = entry ?? expression.parsed.root;
  const written = entry === undefined ? expression.source : expression.parsed.source.slice(entry.start, entry.end);
  const program = entry === undefined ? expression.program : detail?.part(entry);
  return {
    ...there,
    hidden: isHidden,
    source: trusted.definition(written.trim()),
    ...(program && evaluate(program)),
    parts: partsIn(root),
  };
}

/** Returns the parts of an expression with values of their own: a chain of fields is one, a loop has its list. */
function inside(part: Expr, calls: ExpressionDetails['checked']['calls']): readonly Expr[] {
  if (part.kind === 'literal' || chainOf(part).start.kind === 'ident') return [];
  if (part.kind === 'comprehension' || part.kind === 'bind') return children(part).slice(0, 1);
  // `lists` in `lists.range(3)` is not a value.
  if (part.kind === 'call' && calls.get(part.id)?.namespaced === true) return part.args;
  return children(part);
}

function plain(value: CelValue): Value {
  const json = outcomeOf(() => toJson(value));
  return json instanceof EvaluationError ? `(${json.message})` : json;
}

/** Returns the run as the expressions of one item of a collection see it; `undefined` if there is no such item. */
export function runAtItem({ run, node }: NodeRun, index: number): InstanceRun | undefined {
  if (node.forEach.length === 0) return run;
  const items = combinations({ run: quiet(run), node });
  const item = Array.isArray(items) ? items[index] : undefined;
  return item === undefined ? undefined : withItem({ run, node }, Array.isArray(item) ? item : []);
}

/** Returns the index in each list of `forEach` of an item of a collection; none if there is no such item. */
export function itemIndexes({ run, node }: NodeRun, index: number): number[] {
  const lists = forEachLists({ run: quiet(run), node });
  if (!Array.isArray(lists)) return [];
  const indexes: number[] = [];
  let rest = index;
  for (const { length } of lists.toReversed()) {
    if (length === 0) return [];
    indexes.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return rest === 0 ? indexes : [];
}

/** Discards reports, because everything was reported before. */
const quiet = (run: InstanceRun): InstanceRun => ({
  ...run,
  world: { ...run.world, reports: new Collector(), pending: [] },
});
