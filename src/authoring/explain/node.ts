import {
  addressText,
  Collector,
  composeText,
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
import { placeInRgd } from './place.ts';
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
  nodes: readonly Pick<ExplainedNode, 'id' | 'kind' | 'verdict' | 'why' | 'objects'>[];
}

/** Reports whether an instance is a Graph of kro 0.10, which is its own definition. */
export const isGraphRun = ({ graph, input }: InstanceRun): boolean => graph.input === input;

export function explainInstance(run: InstanceRun, from: Explainable): ExplainedInstance {
  const { world } = from.expansion;
  const nodes = run.graph.order.map((index) => {
    const node = run.graph.nodes[index] as GraphNode;
    const { id, kind, verdict, why, objects } = inShort(node, run, from);
    return { id, kind, verdict, why, objects };
  });
  return { instance: titleOfRun(run, world), rgd: trusted.definition(isGraphRun(run) ? '' : run.graph.name), nodes };
}

export function explainNode(node: GraphNode, run: InstanceRun, from: Explainable): ExplainedNode {
  const { world } = from.expansion;
  // Discard reports, because everything was reported before.
  const quiet: World = { ...world, reports: new Collector(), pending: [] };
  const context = { node: node.index, world: quiet, details: from.details, locator: from.locator };
  const fieldOf = (path: readonly (string | number)[]): Text => trusted.field(path.slice(node.path.length));
  const explain = (expression: CompiledExpression, field: Text, seen = run): ExplainedExpression =>
    explainExpression(expression, field, { ...context, run: seen });
  const place = placeInRgd(run.graph, node.path, from);
  const conditions = node.includeWhen.map((one) => explain(one, fieldOf(one.path)));
  const iterators = node.forEach.map(({ name, expression }) =>
    explain(expression, composeText`forEach ${trusted.definition(name)}`),
  );
  const isSkipped = run.states[node.index] === 'skipped';
  const reached = isSkipped ? undefined : runAtItem(node, run, quiet, 0);
  const inTemplate = isSkipped ? [] : node.expressions.filter(({ perItem }) => reached !== undefined || !perItem);
  return {
    ...inShort(node, run, from),
    ...(place === undefined ? {} : { place }),
    reads: node.dependencies.map((index) => ({
      id: idOf(index, run),
      verdict: verdictOf(run, index),
    })),
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

/** Returns the state of a node. */
export const verdictOf = (run: InstanceRun, node: number): Verdict => VERDICTS[run.states[node] ?? 'open'];

function inShort(
  node: GraphNode,
  run: InstanceRun,
  from: Explainable,
): Pick<ExplainedNode, 'id' | 'kind' | 'verdict' | 'why' | 'objects'> {
  const verdict = verdictOf(run, node.index);
  const objects = objectsOf(node, run, from.expansion.world);
  return {
    id: idOf(node.index, run),
    kind: trusted.definition(node.gvk.kind || contentKeyOf(node)),
    verdict,
    why: reasonFor(node, run, verdict, objects, from),
    objects,
  };
}

function reasonFor(
  node: GraphNode,
  run: InstanceRun,
  verdict: Verdict,
  objects: readonly Text[],
  { expansion: { world }, reports }: Explainable,
): Text {
  const named = (...states: readonly Verdict[]): Text[] =>
    node.dependencies.filter((index) => states.includes(verdictOf(run, index))).map((index) => idOf(index, run));
  if (verdict === 'skipped') {
    const skipped = named('skipped');
    return skipped.length > 0
      ? composeText`it reads ${joinTexts(skipped, ', ')}, which is skipped`
      : composeText`a condition of includeWhen is false`;
  }
  if (verdict === 'pending') {
    const pendingReports = world.pending.filter(
      (pendingReport) => pendingReport.run === run && pendingReport.node === node.index,
    );
    const pending = named('pending');
    if (pendingReports.length > 0)
      return joinTexts(
        pendingReports.map(({ report }) => report.message),
        '; ',
      );
    return pending.length > 0
      ? composeText`it reads ${joinTexts(pending, ', ')}, which is pending`
      : composeText`it is pending`;
  }
  if (verdict === 'failed') {
    const own = reports.filter((one) => one.node === node.id && isOf(one, run, world));
    const failed = named('failed');
    if (own.length > 0)
      return joinTexts(
        own.map(({ message }) => message),
        '; ',
      );
    return failed.length > 0
      ? composeText`it reads ${joinTexts(failed, ', ')}, which failed`
      : composeText`what it reads failed`;
  }
  const patches = reports.filter(
    ({ code, ...one }) => code === 'graph-patch' && one.node === node.id && isOf(one, run, world),
  );
  if (patches[0] !== undefined) return patches[0].message;
  if (node.kind === 'external') return composeText`the reference found its object`;
  if (node.kind === 'externalCollection')
    return composeText`the selector found ${counted(objectsSeen(run, node.index).length)}`;
  if (node.kind === 'collection') return composeText`it renders ${counted(objects.length)}`;
  return node.includeWhen.length > 0
    ? composeText`every condition of includeWhen is true`
    : composeText`it has no conditions`;
}

const idOf = (node: number, run: InstanceRun): Text => trusted.definition(run.graph.nodes[node]?.id ?? '');

const isOf = ({ object }: Pick<Report, 'object'>, run: InstanceRun, world: World): boolean =>
  object === titleOfRun(run, world);

const counted = (count: number): Text => composeText`${count === 0 ? 'no' : count} object${count === 1 ? '' : 's'}`;

function objectsOf(node: GraphNode, run: InstanceRun, world: World): Text[] {
  const isHidden = hasSecretIdentity(run, node.index, world);
  return (run.rendered[node.index] ?? []).map((rendered) => {
    const object: KubeObject = rendered.nested?.instance ?? (rendered.object as KubeObject);
    return addressText(object, isHidden);
  });
}
