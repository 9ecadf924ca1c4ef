import {
  addressText,
  Collector,
  composeText,
  counted,
  joinTexts,
  type Report,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Location } from '../../core/text/line-index.ts';
import { type CompiledExpression, contentKeyOf, type GraphNode } from '../../kro/compile/index.ts';
import { hasSecretIdentity, type InstanceRun, objectsSeen, titleOfRun, type World } from '../../kro/expand/index.ts';
import type { Explainable } from './package.ts';
import { placed } from './place.ts';
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
  instance: titleOfRun(run, from.expansion.world),
  rgd: trusted.definition(isGraphRun(run) ? '' : run.graph.name),
  nodes: run.graph.order.map((index) => inShort(run.graph.nodes[index] as GraphNode, run, from)),
});

export function explainNode(node: GraphNode, run: InstanceRun, from: Explainable): ExplainedNode {
  const { world } = from.expansion;
  // Discard reports, because everything was reported before.
  const quiet: World = { ...world, reports: new Collector(), pending: [] };
  const context = { node: node.index, world: quiet, details: from.details, locator: from.locator };
  const fieldOf = (path: readonly (string | number)[]): Text => trusted.field(path.slice(node.path.length));
  const explain = (expression: CompiledExpression, field: Text, seen = run): ExplainedExpression =>
    explainExpression(expression, field, { ...context, run: seen });
  const conditions = node.includeWhen.map((one) => explain(one, fieldOf(one.path)));
  const iterators = node.forEach.map(({ name, expression }) =>
    explain(expression, composeText`forEach ${trusted.definition(name)}`),
  );
  const isSkipped = run.states[node.index] === 'skipped';
  const reached = isSkipped ? undefined : runAtItem(node, run, quiet, 0);
  const inTemplate = isSkipped ? [] : node.expressions.filter(({ perItem }) => reached !== undefined || !perItem);
  return {
    ...inShort(node, run, from),
    ...placed(run.graph.input, node.path, from),
    reads: readBy(node, run).map((index) => ({ id: idOf(index, run), verdict: verdictOf(run, index) })),
    conditions,
    iterators,
    expressions: inTemplate.map((one) => explain(one, fieldOf(one.path), reached)),
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
  const { world } = from.expansion;
  const isHidden = hasSecretIdentity(run, node.index, world);
  const objects = (run.rendered[node.index] ?? []).map(({ object, nested }) =>
    addressText(nested?.instance ?? (object as KubeObject), isHidden),
  );
  return {
    id: idOf(node.index, run),
    kind: trusted.definition(node.gvk.kind || contentKeyOf(node)),
    verdict: verdictOf(run, node.index),
    why: reasonFor(node, run, objects.length, from),
    objects,
  };
}

function reasonFor(node: GraphNode, run: InstanceRun, objects: number, { expansion, reports }: Explainable): Text {
  const { world } = expansion;
  const verdict = verdictOf(run, node.index);
  const own = reports.filter((one) => one.node === node.id && one.object === titleOfRun(run, world));
  const because = (found: readonly Pick<Report, 'message'>[], which: Text, otherwise: Text): Text => {
    if (found.length > 0)
      return joinTexts(
        found.map(({ message }) => message),
        '; ',
      );
    const alike = (indexes: readonly number[]): Text[] =>
      indexes
        .filter((index) => verdictOf(run, index) === verdict)
        .map(
          (index) => composeText`${run.graph.nodes[index]?.kind === 'frame' ? 'the graph ' : ''}${idOf(index, run)}`,
        );
    const [own, around] = [alike(readBy(node, run)), alike(node.captured ?? [])];
    if (own.length > 0) return composeText`it reads ${joinTexts(own, ', ')}, which ${which}`;
    return around.length === 0 ? otherwise : composeText`its graph ${which}: it reads ${joinTexts(around, ', ')}`;
  };
  if (verdict === 'skipped') {
    return because([], composeText`is skipped`, composeText`a condition of includeWhen is false`);
  }
  if (verdict === 'pending') {
    const pending = world.pending.filter((one) => one.run === run && one.node === node.index);
    return because(
      pending.map(({ report }) => report),
      composeText`is pending`,
      composeText`it is pending`,
    );
  }
  if (verdict === 'failed') return because(own, composeText`failed`, composeText`what it reads failed`);
  const patch = own.find(({ code }) => code === 'graph-patch');
  if (patch !== undefined) return patch.message;
  const shown = (count: number): Text => (count === 0 ? composeText`no objects` : counted(count, 'object'));
  if (node.kind === 'external') return composeText`the reference found its object`;
  if (node.kind === 'externalCollection')
    return composeText`the selector found ${shown(objectsSeen(run, node.index).length)}`;
  if (node.kind === 'collection') return composeText`it renders ${shown(objects)}`;
  return node.includeWhen.length > 0
    ? composeText`every condition of includeWhen is true`
    : composeText`it has no conditions`;
}

const idOf = (node: number, run: InstanceRun): Text => trusted.definition(run.graph.nodes[node]?.id ?? '');
