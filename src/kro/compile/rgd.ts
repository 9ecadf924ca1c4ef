import {
  Collector,
  composeText,
  hasErrors,
  type Problem,
  phrase,
  type Reporter,
  reporterFor,
} from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { topologicalOrder } from '../../core/model/order.ts';
import { getAt } from '../../core/model/value.ts';
import { shownPath } from '../../core/text/clip.ts';
import {
  multiplied,
  namespacelessObjectMetaSchema,
  objectMetaSchema,
  type Schema,
} from '../../kubernetes/schema/index.ts';
import { compileAdmission } from '../../kubernetes/validation/index.ts';
import { type CelType, DYN } from '../../languages/cel/index.ts';
import { type Definition, present } from '../definition/index.ts';
import { semanticsOf } from '../semantics.ts';
import { instanceSchema, toCrd, toOpenApi } from '../simpleschema/index.ts';
import { checkSchema, nameProblems } from '../structural/index.ts';
import { checkAlphaFields } from './alpha-fields.ts';
import { checkDefinition } from './check-definition.ts';
import { guardClusterReads } from './cluster-reads.ts';
import { RUNTIME_ELSEWHERE } from './conditions.ts';
import { declaredType } from './declared-type.ts';
import { omitScope } from './expression.ts';
import { awaitedBy, type Graph, type GraphNode, layered, type Names, numbered } from './graph.ts';
import { type KindContext, type ResolvedNode, resolveNode } from './kinds-of-nodes.ts';
import { compileForEach, compileNode, type NodeContext, readyWhenNames, scopeOf, variableTypeOf } from './node.ts';
import { compileRules } from './rules.ts';
import { compileStatus } from './status.ts';
import type { CompiledExpression } from './template-program.ts';

/** Compiles an RGD; returns `undefined` after an error. Errors are reported. */
export function compileRgd(definition: Definition, context: KindContext, reports: Collector): Graph | undefined {
  const reporter = reporterFor(definition.input, reports);
  const { strict } = context.options;
  const semantics = semanticsOf(context.options);
  checkDefinition(definition, strict || semantics.graphengineReserved, reporter);
  for (const node of definition.nodes)
    checkAlphaFields(node, context.options, (problem) => reporter.report(problem, node.id));
  const isNamed = !reporter.failed();
  const spec = toOpenApi(definition.schema);
  const inSchema = (problem: Problem): void =>
    reporter.report({ ...problem, path: ['spec', 'schema', ...problem.path] });
  for (const problem of spec.problems) inSchema(problem);
  const resolved = definition.nodes.map((node, index) => resolveNode(node, index, definition, context, reporter));
  const bare = instanceSchema(toCrd(definition, spec.schema));
  // A schema with errors lacks fields: its readers get no second error for that.
  const variable = hasErrors(spec.problems) ? undefined : schemaVariable(bare, definition.namespaced);
  const nodeContext = contextOf(definition, resolved, variable, reports, context);
  const nodes = resolved.map(
    (node) =>
      node &&
      (reports.limitReached
        ? undefined
        : compileNode(node, nodeContext, (problem) => reporter.report(problem, node.definition.id))),
  );
  const order = orderOf(nodes, definition, reporter);
  const report = (problem: Problem): void => reporter.report(problem);
  const statusScope = { ...nodeContext, iterators: new Map(), forbidden: RUNTIME_ELSEWHERE, report };
  const status = compileStatus(present(definition.schema.status), statusScope);
  const crd = toCrd(definition, spec.schema, status.schema);
  const schema = instanceSchema(crd);
  const rules = compileRules(schema, inSchema);
  // A schema that lacks fields would be rejected for what it lacks.
  const refused = [
    ...(isNamed ? nameProblems(crd) : []),
    ...(hasErrors(spec.problems) ? [] : checkSchema(schema, rules)),
  ];
  for (const problem of refused) inSchema(problem);
  if (reporter.failed() || order === undefined) return undefined;
  const graph: Graph = {
    ...definition,
    nodes: nodes as GraphNode[],
    nodeById: new Map((nodes as GraphNode[]).map((node) => [node.id, node])),
    order,
    ...readingOf(nodes as GraphNode[], order),
    frameSize: 1 + nodes.length + definition.nodes.reduce((most, { forEach }) => Math.max(most, forEach.length), 0),
    status,
    crd,
    schema,
    multiplied: multiplied(schema, getAt(definition.input.object, ['spec', 'schema'])),
    admission: compileAdmission(schema, { rules: rules.runner }),
  };
  guardClusterReads(graph);
  return graph;
}

export function readingOf(nodes: readonly GraphNode[], order: readonly number[]): Pick<Graph, 'places' | 'readers'> {
  const places = nodes.map(() => 0);
  order.forEach((node, place) => {
    places[node] = place;
  });
  const readers: number[][] = nodes.map(() => []);
  for (const node of nodes) for (const read of awaitedBy(node)) readers[read]?.push(node.index);
  return { places, readers };
}

/** Returns the type of `schema`: the instance without its status; cluster-scoped instances have no namespace. */
function schemaVariable(instance: Schema, namespaced: boolean): CelType | undefined {
  const properties: Record<string, Schema> = { ...instance.properties };
  delete properties.status;
  properties.metadata = namespaced ? objectMetaSchema : namespacelessObjectMetaSchema;
  // kro's conversion of the schema drops x-kubernetes-list-type (ConvertJSONSchemaPropsToSpecSchema).
  return declaredType({ ...instance, properties }, '__type_schema', { plainLists: true });
}

function contextOf(
  definition: Definition,
  resolved: readonly (ResolvedNode | undefined)[],
  schema: CelType | undefined,
  reports: Collector,
  { options, onExpression }: Pick<KindContext, 'options' | 'onExpression'>,
): NodeContext {
  const variables = new Map<string, CelType>([['schema', schema ?? DYN]]);
  const untyped = new Set(schema === undefined ? ['schema'] : []);
  definition.nodes.forEach(({ id }, index) => {
    const node = resolved[index];
    variables.set(id, node === undefined ? DYN : variableTypeOf(node));
    if (node?.schema === undefined) untyped.add(id);
  });
  return {
    variables,
    untyped,
    slots: numbered(['schema', ...definition.nodes.map(({ id }) => id)]),
    nodes: new Map(definition.nodes.map(({ id }, index) => [id, index])),
    omit: omitScope(options.experimental),
    instancesNamespaced: definition.namespaced,
    strict: options.strict,
    isClosed: options.strict || semanticsOf(options).unclosedFails,
    limitReached: () => reports.limitReached,
    limitExceeded: () => reports.limitExceeded,
    meanings: new Map(),
    onExpression: onExpression && ((...one) => onExpression(definition, ...one)),
  };
}

function orderOf(
  nodes: readonly (GraphNode | undefined)[],
  definition: Definition,
  reporter: Reporter,
): readonly number[] | undefined {
  const { source } = definition.input;
  const ordering = topologicalOrder(nodes.map((node) => node?.dependencies ?? []));
  if (ordering.ok) return ordering.order;
  const { cycle } = ordering;
  const ids = cycle.map((index) => definition.nodes[index]?.id ?? '');
  const reads = cycle.slice(1).flatMap((read, index) => readOf(nodes[cycle[index] as number], read) ?? []);
  const [first, ...others] = reads;
  reporter.report(
    {
      code: 'dependency-cycle',
      message: phrase`the nodes read each other in a cycle: ${{ cycle: shownPath(ids) }}`,
      path: first?.path ?? [],
      offset: first?.offset,
      related: others.map(({ path }) => ({ message: composeText`reads the next one`, source, path })),
      hint: phrase`leave out one of these reads`,
    },
    ids[0],
  );
  return undefined;
}

const readOf = (node: GraphNode | undefined, read: number): CompiledExpression | undefined =>
  node &&
  [...node.forEach.map(({ expression }) => expression), ...node.includeWhen, ...node.expressions].find(({ nodes }) =>
    nodes.includes(read),
  );

type ExpressionField = 'template' | 'forEach' | 'includeWhen' | 'readyWhen' | 'status';

/** The names that the expressions of an RGD may use, even if the RGD has errors. */
export interface Scopes {
  at(place: ExpressionField, node: number | undefined): Names<CelType>;
  /** Returns the index of the node that a name means in the expressions of a node. */
  indexOf(name: string, node: number | undefined): number | undefined;
  iterators(node: number): ReadonlyMap<string, CelType>;
  nodes: readonly (Pick<ResolvedNode, 'kind' | 'gvk' | 'namespaced' | 'schema' | 'scopeAssumed'> | undefined)[];
  /** The schema of instances, without inferred fields of the status. */
  schema: Schema;
}

/** Finds the names that the expressions of an RGD may use. Reports nothing, and does not need the compiled graph. */
export function scopesOf(definition: Definition, context: Pick<KindContext, 'kinds' | 'options'>): Scopes {
  const reports = new Collector();
  const reporter = reporterFor(definition.input, reports);
  const silent: KindContext = { ...context, broken: new Set(), namesFor: () => [] };
  const resolved = definition.nodes.map((node, index) => resolveNode(node, index, definition, silent, reporter));
  const spec = toOpenApi(definition.schema);
  const schema = instanceSchema(toCrd(definition, spec.schema));
  const shared = contextOf(definition, resolved, schemaVariable(schema, definition.namespaced), reports, silent);
  return { ...scopesIn(resolved, () => shared), schema };
}

export function scopesIn(
  resolved: readonly (ResolvedNode | undefined)[],
  contextFor: (node: number | undefined) => NodeContext,
): Omit<Scopes, 'schema'> {
  const known = new Map<number, ReadonlyMap<string, CelType>>();
  const iterators = (index: number): ReadonlyMap<string, CelType> =>
    getOrCompute(known, index, () => {
      const node = resolved[index];
      return node === undefined
        ? new Map()
        : compileForEach(
            node,
            scopeOf(node, contextFor(index), () => {}),
          ).types;
    });
  return {
    at: (place, node) => namesAt(place, node === undefined ? undefined : resolved[node], contextFor(node), iterators),
    indexOf: (name, node) => contextFor(node).nodes.get(name),
    iterators,
    nodes: resolved,
  };
}

const NO_NAMES: ReadonlyMap<string, CelType> = new Map();

function namesAt(
  place: ExpressionField,
  node: ResolvedNode | undefined,
  { variables }: NodeContext,
  iterators: Scopes['iterators'],
): Names<CelType> {
  if (place === 'status' || node === undefined) return variables;
  if (place === 'readyWhen') return readyWhenNames(node);
  const { id } = node.definition;
  return layered(place === 'template' ? iterators(node.index) : NO_NAMES, variables, id);
}
