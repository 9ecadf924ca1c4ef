import { addressText, composeText, counted, joinTexts, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Location } from '../../core/text/line-index.ts';
import type { CompiledExpression, GraphNode } from '../../kro/compile/index.ts';
import { hasSecretIdentity, type InstanceRun, objectsSeen, titleOfRun } from '../../kro/expand/index.ts';
import { type Explainable, placed } from './package.ts';
import { type ExplainedExpression, explainExpression, runAtItem } from './value.ts';

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

/** The explanation of a node without its expressions. */
type InShort = Pick<ExplainedNode, 'id' | 'kind' | 'verdict' | 'why' | 'objects'>;

export const explainInstance = (run: InstanceRun, from: Explainable): ExplainedInstance => ({
  instance: titleOfRun(run),
  rgd: trusted.definition(isGraphRun(run) ? '' : run.graph.name),
  nodes: run.graph.order.map((index) => inShort(run.graph.nodes[index] as GraphNode, run, from)),
});

export function explainNode(node: GraphNode, run: InstanceRun, from: Explainable): ExplainedNode {
  const explain = (expression: CompiledExpression, field?: Text, seen = run): ExplainedExpression => {
    const own = trusted.field(expression.path.slice(node.path.length));
    return explainExpression(expression, field ?? own, { run: seen, node }, from);
  };
  const isSkipped = run.states[node.index] === 'skipped';
  const reached = isSkipped ? undefined : runAtItem({ run, node }, 0);
  const inTemplate = isSkipped ? [] : node.expressions.filter(({ perItem }) => reached !== undefined || !perItem);
  return {
    ...inShort(node, run, from),
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

/** Returns the state of a node. */
export const verdictOf = (run: InstanceRun, node: number): Verdict => VERDICTS[run.states[node] ?? 'open'];

function inShort(node: GraphNode, run: InstanceRun, from: Explainable): InShort {
  const isHidden = hasSecretIdentity({ run, node });
  const objects = (run.rendered[node.index] ?? []).map(({ object, nested }) =>
    addressText(nested?.instance ?? (object as KubeObject), isHidden),
  );
  return {
    id: idOf(node.index, run),
    kind: trusted.definition(node.gvk.kind || node.contentKey),
    verdict: verdictOf(run, node.index),
    why: reasonFor(node, run, objects.length, from.reports),
    objects,
  };
}

/** Why a node is not included, if no report says it: what is the case with the nodes that it reads, or with itself. */
const REASONS: Readonly<Record<Exclude<Verdict, 'included'>, readonly [ofReads: Text, own: Text]>> = {
  skipped: [composeText`is skipped`, composeText`a condition of includeWhen is false`],
  pending: [composeText`is pending`, composeText`it is pending`],
  failed: [composeText`failed`, composeText`what it reads failed`],
};

function reasonFor(node: GraphNode, run: InstanceRun, objects: number, reports: Explainable['reports']): Text {
  const verdict = verdictOf(run, node.index);
  const title = titleOfRun(run);
  const own = reports.filter((one) => one.node === node.id && one.object === title);
  if (verdict !== 'included') {
    const pending = run.world.pending.filter((one) => one.run === run && one.node === node);
    const found = { skipped: [], pending: pending.map(({ report }) => report), failed: own }[verdict];
    const messages = found.map(({ message }) => message);
    if (messages.length > 0) return joinTexts(messages, '; ');
    const [which, otherwise] = REASONS[verdict];
    const nameOf = (index: number): Text =>
      composeText`${run.graph.nodes[index]?.kind === 'frame' ? 'the graph ' : ''}${idOf(index, run)}`;
    const alike = (indexes: readonly number[]): Text[] =>
      indexes.filter((index) => verdictOf(run, index) === verdict).map(nameOf);
    const [inside, around] = [alike(readBy(node, run)), alike(node.captured ?? [])];
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
