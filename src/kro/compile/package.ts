// Compiles all RGDs of a package.
import {
  type Collector,
  composeText,
  phrase,
  type RelatedLocation,
  reporterFor,
  shown,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { MAX_MULTIPLIED } from '../../core/model/limits.ts';
import { groupKind, nameOf } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { get, getAt } from '../../core/model/value.ts';
import { crdKinds, firstOf, type KindRegistry } from '../../kubernetes/schema/index.ts';
import type { Definition } from '../definition/index.ts';
import { compileCached } from './cached.ts';
import type { Graph } from './graph.ts';
import { type OnExpression, suggestionsFrom } from './kinds-of-nodes.ts';
import { compileOrder } from './order.ts';
import { compileRgd } from './rgd.ts';

/** The graphs of a package by the `Kind.group` they define. */
export type Graphs = ReadonlyMap<string, Graph>;

interface CompileSettings {
  kinds: KindRegistry;
  options: RenderOptions;
  onExpression?: OnExpression | undefined;
  /** Whether RGDs that were compiled before are not compiled again; defaults to whether there is no `onExpression`. */
  keeps?: boolean | undefined;
}

/**
 * Compiles all RGDs of a package, after those whose kinds they use. `onExpression` is called with every expression;
 * with `keeps`, also for cached RGDs, which needs memory.
 */
export function compileRgds(
  definitions: readonly Definition[],
  { kinds, options, onExpression, keeps = onExpression === undefined }: CompileSettings,
  reports: Collector,
): Graphs {
  const graphs = new Map<string, Graph>();
  const broken = new Set<string>();
  const pluralTakenBy = new Map<string, Graph>();
  const unique = withoutDuplicates(definitions, reports);
  let remaining = MAX_MULTIPLIED;
  const all = firstOf([graphKind, kindsOfGraphs(graphs), kinds]);
  const context = { onExpression, kinds: all, options, broken, namesFor: suggestionsFrom(() => all.names()) };
  for (const definition of compileOrder(unique, broken, reports)) {
    const compile = keeps ? compileCached : compileRgd;
    const graph = reports.limitReached ? undefined : compile(definition, context, reports);
    if (graph === undefined) {
      broken.add(groupKind(definition));
      continue;
    }
    graphs.set(groupKind(definition), graph);
    remaining = takeSchema(graph, remaining, reports);
    reportTakenPlural(graph, pluralTakenBy, reports);
  }
  return graphs;
}

/** Returns the kinds that graphs define, also those that are added later. A CRD is read when its kind is looked up. */
export function kindsOfGraphs(graphs: Graphs): KindRegistry {
  const registryOf = ({ crd }: Graph): KindRegistry => crdKinds(crd).registry;
  return {
    find(kind) {
      const graph = graphs.get(groupKind(kind));
      return graph === undefined ? undefined : registryOf(graph).find(kind);
    },
    names: () => firstOf([...graphs.values()].map(registryOf)).names(),
  };
}

/** The kind Graph of kro 0.10, whose objects another front end renders. */
const graphKind: KindRegistry = {
  find: ({ group, kind }) =>
    group === 'kro.run' && kind === 'Graph'
      ? { namespaced: true, schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
      : undefined,
  names: () => [],
};

/** Takes a schema from the budget of all RGDs; reports once when it is exhausted. */
function takeSchema({ multiplied, input }: Graph, remaining: number, reports: Collector): number {
  const left = remaining - multiplied;
  if (left < 0 && remaining >= 0) {
    const message = phrase`with this RGD, the schemas of all RGDs take over ${{ limit: shown(MAX_MULTIPLIED) }} characters more than was written`;
    const hint = phrase`types that use each other several times double at every step: use the type object for what is below`;
    reporterFor(input, reports).report({ code: 'schema-too-large', message, path: ['spec', 'schema'], hint });
  }
  return left;
}

/** Reports a taken plural: the name of a CRD is its plural and its group. */
function reportTakenPlural(graph: Graph, takenBy: Map<string, Graph>, reports: Collector): void {
  const name = nameOf(graph.crd);
  const other = getOrCompute(takenBy, name, () => graph);
  if (other === graph) return;
  const kind = trusted.definition(other.kind);
  const message = phrase`duplicate plural '${{ name }}': used by the RGD '${{ rgd: other.name }}', which defines ${{ kind }}`;
  const field = get(getAt(graph.input.object, ['spec', 'schema']), 'plural') === undefined ? 'kind' : 'plural';
  const path = ['spec', 'schema', field];
  const related = definedBy(other, composeText`defines ${kind}`);
  reporterFor(graph.input, reports).report({ code: 'plural-defined-twice', message, path, related });
}

const definedBy = ({ input: { source } }: Pick<Definition, 'input'>, message: Text): RelatedLocation[] => [
  { message, source, path: ['spec', 'schema', 'kind'] },
];

/** Two overlays of one base both contain its RGD. */
const TWICE = phrase`remove one of them; where overlays share the RGD, remove it from their resources and read it once with definitions`;

function withoutDuplicates(definitions: readonly Definition[], reports: Collector): Definition[] {
  const byKind = new Map<string, Definition>();
  for (const definition of definitions) {
    const taken = getOrCompute(byKind, groupKind(definition), () => definition);
    if (taken === definition) continue;
    const message = phrase`the kind ${{ kind: groupKind(definition) }} is defined by the RGD '${{ rgd: taken.name }}' already`;
    const hint = taken.name === definition.name ? TWICE : phrase`remove or rename one of them`;
    const related = definedBy(taken, composeText`defines it`);
    const path = ['spec', 'schema', 'kind'];
    reporterFor(definition.input, reports).report({ code: 'kind-defined-twice', message, path, related, hint });
  }
  return [...byKind.values()];
}

/** Returns the RGD of a kind, and those whose instances it renders. */
export function reachedFrom(kind: string, graphs: Graphs): Graph[] {
  const found = new Set<Graph>();
  const visit = (one: string): void => {
    const graph = graphs.get(one);
    if (graph === undefined || found.has(graph)) return;
    found.add(graph);
    for (const { gvk } of graph.nodes) visit(groupKind(gvk));
  };
  visit(kind);
  return [...found];
}
