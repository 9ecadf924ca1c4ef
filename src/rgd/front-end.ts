/**
 * kro's ResourceGraphDefinitions as a front end: the verbs of the pipeline for the objects of a package that are written
 * in its language. Another front end has the same verbs, in a room of its own.
 */
import { type Collector, type Report, reporterFor } from '../diagnostics/index.ts';
import { groupVersionKind, type InputObject, type KubeObject, nameOf } from '../model/object.ts';
import type { RenderOptions } from '../model/render.ts';
import type { Package } from '../read/index.ts';
import { extentOf, type KindRegistry, MAX_SCHEMA_CHARACTERS } from '../schema/index.ts';
import { isForCluster } from '../select/index.ts';
import { type Survey, surveyRuns, tellFirstCauses } from '../survey/index.ts';
import { type AdmittedInstance, admitInstances } from './admit/index.ts';
import { compileRgds, type FoundIn, type Graph, type Graphs, isNamespaced } from './compile/index.ts';
import type { RgdOutline } from './definition/index.ts';
import {
  collectInstances,
  type DefaultNamespace,
  type ExpandedInstance,
  type ExpandInput,
  type Expansion,
  runInstances,
  secretOf as secretOfObject,
} from './expand/index.ts';
import { leftByAnnotation, leftPending, passedThrough } from './passthrough/index.ts';

/** Compiles the RGDs of a package, those read beside it included. */
export const compile = (
  { definitions }: Package,
  kinds: KindRegistry,
  options: RenderOptions,
  reports: Collector,
  found?: FoundIn,
): Graphs => compileRgds(definitions, kinds, options, reports, found);

/** Instances that may be expanded, and those that are left to a controller. */
export interface Admitted {
  graphs: Graphs;
  instances: readonly AdmittedInstance[];
  /** The instances that are left to a controller outright. */
  left: ReadonlySet<InputObject>;
  toExpand: ExpandInput;
}

/** Admits the instances of a package: those of kinds that the RGDs define. */
export function admit(
  pack: Package,
  kinds: KindRegistry,
  graphs: Graphs,
  options: RenderOptions,
  reports: Collector,
): Admitted {
  const instances = admitInstances(pack.candidates, graphs, kinds, options, reports);
  if (instances.length === 0 && !reports.hasErrors) reportNoInstances(pack, graphs, reports);
  const left = leftByAnnotation(instances, graphs, reports);
  const inputs = new Set(instances.map((instance) => instance.input));
  const others = pack.objects.filter(
    (one) => (pack.roleOf(one) === 'crd' || pack.roleOf(one) === 'other') && !inputs.has(one),
  );
  // An instance that is left to a controller is in the cluster as an object like any other.
  const plain = [...others, ...instances.filter((instance) => left.has(instance.input))];
  const toExpand = {
    graphs,
    instances: instances.filter((instance) => !left.has(instance.input)),
    observed: pack.observed,
    plain,
    defaultNamespace: placing(kinds, options, true),
    observedNamespace: placing(kinds, options, false),
  };
  return { graphs, instances, left, toExpand };
}

/** What the instances became, and the runs that made it. */
export interface Expanded {
  expansion: Expansion;
  instances: readonly ExpandedInstance[];
}

/** Runs the graph of every instance. */
export function expand({ toExpand }: Admitted, options: RenderOptions, reports: Collector): Expanded {
  const expansion = runInstances(toExpand, options, reports);
  return { expansion, instances: collectInstances(expansion) };
}

/** Says of nodes that wait what has to be there first. */
export const explain = (
  { toExpand }: Admitted,
  { expansion }: Expanded,
  reports: readonly Report[],
): readonly Report[] => tellFirstCauses(expansion, toExpand.defaultNamespace, reports);

/** Looks at what every node of every instance reads of a cluster. No survey where expanding found an error. */
export function survey({ toExpand }: Admitted, options: RenderOptions, reports: Collector): Survey | undefined {
  const expansion = runInstances(toExpand, options, reports);
  return reports.hasErrors ? undefined : surveyRuns(expansion, toExpand.observedNamespace);
}

/** What becomes of the objects of a package that this front end takes. */
export interface Outcome {
  /** The instances, each with what it became: nothing where it is left to a controller. */
  made: ReadonlyMap<InputObject, ExpandedInstance['rendered']>;
  /** What goes to the cluster as it came, for a controller to take. */
  passedThrough: ReadonlySet<InputObject>;
  /** The nodes that wait. */
  pending: ExpandedInstance['pending'];
}

/** Leaves to a controller what waits, where that was asked for. */
export function settle(
  { graphs, instances, left }: Admitted,
  expanded: readonly ExpandedInstance[],
  options: RenderOptions,
  reports: Collector,
): Outcome {
  const all = new Set([...left, ...leftPending(expanded, options.onPending, reports)]);
  const kept = expanded.filter(({ input }) => !all.has(input));
  const made = new Map<InputObject, ExpandedInstance['rendered']>(instances.map(({ input }) => [input, []]));
  for (const { input, rendered } of kept) made.set(input, rendered);
  const pending = kept.flatMap((one) => one.pending);
  return { made, passedThrough: passedThrough(all, instances, graphs), pending };
}

/** Whether a rendered object may hold values of Secrets, for the front end that renders it further. */
export const secretOf = (object: KubeObject, { world }: Expansion): InputObject['secret'] =>
  secretOfObject(object, world);

/** What an RGD defines and renders. */
export const outlineOf = ({ kind, group, nodes }: Graph): RgdOutline => ({
  kind,
  group,
  nodes: nodes
    .filter((node) => node.kind === 'resource' || node.kind === 'collection')
    .map(({ id, gvk }) => ({ id, kind: gvk.kind, group: gvk.group })),
});

/** The CRDs of the RGDs that stand in the package, sorted by name; those read beside it are not among them. */
export function crds(pack: Package, graphs: Graphs, reports: Collector): KubeObject[] {
  const own = new Set(pack.objects);
  const generated = [...graphs.values()].filter((graph) => own.has(graph.input));
  reportLength(generated, reports);
  return generated.map(({ crd }) => crd).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Types that are used often are written out everywhere; a CRD each of hundreds of RGDs may be as long as one can be. */
const MAX_CRD_CHARACTERS = 20 * MAX_SCHEMA_CHARACTERS;

function reportLength(graphs: readonly Graph[], reports: Collector): void {
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

/**
 * Where definitions are and no instance of them is, the instances may have been lost on the way. Without any other
 * object nothing is left at all, which the shells tell.
 */
function reportNoInstances(pack: Package, graphs: Graphs, reports: Collector): void {
  const defined = [...graphs.keys()];
  const others = pack.objects.filter((input) => isForCluster({ role: pack.roleOf(input), input }));
  if (defined.length === 0 || others.length === 0) return;
  const shown = `${defined.slice(0, 3).join(', ')}${defined.length > 3 ? `, and ${defined.length - 3} more` : ''}`;
  const message = `nothing is rendered: there is no instance of what the RGDs define (${shown})`;
  reports.add({ code: 'no-instances', message, path: [], severity: 'warning' });
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
