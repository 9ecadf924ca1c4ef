import { Collector, codeEntry, type Report, waitsLast } from './diagnostics/index.ts';
import { annotateOrder, type Group, type Ordered } from './label/index.ts';
import type { InputObject, KubeObject } from './model/object.ts';
import type { Entry, Order, RenderInput, RenderOptions } from './model/render.ts';
import { type Package, readPackage } from './read/index.ts';
import { type ExpandedSet, mayHoldSets, packageForRgds, rendersSets, renderWithSets } from './resourceset/index.ts';
import type { FoundIn, Graphs } from './rgd/compile/index.ts';
import type { RgdOutline } from './rgd/definition/index.ts';
import type { ExpandedInstance, Expansion } from './rgd/expand/index.ts';
import * as rgd from './rgd/front-end.ts';
import { type KindRegistry, kindsOf } from './schema/index.ts';
import type { Survey } from './survey/index.ts';

/*
 * The steps by which a package becomes objects: read, compile, admit, expand, label; what is printed of them is selected
 * and emitted by whoever asked. A step whose input has errors does not run: `undefined` goes through all that follow.
 *
 * A front end is a language of templates, such as kro's ResourceGraphDefinitions (`rgd`). It plugs in here and nowhere
 * else: `readPackage` says which objects it takes, the steps below call its verbs, and what it expands joins the objects
 * that are labelled and the outcome that `entriesOf` is made of.
 */

export interface RenderOutput {
  /** One entry for each object of the package, in input order, lists flattened. */
  entries: readonly Entry[];
  /** Nodes left out because they wait (`onPending: 'skip'`). */
  pending: readonly { instanceId: string; node: string }[];
  /** What the RGDs define and render, those read beside the package included. */
  defined: readonly RgdOutline[];
  /** Everything found, in a stable order. With an error among them, `entries` must not be printed. */
  reports: readonly Report[];
}

/** Renders a package. Pure: the same input and options give the same output. Everything found is in `reports`. */
export function renderPackage(input: RenderInput, options: RenderOptions): RenderOutput {
  const { entries, pending, defined, reports } = renderWithExpansion(input, options);
  return { entries, pending, defined, reports };
}

/** A rendering together with what it came from, as far as it got. */
export interface ExpandedOutput extends RenderOutput {
  graphs?: Graphs;
  expansion?: Expansion;
  /** Whether a rendered object may hold values of Secrets. */
  secretOf?: (object: KubeObject) => InputObject['secret'];
  /** What became of ResourceSets. */
  sets?: readonly ExpandedSet[];
}

/** Renders a package for those who look behind the objects; holds on to much more memory than `renderPackage`. */
export function renderWithExpansion(input: RenderInput, options: RenderOptions, found?: FoundIn): ExpandedOutput {
  const output = expandPackage(input, options, found);
  return { ...output, reports: waitsLast(output.reports) };
}

function expandPackage(input: RenderInput, options: RenderOptions, found?: FoundIn): ExpandedOutput {
  const render = (one: RenderInput, beside: Beside): ExpandedOutput => renderRgds(one, options, found, beside);
  const nothing = (reports: readonly Report[]): ExpandedOutput => ({ entries: [], pending: [], defined: [], reports });
  if (mayHoldSets(input.objects)) return renderWithSets(input, options, render, nothing);
  const output = renderRgds(input, options, found);
  return rendersSets(output) ? renderWithSets(input, options, render, nothing) : output;
}

/** What another front end made of the package, for the objects of both to be ordered together. */
interface Beside {
  objects: readonly Ordered[];
  groups: readonly Group[];
  /** Told each of the objects with its order. */
  ordered: (object: KubeObject, annotated: KubeObject) => void;
}

/** Renders a package that holds no ResourceSet. */
function renderRgds(input: RenderInput, options: RenderOptions, found?: FoundIn, beside?: Beside): ExpandedOutput {
  const reports = new Collector();
  const admitted = admit(compileFrom(input, options, reports, found), options, reports);
  if (admitted === undefined) return { entries: [], pending: [], defined: [], reports: reports.all };
  const { graphs } = admitted;
  const expanded = expand(admitted, options, reports, beside);
  const { expansion } = expanded.rgd;
  const defined = [...graphs.values()].map(rgd.outlineOf);
  const outcome = outcomeOf(admitted, expanded, options, reports);
  const secretOf = (object: KubeObject): InputObject['secret'] => rgd.secretOf(object, expansion);
  return { ...outcome, defined, reports: reports.all, graphs, expansion, secretOf };
}

/**
 * Looks at what a package reads instead of rendering it: at every node, those that wait included. That something
 * waits is no error here and not reported, but for what is left to a controller. No survey when the package has errors.
 */
export function surveyPackage(
  input: RenderInput,
  options: RenderOptions,
): { survey?: Survey; reports: readonly Report[] } {
  const reports = new Collector();
  const lenient: RenderOptions = { ...options, onPending: 'skip' };
  const { input: given, sets } = packageForRgds(input, lenient, reports);
  const admitted = reports.hasErrors ? undefined : admit(compileFrom(given, lenient, reports), lenient, reports);
  if (admitted === undefined) return { reports: reports.all };
  const survey = rgd.survey(admitted.rgd, lenient, reports);
  const remaining = reports.all.filter(({ code }) => codeEntry(code).stage !== 'pending' || code === 'passed-through');
  return survey === undefined ? { reports: remaining } : { survey: { ...survey, beside: sets }, reports: remaining };
}

/** Reads a package and compiles what it defines; nothing is compiled when there is an error. */
export function compilePackage(
  input: RenderInput,
  options: RenderOptions,
): { compiled?: Compiled; reports: readonly Report[] } {
  const reports = new Collector();
  const compiled = compileFrom(input, options, reports);
  return compiled === undefined ? { reports: reports.all } : { compiled, reports: reports.all };
}

/** `found` is told every expression. */
const compileFrom = (
  input: RenderInput,
  options: RenderOptions,
  reports: Collector,
  found?: FoundIn,
): Compiled | undefined => compile(read(input, reports), options, reports, found);

/** The CRDs that the RGDs of a package generate, sorted by name; those of `definitions` are not among them. */
export function crdsOf(input: RenderInput, options: RenderOptions): { crds: KubeObject[]; reports: readonly Report[] } {
  const reports = new Collector();
  const compiled = compileFrom(input, options, reports);
  const crds = compiled === undefined ? [] : rgd.crds(compiled.pack, compiled.graphs, reports);
  return { crds: reports.hasErrors ? [] : crds, reports: reports.all };
}

/** What is read: the objects by what they are for, and the kinds that they and the cluster describe. */
export interface Read {
  pack: Package;
  kinds: KindRegistry;
}

/** Sorts the objects of a package, and decodes those that a front end takes. */
function read(input: RenderInput, reports: Collector): Read | undefined {
  const pack = readPackage(input, reports);
  if (reports.hasErrors) return undefined;
  return { pack, kinds: kindsOf(pack.crds, input.openapi, reports) };
}

export interface Compiled extends Read {
  graphs: Graphs;
}

/** Once per definition. */
function compile(
  given: Read | undefined,
  options: RenderOptions,
  reports: Collector,
  found?: FoundIn,
): Compiled | undefined {
  if (given === undefined) return undefined;
  const graphs = rgd.compile(given.pack, given.kinds, options, reports, found);
  return reports.hasErrors ? undefined : { ...given, graphs };
}

interface Admitted extends Compiled {
  rgd: rgd.Admitted;
}

/** Once per instance. */
function admit(given: Compiled | undefined, options: RenderOptions, reports: Collector): Admitted | undefined {
  if (given === undefined) return undefined;
  const admitted = rgd.admit(given.pack, given.kinds, given.graphs, options, reports);
  return reports.hasErrors ? undefined : { ...given, rgd: admitted };
}

interface Expanded {
  rgd: rgd.Expanded;
  /** What came of the instances, in input order, and labelled. */
  instances: readonly ExpandedInstance[];
}

/** Makes objects of the instances; each names its origin. */
function expand(given: Admitted, options: RenderOptions, reports: Collector, beside?: Beside): Expanded {
  const expanded = rgd.expand(given.rgd, options, reports);
  const instances = label(expanded.instances, options.order, beside);
  if (reports.hasErrors) reports.retell(rgd.explain(given.rgd, expanded, reports.all));
  return { rgd: expanded, instances };
}

/**
 * Writes the order of objects into them. Those of all instances are ordered together. Labels of origin are there
 * already: expressions see them.
 */
function label(
  instances: readonly ExpandedInstance[],
  order: Order,
  beside: Beside = { objects: [], groups: [], ordered: () => undefined },
): readonly ExpandedInstance[] {
  if (order === 'none') return instances;
  const rendered: readonly Ordered[] = instances.flatMap((one) => one.rendered);
  const groups = [...beside.groups, ...instances.map(groupOf)];
  const ordered = annotateOrder([...beside.objects, ...rendered], order, beside.groups.length === 0 ? [] : groups);
  for (const one of beside.objects) beside.ordered(one.object, ordered.get(one) ?? one.object);
  return instances.map((one) => ({
    ...one,
    rendered: one.rendered.map((made) => ({ ...made, object: ordered.get(made) ?? made.object })),
  }));
}

/** An instance stands for what it is rendered to: a ResourceSet may have made it, or come after it. */
const groupOf = ({ input, rendered }: ExpandedInstance): Group => ({
  object: input.object,
  steps: [rendered.map(({ object }) => object)],
  dependencies: [],
  tell: () => undefined,
});

/** What became of every object of the package. */
function outcomeOf(
  admitted: Admitted,
  expanded: Expanded,
  options: RenderOptions,
  reports: Collector,
): Pick<RenderOutput, 'entries' | 'pending'> {
  if (reports.hasErrors) return { entries: [], pending: [] };
  const outcome = rgd.settle(admitted.rgd, expanded.instances, options, reports);
  return { entries: entriesOf(admitted.pack, outcome), pending: outcome.pending };
}

const entriesOf = ({ objects, roleOf }: Package, { made, passedThrough }: rgd.Outcome): Entry[] =>
  objects.map((input: InputObject) => ({
    input,
    role: made.has(input) ? 'instance' : roleOf(input),
    rendered: made.get(input) ?? [],
    passedThrough: passedThrough.has(input),
  }));
