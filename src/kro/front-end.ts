import { Collector, isError, type Report, told, trusted } from '../core/diagnostics/index.ts';
import {
  type GroupVersionKind,
  groupKind,
  type InputObject,
  identityOf,
  isPassthrough,
  type KubeObject,
  nameOf,
} from '../core/model/object.ts';
import type { RenderOptions, Trace } from '../core/model/render.ts';
import { isMap } from '../core/model/value.ts';
import type { Context, FrontEnd, Ordering, Outcome, Outline } from '../kubernetes/front-end/index.ts';
import { builtinKinds, kindsOf } from '../kubernetes/schema/index.ts';
import { isForCluster } from '../kubernetes/select/index.ts';
import { addTrace, admitInstances, isOfProject, toBeRendered, withDefaults, withoutBroken } from './admit/index.ts';
import { compileRgds, type Graph, type GraphNode, type Graphs, type OnExpression } from './compile/index.ts';
import { definedKinds, isRgd, outlineOf, type RgdPackage, readRgds, rgdRoleOf } from './definition/index.ts';
import {
  collectInstances,
  type Expansion,
  inNamespace,
  reportNode,
  reportNothingRendered,
  runInstances,
  withNested,
} from './expand/index.ts';
import { defaultNamespaceOf, GraphsSession, leftByAnnotation, leftPending, passedThrough } from './session.ts';
import { reportFirstCauses } from './survey/index.ts';

export const kroWith = (onExpression?: OnExpression, keeps?: boolean): FrontEnd<KroSession> => ({
  name: 'kro',
  apis: [
    {
      group: 'kro.run',
      apiVersion: 'kro.run/v1alpha1',
      kinds: ['ResourceGraphDefinition'],
      renamed: ({ kind, spec }) =>
        kind === 'ResourceGroup' && isMap(spec) && (Object.hasOwn(spec, 'schema') || Object.hasOwn(spec, 'resources'))
          ? { kind: 'ResourceGraphDefinition', since: 'kro 0.2' }
          : undefined,
      code: 'rgd-not-known',
      oneVersion: true,
      takesGroup: () => true,
    },
  ],
  takes: isRgd,
  // An expression may refer to any object, and any may be an instance.
  reads: () => true,
  reportsCollisions: true,
  kindsIn: (objects) => objects.filter(isRgd).map(outlineOf),
  start: (context) => new KroSession(context, onExpression, keeps),
});

export const kro = kroWith();

/** The RGDs of a package and all of its instances, which may read one another, are rendered together. */
export class KroSession extends GraphsSession {
  pack: RgdPackage = { objects: [], rgds: [], definitions: [], crds: [], candidates: [], observed: [] };
  /** Including those of `definitions`. */
  graphs: Graphs = new Map();
  /** Whether there was no error before the expansion. */
  #isAdmitted = false;
  #traces: ReadonlyMap<string, Trace> | undefined;

  constructor(
    context: Context,
    onExpression: OnExpression | undefined,
    private readonly keeps: boolean | undefined,
  ) {
    super(context, onExpression);
  }

  get expansion(): Expansion | undefined {
    return this.expansions[0];
  }

  read(objects: readonly InputObject[]): void {
    this.reports = new Collector();
    this.pack = readRgds({ ...this.context.pack, objects }, this.reports);
  }

  compile(): void {
    const { pack, reports } = this;
    const { input, options } = this.context;
    this.kinds = kindsOf(pack.crds, input.openapi, options.kubernetes, reports);
    const { kinds, onExpression, keeps } = this;
    const graphs = compileRgds(pack.definitions, { kinds, options, onExpression, keeps }, reports);
    this.graphs = withDefaults(graphs, input.defaults ?? [], reports);
  }

  expand(): void {
    const { pack, kinds, graphs, reports } = this;
    const { options, input } = this.context;
    const candidates = withoutBroken(pack, graphs, options, reports);
    const given = { ...this.#kindOptions(), undescribed: input.undescribed };
    const instances = admitInstances(candidates, graphs, kinds, given, reports);
    if (instances.length === 0 && !reports.hasErrors) reportNoInstances(pack, graphs, reports);
    const left = leftByAnnotation(instances, graphs, reports);
    const inputs = new Set(instances.map((instance) => instance.input));
    // Only instances read other objects, of which ResourceSets may render many.
    const others = inputs.size === 0 ? [] : pack.objects.filter((one) => isPlain(one) && !inputs.has(one));
    const toExpand = {
      graphs,
      instances: instances.filter((instance) => !left.has(instance.input)),
      observed: pack.observed,
      // An instance that is left to a controller is an ordinary object in the cluster.
      plain: [...others, ...instances.filter((instance) => left.has(instance.input))],
      defaultNamespace: defaultNamespaceOf(kinds, options, { takesUnknown: true }),
      observedNamespace: defaultNamespaceOf(kinds, options, { takesUnknown: false }),
    };
    this.#isAdmitted = !reports.hasErrors;
    const expansion = runInstances(toExpand, options, reports);
    this.expansions = [expansion];
    this.observedNamespace = toExpand.observedNamespace;
    reportNothingRendered(expansion.runs);
    this.#reportUnrendered(expansion);
    const failed = reports.hasErrors && [...reports.all];
    this.expanded = collectInstances(expansion);
    // After an error, further reports are discarded.
    if (failed) reports.replaceAll(reportFirstCauses(expansion, toExpand.defaultNamespace, failed));
    const all = new Set([...left, ...leftPending(this.expanded, options.onPending, reports)]);
    const passed = passedThrough(all, instances, graphs);
    const remaining = this.expanded.filter(({ input }) => !all.has(input));
    const rendered = new Map(remaining.map((one) => [one.input, one.rendered]));
    const outcomeOf = (role: Outcome['role'], input: InputObject): [KubeObject, Outcome] => [
      input.object,
      { input, role, rendered: rendered.get(input) ?? [], passedThrough: passed.has(input) },
    ];
    const rgds = this.pack.objects.filter((one) => rgdRoleOf(one) === 'rgd');
    this.pending = remaining.flatMap((one) => one.pending);
    this.outcomes = new Map([
      ...rgds.map((input) => outcomeOf('rgd', input)),
      ...instances.map(({ input }) => outcomeOf('instance', input)),
    ]);
  }

  #kindOptions(): { traceFor: (gvk: GroupVersionKind) => Trace | undefined; options: RenderOptions } {
    return { traceFor: (gvk: GroupVersionKind) => this.#traceFor(gvk), options: this.context.options };
  }

  /** Returns what shows that the objects of a kind have to be rendered, although no RGD defines it. */
  #traceFor(gvk: GroupVersionKind): Trace | undefined {
    const { input, pack } = this.context;
    const isOwn = gvk.group.includes('.') && !isOfProject(gvk.group) && !gvk.group.endsWith('.k8s.io');
    const elsewhere = isOwn ? input.traceFor?.(groupKind(gvk)) : undefined;
    if (elsewhere !== undefined && !elsewhere.isDoubtful) return elsewhere;
    if (this.#traces === undefined) {
      const traces = new Map<string, Trace>();
      for (const { object } of [...pack.objects, ...pack.beside, ...pack.observed]) {
        if (!isRgd(object)) addTrace(object, 'in the input', traces);
      }
      this.#traces = traces;
    }
    return this.#traces.get(groupKind(gvk)) ?? elsewhere;
  }

  #reportUnrendered(expansion: Expansion): void {
    const graphs = [...new Set([...this.graphs.values(), ...expansion.runs.map(({ graph }) => graph)])];
    // An RGD with an error defines its kind too: the error says why nothing is rendered.
    const kinds = new Set([...graphs, ...definedKinds(this.pack.rgds)].map(groupKind));
    const isForeign = ({ gvk }: GraphNode): boolean =>
      builtinKinds.find(gvk) === undefined && !kinds.has(groupKind(gvk));
    const foreign = new Set(graphs.flatMap(({ nodes }) => nodes.filter(isForeign)));
    if (foreign.size === 0) return;
    for (const run of expansion.runs.flatMap(withNested)) {
      for (const [index, items] of run.rendered.entries()) {
        const node = run.graph.nodes[index];
        if (node === undefined || !foreign.has(node)) continue;
        if (!items.some(({ object }) => object !== undefined && !isPassthrough(object))) continue;
        foreign.delete(node);
        const problem = toBeRendered(node.gvk, this.#kindOptions());
        // A kind that nothing describes is a warning of the RGD.
        if (problem === undefined || problem.code === 'graph-kind' || problem.severity === 'warning') continue;
        reportNode({ run, node }, { ...problem, path: [...node.path, 'template', 'kind'] });
      }
    }
  }

  override order(): Ordering {
    const instances = this.expanded.map(({ input, rendered }) => ({
      object: input.object,
      steps: [rendered.map(({ object }) => object)],
      dependencies: [],
      report: () => undefined,
    }));
    return { ...super.order(), instances };
  }

  /** Returns the expansion, unless there are errors of other steps or front ends than it. */
  soundExpansion(reports: readonly Report[]): Expansion | undefined {
    const own = new Set(this.reports);
    const isSound = this.#isAdmitted && reports.every((one) => !isError(one) || own.has(one));
    return isSound ? this.expansion : undefined;
  }

  /** Returns the identity of an object of the package in the namespace that it gets. */
  placedIdentity(object: KubeObject): string {
    const namespaceFor = defaultNamespaceOf(this.kinds, this.context.options, { takesUnknown: true });
    return identityOf(inNamespace(object, namespaceFor));
  }

  outlines(): Outline[] {
    return [...this.graphs.values()].map(({ kind, group, nodes }) => ({
      kind,
      group,
      nodes: nodes
        .filter((node) => node.kind === 'resource' || node.kind === 'collection')
        .map(({ id, gvk }) => ({ id, kind: gvk.kind, group: gvk.group })),
    }));
  }

  ownGraphs(): Graph[] {
    const own = new Set(this.context.pack.objects);
    return [...this.graphs.values()].filter((graph) => own.has(graph.input));
  }

  crds(): KubeObject[] {
    const generated = this.ownGraphs();
    return generated.map(({ crd }) => crd).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
}

const isPlain = (input: InputObject): boolean => ['crd', 'other'].includes(rgdRoleOf(input));

/** Warns of definitions without instances, which may have been lost on the way. */
function reportNoInstances(pack: RgdPackage, graphs: Graphs, reports: Collector): void {
  const defined = [...graphs.keys()];
  const others = pack.objects.filter((input) => isForCluster({ role: rgdRoleOf(input), input }));
  if (defined.length === 0 || others.length === 0) return;
  const shown = `${defined.slice(0, 3).join(', ')}${defined.length > 3 ? `, and ${defined.length - 3} more` : ''}`;
  const message = told`nothing is rendered: no instance of the RGDs found (${{ kind: trusted.definition(shown) }})`;
  reports.add({ code: 'no-instances', ...message, path: [], severity: 'warning' });
}
