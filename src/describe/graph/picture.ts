import { addressText, composeText, joinTexts, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupKind } from '../../core/model/object.ts';
import { formatSteps } from '../../core/model/read.ts';
import { clipped } from '../../core/text/clip.ts';
import { type Graph, type GraphNode, type Graphs, isReference, readsOf } from '../../kro/compile/index.ts';
import { type InstanceRun, isSecretlyNamed, titleOfRun, withNested } from '../../kro/expand/index.ts';
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
  /** The addresses of the instances whose states the nodes have; absent in the picture of an RGD. */
  instances?: readonly Text[];
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
export function picturesOfInstance(run: InstanceRun, graphs: Graphs): Picture[] {
  const runs = groupBy(withNested(run), ({ graph }) => graph);
  const shown = [...runs.keys()];
  return shown.map((graph) => {
    const all = runs.get(graph) ?? [];
    const title =
      graph === run.graph ? titleOfRun(run) : composeText`${trusted.definition(graph.kind)}, ${all.length} of it`;
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
      object: trusted.definition(node.gvk.kind || node.contentKey),
      iterators: node.forEach.map(({ name }) => trusted.definition(name)),
      conditions: node.includeWhen.map(({ source }) => trusted.definition(source.trim())),
      chained: at < 0 ? undefined : first + at,
      outcome: outcomeOf(runs, node.index),
    };
  });
  const edges = graph.nodes.flatMap(({ index, dependencies }) => dependencies.map((read) => [read, index] as const));
  const readsOfNodes = graph.nodes.map(fieldReads);
  const reads = edges.map(([from, to]) => readsOfNodes[to]?.get((graph.nodes[from] as GraphNode).id) ?? []);
  const picture = { name: trusted.definition(graph.name), title, nodes, edges, reads };
  if (runs.length === 0) return picture;
  return { ...picture, instances: runs.map((run) => addressText(run.instance, isSecretlyNamed(run))) };
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

/** Returns what the expressions of a node read, by the name of what they read, each once and in their order. */
function fieldReads(node: GraphNode): Map<string, FieldRead[]> {
  const found = new Map<string, Map<string, FieldRead>>();
  const all = [...node.includeWhen, ...node.forEach.map(({ expression }) => expression), ...node.expressions];
  for (const expression of all) {
    const field = expression.path.slice(node.path.length);
    const isTemplate = field[0] === 'template' || field[0] === 'externalRef';
    const by = trusted.field(isTemplate ? field.slice(1) : field);
    for (const { root, path } of readsOf(expression, node)) {
      const read = trusted.definition(formatSteps(path));
      getOrCompute(found, root, () => new Map<string, FieldRead>()).set(`${read}\0${by}`, { read, by });
    }
  }
  return new Map([...found].map(([root, reads]) => [root, [...reads.values()]]));
}

/** Longer notes get a line each. */
const LONGEST = 40;

/** Returns the lines in the box of a node: its id, the kind of its objects, and notes. */
export function linesOf(node: PictureNode, pictures: readonly Picture[]): Text[] {
  const list = node.kind === 'collection' || node.kind === 'externalCollection';
  const object = list ? composeText`${node.object} []` : node.object;
  const notes = [
    ...(isExternal(node) ? [composeText`external`] : []),
    ...(node.iterators.length > 0 ? [composeText`for each ${joinTexts(node.iterators, ', ')}`] : []),
    ...(node.conditions.length > 0 ? [composeText`conditional`] : []),
    ...(node.chained === undefined ? [] : [composeText`RGD ${pictures[node.chained]?.name ?? ''}`]),
    ...(node.outcome === undefined || node.outcome === 'included' ? [] : [composeText`${node.outcome}`]),
  ];
  const line = joinTexts(notes, ', ');
  return [node.id, object, ...(line.length > LONGEST ? notes : line === '' ? [] : [line])];
}

export const isExternal = ({ kind }: PictureNode): boolean => kind === 'external' || kind === 'externalCollection';

export const titleOfPicture = ({ name, title }: Picture): Text => composeText`${name} (${title})`;

export const conditionsOf = ({ conditions }: PictureNode): Text =>
  joinTexts(
    conditions.map((condition) => composeText`if ${clipped(condition, 1000)}`),
    '\n',
  );

const MOST_LINES = 3;
const MOST_LETTERS = 40;

export function labelOf(reads: readonly FieldRead[]): Text[] {
  const whole = composeText`the object`;
  const fields = [...new Set(reads.map(({ read }) => clipped(read === '' ? whole : read, MOST_LETTERS)))];
  const shown = fields.length > MOST_LINES ? fields.slice(0, MOST_LINES - 1) : fields;
  return shown.length === fields.length ? shown : [...shown, composeText`and ${fields.length - shown.length} more`];
}

const MOST_READS = 20;

/** Returns the tooltip of an arrow: the reading and the read fields, a line each. */
export function tooltipOf(reads: readonly FieldRead[], from?: PictureNode, to?: PictureNode): Text {
  const lines = reads.slice(0, MOST_READS).map(({ read, by }) => {
    const field = read === '' ? read : joined(clipped(read, 200));
    return composeText`${to?.id ?? ''}: ${clipped(by, 200)} reads ${from?.id ?? ''}${field}`;
  });
  const more = reads.length > MOST_READS ? [composeText`and ${reads.length - MOST_READS} more`] : [];
  return joinTexts([...lines, ...more], '\n');
}

// sentence: joins two paths of fields, which have no words
const joined = (read: Text): Text => (read.startsWith('[') ? read : composeText`.${read}`);
