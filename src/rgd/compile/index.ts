import { type Collector, reporterFor } from '../../diagnostics/index.ts';
import { groupVersionKind, nameOf } from '../../model/object.ts';
import type { RenderOptions } from '../../model/render.ts';
import { get, getAt } from '../../model/value.ts';
import { crdKinds, firstOf, type KindRegistry } from '../../schema/index.ts';
import { shownPath } from '../../text/clip.ts';
import { type Definition, groupKind } from '../definition/index.ts';
import type { Graph } from './graph.ts';
import { compileOrKeep } from './kept.ts';
import { type FoundIn, suggestionsFrom } from './kinds-of-nodes.ts';
import { orderAround } from './order.ts';
import { compileRgd } from './rgd.ts';

export { admissionOf } from './admission.ts';
export type { FoundDetails } from './expression.ts';
export { type Graph, type GraphNode, nodeSlot, SCHEMA_SLOT } from './graph.ts';
export { type FoundIn, isNamespaced } from './kinds-of-nodes.ts';
export { addTo, takeLeast } from './order.ts';
export { conditionReads, type ExpressionReads, readsOf, templateReads } from './reads.ts';
export { isOrchestratorKey, isReservedKey } from './reserved.ts';
export { compileRules } from './rules.ts';
export { partsOf } from './scan.ts';
export type { CompiledExpression, TemplateField } from './template-field.ts';
export type { Evaluation, EvaluationFailure } from './template-program.ts';

/** The graphs of a package by the `Kind.group` they define. */
export type Graphs = ReadonlyMap<string, Graph>;

/**
 * Compiles all RGDs of a package: those whose kinds others use come first, so that a template of an RGD's kind is
 * checked against that RGD's schema, inferred status included. All errors are reported. `found` is told about every
 * expression.
 */
export function compileRgds(
  definitions: readonly Definition[],
  kinds: KindRegistry,
  options: RenderOptions,
  reports: Collector,
  found?: FoundIn,
): Graphs {
  const graphs = new Map<string, Graph>();
  const own = new Map<string, KindRegistry>();
  const broken = new Set<string>();
  const pluralTakenBy = new Map<string, Graph>();
  const unique = withoutDuplicates(definitions, reports);
  const all = firstOf(
    { find: (kind) => own.get(groupKind(kind))?.find(kind), names: () => firstOf(...own.values()).names() },
    kinds,
  );
  const context = { found, kinds: all, options, broken, suggestions: suggestionsFrom(() => all.names()) };
  for (const definition of compileOrder(unique, broken, reports)) {
    const compile = found === undefined ? compileOrKeep : compileRgd;
    const graph = reports.hasEnough ? undefined : compile(definition, context, reports);
    if (graph === undefined) {
      broken.add(groupKind(definition));
      continue;
    }
    graphs.set(groupKind(definition), graph);
    reportTakenPlural(graph, pluralTakenBy, reports);
    own.set(groupKind(definition), crdKinds(graph.crd).registry);
  }
  return graphs;
}

/** The name of a CRD is its plural and its group. */
function reportTakenPlural(graph: Graph, takenBy: Map<string, Graph>, reports: Collector): void {
  const name = nameOf(graph.crd);
  const other = takenBy.get(name);
  if (other === undefined) {
    takenBy.set(name, graph);
    return;
  }
  const message = `the plural '${name}' is taken by the RGD '${other.name}', which defines ${other.kind}`;
  const schema = getAt(graph.input.object, ['spec', 'schema']);
  const field = get(schema, 'plural') === undefined ? 'kind' : 'plural';
  reporterFor(graph.input, reports).report({ code: 'plural-defined-twice', message, path: ['spec', 'schema', field] });
}

function withoutDuplicates(definitions: readonly Definition[], reports: Collector): Definition[] {
  const byKind = new Map<string, Definition>();
  for (const definition of definitions) {
    const taken = byKind.get(groupKind(definition));
    if (taken === undefined) {
      byKind.set(groupKind(definition), definition);
      continue;
    }
    const message = `the kind ${groupKind(definition)} is defined by the RGD '${taken.name}' already`;
    reporterFor(definition.input, reports).report({
      code: 'kind-defined-twice',
      message,
      path: ['spec', 'schema', 'kind'],
    });
  }
  return [...byKind.values()];
}

/** RGDs in the order in which they can be compiled; a circle of RGDs is an error of each of them. */
function compileOrder(
  definitions: readonly Definition[],
  broken: Set<string>,
  reports: Collector,
): readonly Definition[] {
  const indexOf = new Map(definitions.map((definition, index) => [groupKind(definition), index]));
  const uses = definitions.map((definition) => [
    ...new Set(usedKinds(definition).flatMap((kind) => indexOf.get(kind) ?? [])),
  ]);
  const { order, cycles } = orderAround(uses, MAX_CYCLES);
  for (const cycle of cycles) {
    const names = shownPath(cycle.map((index) => definitions[index]?.name ?? ''));
    for (const index of new Set(cycle)) {
      const definition = definitions[index] as Definition;
      broken.add(groupKind(definition));
      const message = `RGDs that render each other's kinds cannot be compiled: ${names}`;
      reporterFor(definition.input, reports).report({ code: 'rgd-cycle', message, path: ['spec', 'resources'] });
    }
  }
  return order.map((index) => definitions[index] as Definition);
}

/** Each is an error of two RGDs at least. */
const MAX_CYCLES = 500;

function usedKinds(definition: Definition): string[] {
  return definition.nodes.flatMap(({ template, externalRef }) => {
    const { apiVersion, kind } = template ?? externalRef ?? {};
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
    return [groupKind(groupVersionKind({ apiVersion, kind }))];
  });
}
