import { Collector, reporterFor } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import type { CelType } from '../../languages/cel/index.ts';
import { type Definition, present } from '../definition/index.ts';
import { instanceSchema, toCrd, toOpenApi } from '../simpleschema/index.ts';
import type { Names } from './graph.ts';
import { type KindContext, resolveNode } from './kinds-of-nodes.ts';
import { compileForEach, type NodeContext, objectTypeOf, type ResolvedNode, scopeOf, variableTypeOf } from './node.ts';
import { contextOf, FORBIDDEN_FUNCTIONS, schemaVariable } from './rgd.ts';

/** The position of an expression in an RGD. */
export type ExpressionField = 'template' | 'forEach' | 'includeWhen' | 'readyWhen' | 'status';

/** The names that the expressions of an RGD may use, even if the RGD has errors. */
export interface Scopes {
  /** Returns the names that an expression at a position of a node may use, with their types. */
  at(place: ExpressionField, node: number | undefined): Names<CelType>;
  /** Returns the index of the node that a name means in the expressions of a node. */
  indexOf(name: string, node: number | undefined): number | undefined;
  /** Returns the iterators of a node, with the types of their items. */
  iterators(node: number): ReadonlyMap<string, CelType>;
  nodes: readonly (Pick<ResolvedNode, 'kind' | 'gvk' | 'namespaced' | 'schema' | 'scopeAssumed'> | undefined)[];
  /** The schema of instances, without inferred fields of the status. */
  schema: Schema;
  /** Functions that exist but cannot be called, with the reason. */
  forbiddenFunctions: ReadonlyMap<string, string>;
}

/** Finds the names that the expressions of an RGD may use. Reports nothing, and does not need the compiled graph. */
export function scopesOf(definition: Definition, context: Pick<KindContext, 'kinds' | 'options'>): Scopes {
  const reports = new Collector();
  const reporter = reporterFor(definition.input, reports);
  const silent: KindContext = { ...context, broken: new Set(), namesFor: () => [] };
  const resolved = definition.nodes.map((node, index) => resolveNode(node, index, definition, silent, reporter));
  const spec = toOpenApi({ spec: present(definition.schema.spec), types: present(definition.schema.types) });
  const schema = instanceSchema(toCrd(definition, spec.schema));
  const shared = contextOf(definition, resolved, schemaVariable(schema, definition.namespaced), reports, silent);
  return { ...scopesIn(resolved, () => shared), schema };
}

/** Returns the names of nodes, given the context of each, or of the status. */
export function scopesIn(
  resolved: readonly (ResolvedNode | undefined)[],
  contextFor: (node: number | undefined) => NodeContext,
): Omit<Scopes, 'schema'> {
  const known = new Map<number, ReadonlyMap<string, CelType>>();
  const iterators = (index: number): ReadonlyMap<string, CelType> =>
    getOrCompute(known, index, () => {
      const node = resolved[index];
      return node === undefined ? new Map() : iteratorsOf(node, contextFor(index));
    });
  return {
    at: (place, node) => namesAt(place, node === undefined ? undefined : resolved[node], contextFor(node), iterators),
    indexOf: (name, node) => contextFor(node).nodes.get(name),
    iterators,
    nodes: resolved,
    forbiddenFunctions: FORBIDDEN_FUNCTIONS,
  };
}

function iteratorsOf(node: ResolvedNode, context: NodeContext): ReadonlyMap<string, CelType> {
  const scope = scopeOf(node, context, '');
  return new Map(compileForEach(node, scope, context, () => {}).types);
}

function namesAt(
  place: ExpressionField,
  node: ResolvedNode | undefined,
  { variables }: NodeContext,
  iterators: Scopes['iterators'],
): Names<CelType> {
  if (place === 'status' || node === undefined) return variables;
  const { id } = node.definition;
  if (place === 'readyWhen') {
    if (node.kind === 'collection') return new Map([['each', objectTypeOf(node)]]);
    return new Map([[id, node.kind === 'externalCollection' ? variableTypeOf(node) : objectTypeOf(node)]]);
  }
  const names = new Map([...variables].filter(([name]) => name !== id));
  return place === 'template' ? new Map([...names, ...iterators(node.index)]) : names;
}
