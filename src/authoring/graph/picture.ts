import { composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { groupKind } from '../../core/model/object.ts';
import { formatSteps } from '../../core/model/read.ts';
import {
  contentKeyOf,
  type Graph,
  type GraphNode,
  type Graphs,
  isReference,
  readsOf,
} from '../../kro/compile/index.ts';
import { type InstanceRun, titleOfRun, type World, withNested } from '../../kro/expand/index.ts';
import { type Verdict, verdictOf } from '../explain/index.ts';

/** The state of a node in an instance; `mixed` if several instances of an RGD differ. */
export type State = Verdict | 'mixed';

export interface PictureNode {
  id: Text;
  kind: GraphNode['kind'];
  object: Text;
  iterators: readonly Text[];
  /** The expressions of its includeWhen. */
  conditions: readonly Text[];
  /** The index of the picture of the RGD that renders its objects. */
  chained: number | undefined;
  outcome: State | undefined;
}

export interface Picture {
  name: Text;
  /** The kind that it defines, or the instance whose nodes are coloured. */
  title: Text;
  nodes: readonly PictureNode[];
  /** By the indexes of the nodes: the second one reads the first one. */
  edges: readonly (readonly [number, number])[];
  /** The fields that each edge reads; absent if unknown. */
  reads?: readonly (readonly FieldRead[])[];
}

/** `first` is the index of the first one among all pictures. */
export const picturesOf = (shown: readonly Graph[], graphs: Graphs, first = 0): Picture[] =>
  shown.map((graph) => pictureOf(graph, trusted.definition(graph.kind), { shown, graphs, first, runs: [] }));

/** Returns the graphs of an instance, its own first, then those that it chains, with the state of each node. */
export function picturesOfInstance(run: InstanceRun, graphs: Graphs, world: World): Picture[] {
  const runs = groupBy(withNested(run), ({ graph }) => graph);
  const shown = [...runs.keys()];
  return shown.map((graph) => {
    const all = runs.get(graph) ?? [];
    const title =
      graph === run.graph
        ? titleOfRun(run, world)
        : composeText`${trusted.definition(graph.kind)}, ${all.length} of it`;
    return pictureOf(graph, title, { shown, graphs, first: 0, runs: all });
  });
}

function pictureOf(
  graph: Graph,
  title: Text,
  { shown, graphs, first, runs }: { shown: readonly Graph[]; graphs: Graphs; first: number; runs: InstanceRun[] },
): Picture {
  const nodes = graph.nodes.map((node): PictureNode => {
    const inner = graphs.get(groupKind(node.gvk));
    const at = inner === undefined || isReference(node) ? -1 : shown.indexOf(inner);
    return {
      id: trusted.definition(node.id),
      kind: node.kind,
      object: trusted.definition(node.gvk.kind || contentKeyOf(node)),
      iterators: node.forEach.map(({ name }) => trusted.definition(name)),
      conditions: node.includeWhen.map(({ source }) => trusted.definition(source.trim())),
      chained: at < 0 ? undefined : first + at,
      outcome: outcomeOf(runs, node.index),
    };
  });
  const edges = graph.nodes.flatMap(({ index, dependencies }) => dependencies.map((read) => [read, index] as const));
  const reads = edges.map(([from, to]) => readsBetween(graph.nodes[to] as GraphNode, graph.nodes[from] as GraphNode));
  return { name: trusted.definition(graph.name), title, nodes, edges, reads };
}

function outcomeOf(runs: readonly InstanceRun[], node: number): State | undefined {
  const outcomes = new Set(runs.map((run) => verdictOf(run, node)));
  const [only] = outcomes;
  return outcomes.size > 1 ? 'mixed' : only;
}

/** A field of a node that reads a field of another one; '' for the whole object. */
export interface FieldRead {
  read: Text;
  by: Text;
}

/** Returns what the expressions of a node read of another one, without duplicates, in the order of the expressions. */
function readsBetween(node: GraphNode, other: GraphNode): FieldRead[] {
  const found = new Map<string, FieldRead>();
  const all = [...node.includeWhen, ...node.forEach.map(({ expression }) => expression), ...node.expressions];
  for (const expression of all) {
    const field = expression.path.slice(node.path.length);
    const isTemplate = field[0] === 'template' || field[0] === 'externalRef';
    const by = trusted.field(isTemplate ? field.slice(1) : field);
    for (const { root, path } of readsOf(expression, node)) {
      if (root !== other.id) continue;
      const read = trusted.definition(formatSteps(path));
      found.set(`${read}\0${by}`, { read, by });
    }
  }
  return [...found.values()];
}
