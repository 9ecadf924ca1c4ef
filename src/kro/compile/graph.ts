import type { GroupVersionKind, InputObject, KubeObject } from '../../core/model/object.ts';
import type { Path, Value } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import type { Admission } from '../../kubernetes/validation/index.ts';
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
}

/** An RGD, compiled once and run for each of its instances. Immutable. */
export interface Graph
  extends Pick<Definition, 'input' | 'name' | 'uid' | 'group' | 'version' | 'kind' | 'namespaced'> {
  nodes: readonly GraphNode[];
  nodeById: ReadonlyMap<string, GraphNode>;
  /** Node indices in rendering order. */
  order: readonly number[];
  /** The index of each node in that order, and its readers. */
  places: readonly number[];
  readers: readonly (readonly number[])[];
  /** The number of slots of a frame: schema, one for each node, iterators, `each`. */
  frameSize: number;
  status: StatusProgram;
  crd: KubeObject;
  /** The schema of instances, as in the CRD. */
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
    size: over.size + under.size,
  };
}

/** Maps the names of a list to their indexes. */
export const numbered = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, index) => [name, index]));
