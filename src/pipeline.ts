import { codes, isError, type Report, reporterFor } from './diagnostics/index.ts';
import { groupVersionKind, type InputObject, type KubeObject, nameOf } from './model/object.ts';
import type { Entry, Rendered, RenderInput, RenderOptions } from './model/render.ts';
import { type Package, readPackage } from './read/index.ts';
import { type AdmittedInstance, admitInstances } from './rgd/admit/index.ts';
import { compileRgds, type Graph, type Graphs, isNamespaced } from './rgd/compile/index.ts';
import {
  collectInstances,
  type DefaultNamespace,
  type ExpandInput,
  type Expansion,
  runInstances,
} from './rgd/expand/index.ts';
import { leftByAnnotation, leftPending, passedThrough } from './rgd/passthrough/index.ts';
import { extentOf, type KindRegistry, kindsOf, MAX_SCHEMA_CHARACTERS } from './schema/index.ts';
import { isForCluster } from './select/index.ts';
import { type Survey, surveyRuns, tellFirstCauses } from './survey/index.ts';

export interface RenderOutput {
  /** One entry for each object of the package, in input order, lists flattened. */
  entries: readonly Entry[];
  /** Nodes left out because they wait (`onPending: 'skip'`). */
  pending: readonly { instanceId: string; node: string }[];
  /** Everything found, in a stable order. With an error among them, `entries` must not be printed. */
  reports: readonly Report[];
}

/**
 * Renders a package: parse, compile, admit, expand, label. Pure: the same input and options give the same output.
 * A step with an error is the last one that runs; everything found until then is in `reports`.
 */
export function renderPackage(input: RenderInput, options: RenderOptions): RenderOutput {
  const { entries, pending, reports } = renderWithExpansion(input, options);
  return { entries, pending, reports };
}

/** A rendering together with what it came from, as far as it got. */
export interface ExpandedOutput extends RenderOutput {
  graphs?: Graphs;
  expansion?: Expansion;
}

/** Renders a package for those who look behind the objects; holds on to much more memory than `renderPackage`. */
export function renderWithExpansion(input: RenderInput, options: RenderOptions): ExpandedOutput {
  const reports: Report[] = [];
  const nothing: ExpandedOutput = { entries: [], pending: [], reports };

  const prepared = prepare(input, options, reports);
  if (prepared === undefined) return nothing;
  const { pack, graphs, instances, left, toExpand } = prepared;
  const expansion = runInstances(toExpand, options, reports);
  const expanded = collectInstances(expansion);
  if (hasError(reports)) {
    tellFirstCauses(expansion, toExpand.defaultNamespace, reports);
    return { ...nothing, graphs, expansion };
  }

  for (const one of leftPending(expanded, options.onPending, reports)) left.add(one);
  const made = new Map(expanded.map((one) => [one.input, left.has(one.input) ? [] : one.rendered]));
  return {
    entries: entriesOf(pack, instances, graphs, left, made),
    pending: expanded.filter((one) => !left.has(one.input)).flatMap((one) => one.pending),
    reports,
    graphs,
    expansion,
  };
}

/** A package whose instances are ready to be expanded. */
interface Prepared {
  pack: Package;
  graphs: Graphs;
  instances: readonly AdmittedInstance[];
  /** The instances that are left to a controller. */
  left: Set<InputObject>;
  toExpand: ExpandInput;
}

export interface Compiled {
  pack: Package;
  kinds: KindRegistry;
  graphs: Graphs;
}

/** Reads a package and compiles its RGDs. */
export function compilePackage(input: RenderInput, options: RenderOptions, reports: Report[]): Compiled | undefined {
  const pack = readPackage(input, reports);
  if (hasError(reports)) return undefined;
  const kinds = kindsOf(pack.crds, input.openapi, reports);
  const graphs = compileRgds(pack.definitions, kinds, options, reports);
  return hasError(reports) ? undefined : { pack, kinds, graphs };
}

function prepare(input: RenderInput, options: RenderOptions, reports: Report[]): Prepared | undefined {
  const compiled = compilePackage(input, options, reports);
  if (compiled === undefined) return undefined;
  const { pack, kinds, graphs } = compiled;
  const instances = admitInstances(pack.candidates, graphs, kinds, options, reports);
  if (instances.length === 0 && !hasError(reports)) reportNoInstances(pack, graphs, reports);
  const left = leftByAnnotation(instances, graphs, reports);
  if (hasError(reports)) return undefined;

  const rendering = instances.filter((instance) => !left.has(instance.input));
  const inputs = new Set(instances.map((instance) => instance.input));
  const others = pack.objects.filter((one) => /^(crd|other)$/.test(pack.roleOf(one)) && !inputs.has(one));
  // An instance that is left to a controller is in the cluster as an object like any other.
  const plain = [...others, ...instances.filter((instance) => left.has(instance.input))];
  const toExpand = {
    graphs,
    instances: rendering,
    observed: pack.observed,
    plain,
    defaultNamespace: placing(kinds, options, true),
    observedNamespace: placing(kinds, options, false),
  };
  return { pack, graphs, instances, left, toExpand };
}

/**
 * Looks at what a package reads instead of rendering it: at every node, those that wait included. That something
 * waits is no error here and not reported. No survey when the package has errors.
 */
export function surveyPackage(input: RenderInput, options: RenderOptions): { survey?: Survey; reports: Report[] } {
  const reports: Report[] = [];
  const lenient: RenderOptions = { ...options, onPending: 'skip' };
  const prepared = prepare(input, lenient, reports);
  if (prepared === undefined) return { reports };
  const expansion = runInstances(prepared.toExpand, lenient, reports);
  const remaining = reports.filter(({ code }) => codes[code].stage !== 'pending' || code === 'passed-through');
  if (hasError(reports)) return { reports: remaining };
  return { survey: surveyRuns(expansion, prepared.toExpand.observedNamespace), reports: remaining };
}

/** The CRDs that the RGDs of a package generate, sorted by name; those of `definitions` are not among them. */
export function crdsOf(input: RenderInput, options: RenderOptions): { crds: KubeObject[]; reports: Report[] } {
  const reports: Report[] = [];
  const compiled = compilePackage(input, options, reports);
  if (compiled === undefined) return { crds: [], reports };
  const own = new Set(compiled.pack.objects);
  const graphs = [...compiled.graphs.values()].filter((graph) => own.has(graph.input));
  reportLength(graphs, reports);
  if (hasError(reports)) return { crds: [], reports };
  const crds = graphs.map(({ crd }) => crd);
  return { crds: crds.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)), reports };
}

/** Types that are used often are written out everywhere; a CRD each of hundreds of RGDs may be as long as one can be. */
const MAX_CRD_CHARACTERS = 20 * MAX_SCHEMA_CHARACTERS;

function reportLength(graphs: readonly Graph[], reports: Report[]): void {
  let characters = 0;
  for (const graph of graphs) {
    characters += extentOf(graph.schema, new WeakMap()).characters;
    if (characters <= MAX_CRD_CHARACTERS) continue;
    const message = `with this one, all CRDs together take more than ${MAX_CRD_CHARACTERS} characters`;
    const hint = 'print the CRDs of fewer RGDs at a time';
    reporterFor(graph.input, reports).report({ code: 'schema-too-large', message, path: ['spec', 'schema'], hint });
    return;
  }
}

function entriesOf(
  pack: Package,
  instances: readonly AdmittedInstance[],
  graphs: Graphs,
  left: ReadonlySet<InputObject>,
  made: ReadonlyMap<InputObject, readonly Rendered[]>,
): Entry[] {
  const passed = passedThrough(left, instances, graphs);
  const isInstance = new Set(instances.map(({ input }) => input));
  return pack.objects.map((input) => ({
    input,
    role: isInstance.has(input) ? 'instance' : pack.roleOf(input),
    rendered: made.get(input) ?? [],
    passedThrough: passed.has(input),
  }));
}

/**
 * Where definitions are and no instance of them is, the instances may have been lost on the way. Without any other
 * object nothing is left at all, which the shells tell.
 */
function reportNoInstances(pack: Package, graphs: Graphs, reports: Report[]): void {
  const defined = [...graphs.keys()];
  const others = pack.objects.filter((input) => isForCluster({ role: pack.roleOf(input), input }));
  if (defined.length === 0 || others.length === 0) return;
  const shown = `${defined.slice(0, 3).join(', ')}${defined.length > 3 ? `, and ${defined.length - 3} more` : ''}`;
  const message = `nothing is rendered: there is no instance of what the RGDs define (${shown})`;
  reports.push({ code: 'no-instances', message, path: [], severity: 'warning' });
}

/**
 * Objects that name no namespace stand in the default one, like instances, if their kind has one. `assume` says whether
 * kinds that nothing describes count as such.
 */
function placing(kinds: KindRegistry, options: RenderOptions, assume: boolean): DefaultNamespace {
  const { namespace } = options;
  if (namespace === '') return () => '';
  return (object) => {
    const kind = groupVersionKind(object);
    const info = kinds.find(kind);
    return (info !== undefined || assume) && isNamespaced(kind, info, options) ? namespace : '';
  };
}

const hasError = (reports: readonly Report[]): boolean => reports.some(isError);
