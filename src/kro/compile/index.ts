// biome-ignore-all lint/plugin: a tuple
import {
  type Collector,
  composeText,
  hasErrors,
  phrase,
  type RelatedLocation,
  type Report,
  reportAgain,
  reporterFor,
  shown,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { MAX_MULTIPLIED } from '../../core/model/limits.ts';
import {
  type GroupVersionKind,
  groupKind,
  groupVersionKind,
  type KubeObject,
  nameOf,
} from '../../core/model/object.ts';
import { orderWithCycles } from '../../core/model/order.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { get, getAt } from '../../core/model/value.ts';
import { shownPath } from '../../core/text/clip.ts';
import { crdKinds, firstOf, type KindInfo, type KindRegistry } from '../../kubernetes/schema/index.ts';
import { type Admission, compileAdmission } from '../../kubernetes/validation/index.ts';
import type { Definition } from '../definition/index.ts';
import { semanticsOf } from '../semantics.ts';
import { instanceSchema, toCrd, toOpenApi } from '../simpleschema/index.ts';
import type { Graph } from './graph.ts';
import { type KindContext, type OnExpression, suggestionsFrom } from './kinds-of-nodes.ts';
import { compileRgd } from './rgd.ts';
import { compileRules } from './rules.ts';

export { checkAlphaFields } from './alpha-fields.ts';
export { booleanKeyHint, celReserved, idFault, unknownKindProblem } from './check-definition.ts';
export { guardClusterReads, setStatusInCluster } from './cluster-reads.ts';
export { declaredType } from './declared-type.ts';
export { type ExpressionDetails, forbiddenFunctions, omitScope } from './expression.ts';
export * from './graph.ts';
export {
  type ExpressionReads,
  iteratedLists,
  nodeReads,
  originOf,
  readsOf,
  statusExpressions,
  statusReadsOf,
} from './graph.ts';
export {
  isNamespaced,
  isOrchestratorKey,
  isReservedKey,
  type KindContext,
  type OnExpression,
  type ResolvedNode,
  resolveNode,
} from './kinds-of-nodes.ts';
export { compileNode, type NodeContext, variableTypeOf } from './node.ts';
export { readingOf, type Scopes, scopesIn, scopesOf } from './rgd.ts';
export { checkForApiServer, compileRules } from './rules.ts';
export { isExpression, loosePartsOf, type Part, partsOf } from './scan.ts';
export { bytesProblem } from './template.ts';
export type { CompiledExpression, Evaluation, EvaluationFailure, TemplateField } from './template-program.ts';

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
  const own = new Map<string, KindRegistry>();
  const broken = new Set<string>();
  const pluralTakenBy = new Map<string, Graph>();
  const unique = withoutDuplicates(definitions, reports);
  let remaining = MAX_MULTIPLIED;
  const all = firstOf([
    graphKind,
    { find: (kind) => own.get(groupKind(kind))?.find(kind), names: () => firstOf([...own.values()]).names() },
    kinds,
  ]);
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
    own.set(groupKind(definition), crdKinds(graph.crd).registry);
  }
  return graphs;
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
    const message = phrase`with this RGD, the schemas of all RGDs take over ${shown(MAX_MULTIPLIED)} characters more than was written`;
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
  const message = phrase`duplicate plural '${name}': used by the RGD '${other.name}', which defines ${kind}`;
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
    const message = phrase`the kind ${groupKind(definition)} is defined by the RGD '${taken.name}' already`;
    const hint = taken.name === definition.name ? TWICE : phrase`remove or rename one of them`;
    const related = definedBy(taken, composeText`defines it`);
    const path = ['spec', 'schema', 'kind'];
    reporterFor(definition.input, reports).report({ code: 'kind-defined-twice', message, path, related, hint });
  }
  return [...byKind.values()];
}

/** Returns RGDs in the order of compilation; a cycle of RGDs is an error of each of them. */
function compileOrder(
  definitions: readonly Definition[],
  broken: Set<string>,
  reports: Collector,
): readonly Definition[] {
  const indexOf = new Map(definitions.map((definition, index) => [groupKind(definition), index]));
  const uses = definitions.map((definition) => [
    ...new Set(usedKinds(definition).flatMap((kind) => indexOf.get(kind) ?? [])),
  ]);
  const { order, cycles } = orderWithCycles(uses, MAX_CYCLES);
  for (const cycle of cycles) {
    const names = shownPath(cycle.map((index) => definitions[index]?.name ?? ''));
    for (const index of new Set(cycle)) {
      const definition = definitions[index] as Definition;
      broken.add(groupKind(definition));
      const message = phrase`RGDs that render each other's kinds cannot be compiled: ${names}`;
      reporterFor(definition.input, reports).report({ code: 'rgd-cycle', message, path: ['spec', 'resources'] });
    }
  }
  return order.map((index) => definitions[index] as Definition);
}

/** The maximum number of cycles; each causes at least two errors. */
const MAX_CYCLES = 500;

function usedKinds(definition: Definition): string[] {
  return definition.nodes.flatMap(({ template, externalRef }) => {
    const { apiVersion, kind } = template ?? externalRef ?? {};
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
    return [groupKind(groupVersionKind({ apiVersion, kind }))];
  });
}

/** Returns the admission of instances of an RGD that does not compile: the schema of its spec may be valid. */
export function admissionOf(definition: Definition, reports: Collector): Admission | undefined {
  if (reports.limitReached) return undefined;
  const { schema: spec, problems } = toOpenApi(definition.schema);
  if (hasErrors(problems)) return undefined;
  const schema = instanceSchema(toCrd(definition, spec));
  return compileAdmission(schema, { rules: compileRules(schema, () => {}).runner });
}

/** A question of a compilation, and the answer: in another context, the same answers have the same results. */
interface Asked {
  question(context: KindContext): readonly unknown[];
  answer: readonly unknown[];
}

interface Cached {
  graph: Graph | undefined;
  reports: readonly Report[];
  asked: readonly Asked[];
  /** The expressions that were observed, whose programs are the planned ones; undefined without an observer. */
  seen: readonly Seen[] | undefined;
}

type Seen = Parameters<OnExpression> extends [unknown, ...infer Rest] ? Rest : never;

/** The last compilation of each RGD by its parsed object, for programs that keep their definitions. */
const cache = new WeakMap<KubeObject, Cached>();

/** Compiles an RGD, or returns the cached result if everything that was looked up is unchanged. */
function compileCached(definition: Definition, context: KindContext, reports: Collector): Graph | undefined {
  const { input } = definition;
  const { onExpression } = context;
  const known = cache.get(input.object);
  if (known !== undefined && (onExpression === undefined || known.seen !== undefined) && stillHolds(known, context)) {
    reportAgain(known.reports, input, reports);
    for (const one of known.seen ?? []) onExpression?.(definition, ...one);
    return known.graph && (known.graph.input === input ? known.graph : { ...known.graph, input });
  }
  const asked: Asked[] = [{ question: ofOptions, answer: ofOptions(context) }];
  const own = reports.part();
  const seen: Seen[] = [];
  const watched: KindContext = {
    ...context,
    kinds: {
      ...context.kinds,
      find(kind) {
        const found = context.kinds.find(kind);
        asked.push({ question: ofKind(kind), answer: factsOf(kind, found, context) });
        return found;
      },
    },
    namesFor(unknown) {
      const names = context.namesFor(unknown);
      asked.push({ question: ofNames(unknown), answer: [names.join()] });
      return names;
    },
    onExpression:
      onExpression &&
      ((one, ...rest) => {
        seen.push(rest);
        return onExpression(one, ...rest);
      }),
  };
  const graph = compileRgd(definition, watched, own);
  // With too many errors the compilation may be incomplete.
  if (!reports.limitReached) cache.set(input.object, { graph, reports: own.all, asked, seen: onExpression && seen });
  return graph;
}

// A function inside of compileCached would keep what it compiled with.
const ofNames =
  (unknown: string): Asked['question'] =>
  ({ namesFor }) => [namesFor(unknown).join()];

const ofOptions: Asked['question'] = ({ options }) => [
  options.strict,
  semanticsOf(options),
  options.clusterScoped.join(),
  options.experimental.join(),
];

const ofKind =
  (kind: GroupVersionKind): Asked['question'] =>
  (context) =>
    factsOf(kind, context.kinds.find(kind), context);

const factsOf = (kind: GroupVersionKind, found: KindInfo | undefined, { broken }: KindContext): readonly unknown[] => [
  found?.schema,
  found?.namespaced,
  broken.has(groupKind(kind)),
];

const stillHolds = ({ asked }: Cached, context: KindContext): boolean =>
  asked.every(({ question, answer }) => question(context).every((one, index) => one === answer[index]));
