import { getOrCompute } from '../../core/model/lazily.ts';
import type { GroupVersionKind, InputObject, KubeObject } from '../../core/model/object.ts';
import { EACH, type Read, type Step } from '../../core/model/read.ts';
import type { Path, Value } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import type { Admission } from '../../kubernetes/validation/index.ts';
import { allReads, type Flow, into, qualifiedName, readsIn } from '../../languages/cel/index.ts';
import type { Definition, NodeDefinition } from '../definition/index.ts';
import type { CompiledExpression, TemplateField, TemplateProgram } from './template-program.ts';

export interface ForEachDimension {
  name: string;
  slot: number;
  expression: CompiledExpression;
}

export interface GraphNode {
  id: string;
  /** The index in `spec.resources`, which is also the index in `Graph.nodes`. */
  index: number;
  kind: 'resource' | 'collection' | 'external' | 'externalCollection' | 'value' | 'valueCollection' | 'frame';
  gvk: GroupVersionKind;
  namespaced: boolean;
  /** The scope of the kind is unknown, so it must not cause an error. */
  scopeAssumed: boolean;
  /** `undefined` for an unknown kind. */
  schema: Schema | undefined;
  template: TemplateProgram;
  /** The literal characters of every object, without the values of expressions. */
  literal: number;
  expressions: readonly CompiledExpression[];
  /** The expressions of the template that are the same for every item of a collection. */
  shared: readonly CompiledExpression[];
  forEach: readonly ForEachDimension[];
  includeWhen: readonly CompiledExpression[];
  /** The nodes whose values this node reads, without duplicates. */
  dependencies: readonly number[];
  path: Path;
  contentKey: NodeDefinition['contentKey'];
  /** Whether kro leaves its objects in the cluster in place of deleting them. */
  isOrphaned?: true;
  /** The fields of its objects that another controller may take over. */
  externalFields?: readonly Path[];
  /** Of a node of a Graph: its layer in the order of its frame, which its objects carry in place of origin labels. */
  layer?: number;
  /** Of a node of a nested Graph: the ids of the nodes that its names mean, where they differ. */
  aliases?: ReadonlyMap<string, string>;
  /** Of a frame of a Graph: its nodes by name. */
  members?: ReadonlyMap<string, number>;
  /** Of a nested Graph and its nodes: the nodes around it that it reads. Without one of them all of it is omitted. */
  captured?: readonly number[];
  /** Of a computed kind: what is known of the kind of an object. */
  resolve?: ((object: Value, rendered: readonly KubeObject[]) => KindOfNode | undefined) | undefined;
}

export type KindOfNode = Pick<GraphNode, 'gvk' | 'namespaced' | 'schema'>;

/** Returns the nodes that come before a node: those that it reads, and those that the graphs around it read. */
export const awaitedBy = ({ dependencies, captured }: GraphNode): readonly number[] =>
  captured === undefined ? dependencies : [...dependencies, ...captured];

export const isList = ({ kind }: Pick<GraphNode, 'kind'>): boolean =>
  kind === 'collection' || kind === 'externalCollection' || kind === 'valueCollection';

/** Reports whether a node renders nothing: it names objects that something else makes. */
export const isReference = ({ kind }: Pick<GraphNode, 'kind'>): boolean =>
  kind === 'external' || kind === 'externalCollection';

export interface StatusProgram {
  /** The status block with its expressions, without conditions. */
  template: TemplateField;
  conditions: readonly CompiledExpression[];
  /** Some of its expressions have other values in a cluster: see `inCluster`. */
  readsCluster?: true;
}

/** An RGD, compiled once and run for each of its instances. Immutable. */
export interface Graph
  extends Pick<Definition, 'input' | 'name' | 'uid' | 'group' | 'version' | 'kind' | 'namespaced'> {
  nodes: readonly GraphNode[];
  nodeById: ReadonlyMap<string, GraphNode>;
  order: readonly number[];
  /** The index of each node in that order, and its readers. */
  places: readonly number[];
  readers: readonly (readonly number[])[];
  /** The number of slots of a frame: schema, one for each node, iterators, `each`. */
  frameSize: number;
  status: StatusProgram;
  crd: KubeObject;
  schema: Schema;
  /** The characters of the schema that are copies: see `multiplied`. */
  multiplied: number;
  admission: Admission;
  /** Readers of pending nodes are evaluated too: kro holds those of instances back, and not those of a Graph. */
  readsPending?: true;
  /** The fields of `--defaults` for its instances. */
  defaults?: InputObject;
}

/** Slot 0 of a frame is `schema`; node i is in slot i + 1. */
export const SCHEMA_SLOT = 0;
export const nodeSlot = (index: number): number => index + 1;

/** A read-only map of names for scopes, such as a `ReadonlyMap`. */
export interface Names<T> {
  get(name: string): T | undefined;
  has(name: string): boolean;
  keys(): Iterable<string>;
  readonly size: number;
}

/** Returns names layered over others without copying; `without` hides a name of `under`. */
export function layered<T>(over: ReadonlyMap<string, T>, under: Names<T>, without?: string): Names<T> {
  const below = (name: string): boolean => name !== without && under.has(name);
  return {
    get: (name) => over.get(name) ?? (name === without ? undefined : under.get(name)),
    has: (name) => over.has(name) || below(name),
    *keys() {
      yield* over.keys();
      for (const name of under.keys()) if (name !== without && !over.has(name)) yield name;
    },
    get size() {
      const hidden = without === undefined || !under.has(without) ? 0 : 1;
      const replaced = [...over.keys()].filter(below);
      return over.size + under.size - hidden - replaced.length;
    },
  };
}

export const numbered = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, index) => [name, index]));

export interface ExpressionReads {
  part: 'includeWhen' | 'forEach' | 'template';
  expression: CompiledExpression;
  reads: readonly Read[];
}

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
    reads: readsInScope(expression, scope),
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

export const nodeReads = (node: GraphNode): readonly ExpressionReads[] => allOf(node).all;

export const statusReadsOf = (node: GraphNode): ReadonlySet<string> => allOf(node).ofStatus;

/** The reads of expressions whose names mean nodes, the instance and nothing else. */
const ofNames = new WeakMap<CompiledExpression['parsed'], readonly Read[]>();

const readsInScope = ({ parsed }: CompiledExpression, scope: ReadonlyMap<string, Flow>): readonly Read[] =>
  scope.size > 0
    ? allReads(readsIn(parsed.root, scope))
    : getOrCompute(ofNames, parsed, () => allReads(readsIn(parsed.root)));

const NO_SCOPE: ReadonlyMap<string, Flow> = new Map();

const known = new WeakMap<CompiledExpression, readonly Read[]>();

/** Returns all that an expression depends on; an iterator of `node` stands for its elements and what its list reads. */
export const readsOf = (expression: CompiledExpression, node: GraphNode | undefined): readonly Read[] =>
  getOrCompute(known, expression, () => computeReads(expression, node));

function computeReads(expression: CompiledExpression, node: GraphNode | undefined): readonly Read[] {
  const { lists, scope } = node === undefined ? { lists: [], scope: NO_SCOPE } : allOf(node);
  const behind = lists.filter((list) => list.expression !== expression && expression.names.includes(list.name));
  const own = readsInScope(expression, scope);
  return behind.length === 0 ? own : [...behind.flatMap((list) => list.reads), ...own];
}

/** A list of `forEach` that is one value as it is written, without a filter or another function. */
export interface IteratedList extends Pick<Read, 'root' | 'path'> {
  /** Its place among the lists of the node. */
  dimension: number;
}

/** Returns the lists whose items are those of a value, in the same order. */
export function iteratedLists(node: GraphNode): IteratedList[] {
  return allOf(node).lists.flatMap(({ expression, element }, dimension) => {
    const [source, ...others] = element.sources;
    const isPlain = qualifiedName(expression.parsed.root) !== undefined;
    if (source === undefined || others.length > 0 || !isPlain) return [];
    return [{ root: source.root, path: source.path.slice(0, -1), dimension }];
  });
}

/** What a read finds: a field of the instance, or of the objects of a node. */
export interface Origin extends Pick<Read, 'path' | 'needed' | 'whole'> {
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

/** An expression of the status of an RGD. The path has `EACH` for an element of a list. */
interface StatusExpression {
  expression: CompiledExpression;
  path: readonly Step[];
}

const byTemplate = new WeakMap<TemplateField, readonly StatusExpression[]>();

/** Returns the expressions of the status of an RGD, which is walked once. */
export function statusExpressions({ status: { template } }: Graph): readonly StatusExpression[] {
  return getOrCompute(byTemplate, template, () => expressionsBelow(template, []));
}

function expressionsBelow(field: TemplateField, path: readonly Step[]): StatusExpression[] {
  switch (field.kind) {
    case 'literal':
      return [];
    case 'computed':
      return field.parts.flatMap((part) => (typeof part === 'string' ? [] : [{ expression: part, path }]));
    case 'list':
      return field.items.flatMap((item) => expressionsBelow(item, [...path, EACH]));
    case 'map':
      return field.entries.flatMap(([key, value]) => expressionsBelow(value, [...path, key]));
  }
}
