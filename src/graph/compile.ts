import { Collector, phrase, type Reporter, reporterFor } from '../core/diagnostics/index.ts';
import { getOrCompute } from '../core/model/lazily.ts';
import { groupVersionKind, type InputObject, type KubeObject, nameOf } from '../core/model/object.ts';
import { topologicalOrder } from '../core/model/order.ts';
import { get, getAt, isMap, type Value } from '../core/model/value.ts';
import {
  type CompiledExpression,
  compileNode,
  type Graph,
  type GraphNode,
  guardClusterReads,
  isNamespaced,
  type KindContext,
  type KindOfNode,
  type NodeContext,
  omitScope,
  type ResolvedNode,
  readingOf,
  resolveNode,
  type Scopes,
  scopesIn,
  variableTypeOf,
} from '../kro/compile/index.ts';
import type { Definition } from '../kro/definition/index.ts';
import { semanticsOf } from '../kro/semantics.ts';
import type { Schema } from '../kubernetes/schema/index.ts';
import { type CelType, DYN, listOf } from '../languages/cel/index.ts';
import { type Frame, readNodes, type WrittenNode } from './read.ts';

/**
 * Compiles a Graph to what an RGD compiles to, so that the same engine runs it: nested graphs become nodes of one list,
 * each with the names of its own scope, and a node that collects their values. Returns undefined after an error.
 */
export function compileGraph(input: InputObject, context: KindContext, reports: Collector): Graph | undefined {
  const reporter = reporterFor(input, reports);
  const read = readNodes(input, reporter, context.options);
  return reporter.failed() ? undefined : new Compiler(input, read, context, reporter, reports).compile();
}

export function scopesOfGraph(
  input: InputObject,
  context: Pick<KindContext, 'kinds' | 'options'>,
): { definition: Definition; scopes: Scopes } {
  const reports = new Collector();
  const reporter = reporterFor(input, reports);
  const silent: KindContext = { ...context, broken: new Set(), namesFor: () => [] };
  return new Compiler(input, readNodes(input, reporter, context.options), silent, reporter, reports).scopes();
}

class Compiler {
  private readonly nodes: (GraphNode | undefined)[];
  private readonly resolved: readonly (ResolvedNode | undefined)[];
  private readonly definition: Definition;

  constructor(
    private readonly input: InputObject,
    private readonly read: { root: Frame; nodes: readonly WrittenNode[] },
    private readonly context: KindContext,
    private readonly reporter: Reporter,
    private readonly reports: Collector,
  ) {
    const group = 'kro.run';
    const version = 'v1alpha1';
    const kind = 'Graph';
    const name = nameOf(input.object);
    const whole = { input, name, group, version, kind, uid: undefined, plural: undefined, namespaced: true };
    this.definition = { ...whole, schema: {}, nodes: [] };
    this.nodes = read.nodes.map(() => undefined);
    this.resolved = read.nodes.map((node) => this.resolve(node));
  }

  compile(): Graph | undefined {
    const { input, read, reporter, definition } = this;
    for (const node of read.nodes) if (node.frame === undefined) this.compileOne(node, node.within);
    // Inner ones first.
    for (const node of read.nodes.toReversed()) if (node.frame !== undefined) this.closeFrame(node, node.frame);
    const order = reporter.failed() ? undefined : this.orderOf(read.root);
    const isSeed = ({ index, forEach }: WrittenNode): boolean =>
      forEach.length === 0 && this.nodes[index]?.expressions.length === 0;
    if (!reporter.failed() && !read.root.nodes.some(isSeed)) {
      const message = phrase`a Graph needs a node without expressions`;
      reporter.report({ code: 'graph-node', message, path: ['spec', 'nodes'] });
    }
    if (reporter.failed() || order === undefined) return undefined;
    const nodes = this.nodes as GraphNode[];
    const iterators = read.nodes.reduce((most, { forEach }) => Math.max(most, forEach.length), 0);
    const graph: Graph = {
      ...definition,
      nodes,
      order,
      ...readingOf(nodes, order),
      multiplied: 0,
      crd: input.object,
      schema: {},
      nodeById: new Map(nodes.map((node) => [node.id, node])),
      frameSize: 1 + nodes.length + iterators,
      readsPending: true,
      status: { template: { kind: 'literal', value: {} }, conditions: [] },
      admission: { admit: (object) => ({ object, problems: [], values: 0 }) },
    };
    guardClusterReads(graph);
    return graph;
  }

  scopes(): { definition: Definition; scopes: Scopes } {
    const { read, resolved, definition } = this;
    const contexts = new Map<Frame, NodeContext>();
    const contextFor = (index: number | undefined): NodeContext => {
      const frame = read.nodes[index ?? -1]?.within ?? read.root;
      return getOrCompute(contexts, frame, () => this.contextFor(frame));
    };
    const scopes = { ...scopesIn(resolved, contextFor), schema: {} };
    return { definition: { ...definition, nodes: read.nodes }, scopes };
  }

  /** Resolves the kind of a node; variables, patches and computed kinds have none. */
  private resolve(node: WrittenNode): ResolvedNode | undefined {
    const { context, reporter, definition } = this;
    const { value, contentKey: sort, index, path } = node;
    const kind = node.forEach.length > 0 ? 'collection' : 'resource';
    const bare: ResolvedNode = {
      definition: node,
      release: context.kinds.release,
      index,
      kind,
      lenient: !context.options.strict,
      gvk: NO_KIND,
      namespaced: true,
      scopeAssumed: false,
      schema: undefined,
      object: value,
      path: [...path, sort],
    };
    if (sort === 'def') return { ...bare, schema: inferred(value) };
    if (sort === 'patch' || sort === 'graph' || isComputed(value)) return bare;
    return resolveNode(node, index, definition, { ...context, isReserved: false }, reporter);
  }

  private compileOne(node: WrittenNode, frame: Frame): void {
    const { reporter } = this;
    const resolved = this.resolved[node.index];
    if (resolved === undefined) return;
    const isValue = node.contentKey === 'def' || node.contentKey === 'patch';
    const context = this.contextFor(frame);
    const before = reporter.failed();
    const compiled = compileNode(isValue ? { ...resolved, schema: undefined } : resolved, context, (problem) =>
      reporter.report(problem, node.name),
    );
    const isDynamic = node.contentKey === 'template' && isComputed(node.value);
    this.nodes[node.index] = {
      ...compiled,
      id: node.name,
      ...(frame.outer !== undefined && { aliases: aliasesIn(frame) }),
      kind: isValue ? (node.forEach.length > 0 ? 'valueCollection' : 'value') : compiled.kind,
      layer: 1,
      ...(isDynamic && { resolve: (object, rendered) => this.kindOf(object, rendered) }),
    };
    if (!before && reporter.failed()) return;
    const lists = compiled.forEach.map(({ expression }) => expression);
    for (const expression of [...lists, ...compiled.expressions, ...compiled.includeWhen])
      this.checkScope(expression, frame, node);
  }

  /** One expression may read the nodes of one frame (kro: compiler.go). */
  private checkScope({ names, path, offset }: CompiledExpression, frame: Frame, { name, forEach }: WrittenNode): void {
    const frames = new Set(
      names.filter((one) => !forEach.some((each) => each.name === one)).flatMap((one) => frameWith(one, frame) ?? []),
    );
    if (frames.size < 2) return;
    const message = phrase`the expression reads nodes of this graph and of one around it: it may read those of one`;
    this.reporter.report({ code: 'graph-node', message, path, offset }, name);
  }

  private contextFor(frame: Frame): NodeContext {
    const variables = new Map<string, CelType>();
    const indexes = new Map<string, number>();
    for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
      for (const { id, index, contentKey: sort, forEach } of at.nodes) {
        if (indexes.has(id) || sort === 'patch') continue;
        indexes.set(id, index);
        const resolved = this.resolved[index];
        const type = sort === 'graph' || at !== frame || resolved === undefined ? DYN : variableTypeOf(resolved);
        variables.set(id, type === DYN && at === frame && forEach.length > 0 ? listOf(DYN) : type);
      }
    }
    const { onExpression, options } = this.context;
    const slots = new Map([...indexes].map(([name, index]) => [name, index + 1]));
    const size = this.read.nodes.length + 1;
    return {
      variables,
      untyped: new Set(variables.keys()),
      slots: { get: (name) => slots.get(name), has: (name) => slots.has(name), keys: () => slots.keys(), size },
      nodes: indexes,
      omit: omitScope(options.experimental),
      instancesNamespaced: true,
      strict: options.strict,
      isClosed: options.strict || semanticsOf(options).unclosedFails,
      onExpression: onExpression && ((...one) => onExpression(this.definition, ...one)),
      limitReached: () => this.reports.limitReached,
      limitExceeded: () => this.reports.limitExceeded,
      meanings: new Map(),
    };
  }

  /** Adds the node that collects a nested graph; the nodes around it that it reads decide on all of it. */
  private closeFrame({ name: id, index, path }: WrittenNode, frame: Frame): void {
    const inside = nodesBelow(frame);
    const own = new Set(inside.map((node) => node.index));
    const read = inside.flatMap((node) => this.nodes[node.index]?.dependencies ?? []);
    const outside = new Set(read.filter((one) => !own.has(one)));
    if (outside.delete(index))
      this.reporter.report({
        code: 'dependency-cycle',
        message: phrase`nodes read each other: ${{ node: id }} -> ${id}`,
        path,
      });
    for (const node of inside) {
      const compiled = this.nodes[node.index];
      if (compiled !== undefined)
        this.nodes[node.index] = { ...compiled, captured: [...(compiled.captured ?? []), ...outside] };
    }
    this.nodes[index] = {
      id,
      index,
      path,
      kind: 'frame',
      gvk: NO_KIND,
      namespaced: true,
      scopeAssumed: false,
      schema: undefined,
      template: () => null,
      literal: 0,
      expressions: [],
      shared: [],
      forEach: [],
      includeWhen: [],
      layer: 1,
      contentKey: 'graph',
      dependencies: frame.nodes.map((node) => node.index),
      captured: [...outside],
      members: new Map(
        frame.nodes.flatMap((node) => (node.contentKey === 'patch' ? [] : [[node.id, node.index] as const])),
      ),
    };
  }

  /** Orders the nodes of a frame, nested ones in the place of their graph, and sets their layers. */
  private orderOf(frame: Frame): number[] | undefined {
    const { nodes } = this;
    const place = new Map(
      frame.nodes.flatMap((node, at) => [
        [node.index, at] as const,
        ...nodesBelow(node.frame).map(({ index }) => [index, at] as const),
      ]),
    );
    const readsOf = (node: WrittenNode): number[] => [
      ...new Set(
        [node, ...nodesBelow(node.frame)].flatMap(({ index }) =>
          (nodes[index]?.dependencies ?? []).flatMap((read) => place.get(read) ?? []),
        ),
      ),
    ];
    const reads = frame.nodes.map((node, at) =>
      readsOf(node).filter((read) => node.frame === undefined || read !== at),
    );
    const ordering = topologicalOrder(reads);
    if (!ordering.ok) {
      const ids = ordering.cycle.map((at) => frame.nodes[at]?.id ?? '').join(' -> ');
      const path = frame.nodes[ordering.cycle[0] ?? 0]?.path ?? [];
      this.reporter.report({
        code: 'dependency-cycle',
        message: phrase`nodes read each other: ${{ cycle: ids }}`,
        path,
      });
      return undefined;
    }
    const layers: number[] = [];
    return ordering.order.flatMap((at) => {
      const node = frame.nodes[at] as WrittenNode;
      const before = (reads[at] ?? []).filter((read) => frame.nodes[read]?.contentKey !== 'def');
      layers[at] = before.reduce((most, read) => Math.max(most, (layers[read] ?? 0) + 1), 1);
      nodes[node.index] = { ...(nodes[node.index] as GraphNode), layer: layers[at] ?? 1 };
      return [...(node.frame === undefined ? [] : (this.orderOf(node.frame) ?? [])), node.index];
    });
  }

  private kindOf(object: Value, rendered: readonly KubeObject[]): KindOfNode | undefined {
    const gvk = groupVersionKind(object as KubeObject);
    const info = this.context.kinds.find(gvk);
    if (info !== undefined)
      return { gvk, namespaced: isNamespaced(gvk, info, this.context.options), schema: info.schema };
    const crd = rendered.find(
      ({ kind, spec }) =>
        kind === 'CustomResourceDefinition' &&
        get(spec, 'group') === gvk.group &&
        getAt(spec ?? null, ['names', 'kind']) === gvk.kind,
    );
    return crd && { gvk, namespaced: get(crd.spec, 'scope') !== 'Cluster', schema: undefined };
  }
}

const NO_KIND = { group: '', version: '', kind: '' };

const isComputed = (value: Value): boolean =>
  ['apiVersion', 'kind'].some((key) => String(get(value, key) ?? '').includes('${'));

const nodesBelow = (frame: Frame | undefined): WrittenNode[] =>
  frame === undefined ? [] : frame.nodes.flatMap((node) => [node, ...nodesBelow(node.frame)]);

/** Returns the names of the nodes that the names in a nested frame mean. */
function aliasesIn(frame: Frame): Map<string, string> {
  const around = frame.outer === undefined ? [] : aliasesIn(frame.outer);
  return new Map([...around, ...frame.nodes.map(({ id, name }) => [id, name] as const)]);
}

const frameWith = (name: string, frame: Frame | undefined): Frame | undefined =>
  frame === undefined || frame.nodes.some(({ id }) => id === name) ? frame : frameWith(name, frame.outer);

/** Returns the type of a written value; whatever is computed, and a list of several types, is anything (kro: typeinfer.go). */
function inferred(value: Value): Schema {
  if (Array.isArray(value)) {
    const [first, ...others] = value.map(inferred);
    const isMixed = others.some((other) => other.type !== first?.type);
    return { type: 'array', items: first === undefined || isMixed ? ANYTHING : first };
  }
  if (isMap(value)) {
    const properties = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inferred(member)]));
    return { type: 'object', properties };
  }
  if (typeof value === 'string') return value.includes('${') ? ANYTHING : { type: 'string' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  return value === null ? ANYTHING : { type: typeof value === 'bigint' ? 'integer' : 'number' };
}

const ANYTHING: Schema = { 'x-kubernetes-int-or-string': true };
