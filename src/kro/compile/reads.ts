import { getOrCompute } from '../../core/model/lazily.ts';
import { EACH, type Read, type Step } from '../../core/model/read.ts';
import { allReads, type Flow, into, readsIn } from '../../languages/cel/index.ts';
import { type Graph, type GraphNode, isList } from './graph.ts';
import type { CompiledExpression, TemplateField } from './template-program.ts';

/** An expression of a node, and its own reads. */
export interface ExpressionReads {
  part: 'includeWhen' | 'forEach' | 'template';
  expression: CompiledExpression;
  reads: readonly Read[];
}

/** The reads of a node, and what its iterators mean. */
interface NodeReads {
  all: readonly ExpressionReads[];
  /** The lists, with the reads of each, and the elements for which its iterator stands. */
  lists: readonly { name: string; expression: CompiledExpression; reads: readonly Read[]; element: Flow }[];
  /** The meanings of its iterators, and of the names of a nested Graph. */
  scope: ReadonlyMap<string, Flow>;
  /** The nodes whose status, or whole object, it reads. */
  ofStatus: ReadonlySet<string>;
}

const byNode = new WeakMap<GraphNode['expressions'], NodeReads>();

const allOf = (node: GraphNode): NodeReads => getOrCompute(byNode, node.expressions, () => computeAll(node));

function computeAll(node: GraphNode): NodeReads {
  // The names of a nested Graph.
  const named = [...(node.aliases ?? [])].map(([name, root]): [string, Flow] => [
    name,
    { sources: [{ root, path: [], needed: 0, offset: 0 }] },
  ]);
  // Iterators cannot read each other.
  const lists = node.forEach.map(({ name, expression }) => {
    const { reads, value } = readsIn(expression.parsed.root, new Map(named));
    return { name, expression, reads, element: into(value, EACH, false) };
  });
  const scope = new Map([...named, ...lists.map(({ name, element }): [string, Flow] => [name, element])]);
  const ownReads = (part: ExpressionReads['part'], expression: CompiledExpression): ExpressionReads => ({
    part,
    expression,
    reads: allReads(readsIn(expression.parsed.root, scope)),
  });
  const all = [
    ...node.includeWhen.map((expression) => ownReads('includeWhen', expression)),
    ...lists.map(({ expression, reads, element }): ExpressionReads => {
      const shape = element.sources.map((source) => ({ ...source, whole: false }));
      return { part: 'forEach', expression, reads: [...reads, ...shape] };
    }),
    ...node.expressions.map((expression) => ownReads('template', expression)),
  ];
  const ofStatus = all
    .flatMap(({ reads }) => reads)
    .filter(({ path, whole }) => {
      const field = path.find((step) => typeof step === 'string');
      return field === 'status' || (field === undefined && whole);
    });
  return { all, lists, scope, ofStatus: new Set(ofStatus.map(({ root }) => root)) };
}

/** Returns the reads of each expression of a node: its conditions, its lists, its template. */
export const nodeReads = (node: GraphNode): readonly ExpressionReads[] => allOf(node).all;

/** Returns the ids of the nodes whose status, or whole object, a node reads. */
export const statusReadsOf = (node: GraphNode): ReadonlySet<string> => allOf(node).ofStatus;

const known = new WeakMap<CompiledExpression, readonly Read[]>();

/** Returns all that an expression depends on; an iterator of `node` stands for its elements and what its list reads. */
export const readsOf = (expression: CompiledExpression, node: GraphNode | undefined): readonly Read[] =>
  getOrCompute(known, expression, () => computeReads(expression, node));

function computeReads(expression: CompiledExpression, node: GraphNode | undefined): readonly Read[] {
  const { lists, scope } = node === undefined ? { lists: [], scope: undefined } : allOf(node);
  const behind = lists.filter((list) => list.expression !== expression && expression.names.includes(list.name));
  return [...behind.flatMap((list) => list.reads), ...allReads(readsIn(expression.parsed.root, scope))];
}

/** What a read finds: a field of the instance, or of the objects of a node. */
interface Origin extends Pick<Read, 'path' | 'needed' | 'whole'> {
  /** `undefined` for the instance. */
  node: GraphNode | undefined;
  /** The index of one object of a list of objects. */
  item: number | undefined;
}

/** Binds a read to a graph; `undefined` for a name that is no value of the graph. The path is in one object. */
export function originOf(
  { root, path, needed, whole }: Pick<Read, 'root' | 'path' | 'needed' | 'whole'>,
  graph: Graph,
): Origin | undefined {
  const node = graph.nodeById.get(root);
  const [name, ...below] = path;
  const member = node?.members?.get(String(name));
  if (member !== undefined) {
    const inside = graph.nodes[member] as GraphNode;
    return originOf({ root: inside.id, path: below, needed: Math.max(0, needed - 1), whole }, graph);
  }
  if (node === undefined || !isList(node))
    return node || root === 'schema' ? { node, path, needed, whole, item: undefined } : undefined;
  const [item, ...inside] = path;
  const index = typeof item === 'number' ? item : undefined;
  return { node, path: inside, needed: Math.max(0, needed - 1), whole, item: index };
}

/** An expression of the status of an instance, and its path in the status. */
export interface StatusExpression {
  expression: CompiledExpression;
  /** With `EACH` for an element of a list: one without a value is omitted, so the index in the template differs. */
  path: readonly Step[];
}

export function statusExpressions(field: TemplateField, path: readonly Step[] = []): StatusExpression[] {
  switch (field.kind) {
    case 'literal':
      return [];
    case 'expression':
      return [{ expression: field.expression, path }];
    case 'text':
      return field.parts.flatMap((part) => (typeof part === 'string' ? [] : [{ expression: part, path }]));
    case 'list':
      return field.items.flatMap((item) => statusExpressions(item, [...path, EACH]));
    case 'map':
      return field.entries.flatMap(([key, value]) => statusExpressions(value, [...path, key]));
  }
}
