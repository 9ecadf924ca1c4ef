import type { GroupVersionKind, InputObject, KubeObject } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import type { Admission } from '../../kubernetes/validation/index.ts';
import type { Definition } from '../definition/index.ts';
import type { CompiledExpression, TemplateField } from './template-field.ts';
import type { TemplateProgram } from './template-program.ts';

export interface ForEachDimension {
  name: string;
  /** The slot of the iterator in the frame. */
  slot: number;
  expression: CompiledExpression;
}

export interface GraphNode {
  id: string;
  /** The position in `spec.resources`, which is also the node's place in `Graph.nodes`. */
  index: number;
  kind: 'resource' | 'collection' | 'external' | 'externalCollection';
  gvk: GroupVersionKind;
  namespaced: boolean;
  /** Nothing says whether the kind is namespaced: no ground for an error. */
  scopeAssumed: boolean;
  /** `undefined` when nothing describes the kind. */
  schema: Schema | undefined;
  template: TemplateProgram;
  /** The characters that every object takes, whatever its expressions yield. */
  literal: number;
  /** All expressions of the template. */
  expressions: readonly CompiledExpression[];
  /** The expressions of the template that do not depend on the item, for collections. */
  shared: readonly CompiledExpression[];
  forEach: readonly ForEachDimension[];
  includeWhen: readonly CompiledExpression[];
  /** The nodes whose values this one needs, without duplicates. */
  dependencies: readonly number[];
  /** Dependencies that are nested instances and of which this node reads the status. */
  readsStatusOf: ReadonlySet<number>;
  /** The path of the node in the RGD object. */
  path: Path;
}

export interface StatusProgram {
  /** The status block with its expressions, conditions left out. */
  template: TemplateField;
  conditions: readonly CompiledExpression[];
}

/** An RGD, compiled once and run for each of its instances. Never written to. */
export interface Graph
  extends Pick<Definition, 'input' | 'name' | 'uid' | 'group' | 'version' | 'kind' | 'namespaced'> {
  nodes: readonly GraphNode[];
  nodeById: ReadonlyMap<string, GraphNode>;
  /** Node indices in rendering order. */
  order: readonly number[];
  /** The place of each node in that order, and the nodes that read it. */
  places: readonly number[];
  readers: readonly (readonly number[])[];
  /** How many slots a frame has: schema, one for each node, iterators, `each`. */
  frameSize: number;
  status: StatusProgram;
  crd: KubeObject;
  /** The schema of instances, as in the CRD. */
  schema: Schema;
  /** How many characters the schema takes that nobody wrote: see `multiplied`. */
  multiplied: number;
  admission: Admission;
  /** What `--defaults` gives to its instances. */
  defaults?: InputObject;
}

/** Slot 0 of a frame is `schema`; node i is in slot i + 1. */
export const SCHEMA_SLOT = 0;
export const nodeSlot = (index: number): number => index + 1;
