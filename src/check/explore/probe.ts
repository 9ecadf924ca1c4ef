/** Renders instances of an RGD, and lists the faults of each: what does not render, and what an API server rejects. */
import {
  type Code,
  Collector,
  isError,
  isPending,
  type Problem,
  phrase,
  type Report,
  shown,
} from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupKindOf, type InputObject, placeOfSource } from '../../core/model/object.ts';
import {
  KUBERNETES_RELEASES,
  type KubernetesRelease,
  PLANNED_KUBERNETES,
  type Rendered,
  type RenderInput,
  type RenderOptions,
} from '../../core/model/render.ts';
import type { Path } from '../../core/model/value.ts';
import { type CoverageCollector, type CoverageItem, createCollector } from '../../describe/coverage/index.ts';
import { type GraphNode, type Graphs, isReference, reachedFrom } from '../../kro/compile/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import {
  type Expansion,
  evaluate,
  type InstanceRun,
  type NodeRun,
  nodeReport,
  withNested,
} from '../../kro/expand/index.ts';
import { kro, kroWith } from '../../kro/front-end.ts';
import { withFrontEnd } from '../../kubernetes/front-end/index.ts';
import { builtinKinds, type KindRegistry } from '../../kubernetes/schema/index.ts';
import { Optional } from '../../languages/cel/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { compilePackage, type Rendering, renderWithSessions } from '../../render/pipeline.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { createItemCheck, exceededQuotas, type ItemCheck, OF_OBJECTS } from '../validate/index.ts';

/** What is wrong with an instance that the schema accepts. */
export interface Fault {
  /** Equal for two instances with the same fault. */
  key: string;
  code: Code;
  /** The id of the node; '' for the instance. */
  node: string;
  report: Report;
}

/** Warnings about an instance that are faults of its RGD. */
const FAULTY_WARNINGS: ReadonlySet<Code> = new Set(['nothing-rendered', 'quota-exceeded', 'lint-contagious-skip']);

/** Errors about an RGD, which no instance can avoid. */
const OF_RGDS: ReadonlySet<Code> = new Set(['undefined-kind', 'graph-kind', 'unresolved-mode']);

/** Since this release, an API server accepts a Service whose name starts with a digit. */
const ACCEPTS_DIGITS: KubernetesRelease = '1.36';
const RELEASES: readonly KubernetesRelease[] = [...PLANNED_KUBERNETES, ...KUBERNETES_RELEASES];

/** Renders generated instances of the RGDs of a package, and counts what they cover. */
export class Probe {
  readonly graphs: Graphs;
  readonly #collector: CoverageCollector = createCollector();
  readonly #frontEnds = withFrontEnd(kroWith(this.#collector.onExpression, true), FRONT_ENDS);
  readonly #options: RenderOptions;
  readonly #others: readonly InputObject[];
  readonly #given: readonly InputObject[];
  #check: ItemCheck;
  /** The number of nodes and objects that were looked at. */
  work = 0;

  constructor(
    private readonly input: RenderInput,
    options: RenderOptions,
  ) {
    this.#options = { ...options, onPending: 'skip', order: 'none' };
    this.#check = createItemCheck(this.#options);
    const beside: RenderInput = { undescribed: 'warning', ...input };
    this.graphs = compilePackage(beside, this.#options, this.#frontEnds).compiled.of(kro)?.graphs ?? new Map();
    const isOther = ({ object }: InputObject): boolean => !isRgd(object) && !this.graphs.has(groupKindOf(object));
    this.#others = objectsIn(input.objects).filter(isOther);
    this.#given = objectsIn(input.definitions ?? []).filter(isOther);
  }

  /** Returns what the instances covered of these RGDs that were rendered since the last call. */
  takeCovered(rgds: Iterable<string>): readonly CoverageItem[] {
    return this.#collector.takeItems(rgds);
  }

  /** Returns the faults of one instance. */
  faultsOf(input: InputObject): readonly Fault[] {
    return this.faultsOfAll([input]).get(input) ?? [];
  }

  /** Returns the faults of instances of one kind, as if each were alone. */
  faultsOfAll(instances: readonly InputObject[]): ReadonlyMap<InputObject, readonly Fault[]> {
    const faults = this.faultsOfTogether(instances);
    if (instances.length < 2) return faults;
    // Only together do two instances render one object.
    const alone = instances.filter((input) => faults.get(input)?.some(({ code }) => code === 'identity-collision'));
    return new Map([...faults, ...alone.flatMap((input) => [...this.faultsOfTogether([input])])]);
  }

  /** Returns the faults of instances of one kind that are in one cluster. */
  faultsOfTogether(instances: readonly InputObject[]): ReadonlyMap<InputObject, readonly Fault[]> {
    const output = this.#render(instances);
    const { expansion, kinds = builtinKinds } = output.of(kro) ?? {};
    const found = new Map<InputObject, Map<string, Fault>>(instances.map((input) => [input, new Map()]));
    const byPlace = new Map(instances.map((input) => [placeOfSource(input.source), input]));
    const add = (report: Report): void => {
      if (!this.#isFault(report)) return;
      const input = byPlace.get(placeOfSource(report.instance)) ?? byPlace.get(placeOfSource(report.source));
      const fault = faultOf(report, input);
      if (input !== undefined) getOrCompute(found.get(input) ?? new Map(), fault.key, () => fault);
    };
    for (const report of output.reports) add(report);
    if (expansion !== undefined) {
      this.#collector.ran(expansion);
      for (const report of this.#objectFaults(expansion, output, kinds)) add(report);
      for (const report of contagiousSkips(expansion)) add(report);
      for (const report of this.#quotaFaults(expansion, output)) add(report);
    }
    return new Map([...found].map(([input, faults]) => [input, [...faults.values()]]));
  }

  /** Yields the quotas that allow less than the objects of an instance need, each at its node. */
  *#quotaFaults(expansion: Expansion, output: Rendering): Iterable<Report> {
    for (const { rendered, problem } of exceededQuotas(output, this.#options.namespace)) {
      const at = rendered === undefined ? undefined : runOf(rendered, expansion);
      if (at === undefined) continue;
      const path: Path = [...at.node.path, 'template', ...problem.path];
      yield nodeReport(at, { ...problem, path }, { field: problem.path });
    }
  }

  #isFault(report: Report): boolean {
    const { code } = report;
    if (FAULTY_WARNINGS.has(code)) return true;
    if (!isError(report) || isPending(report) || OF_RGDS.has(code)) return false;
    // The releases are listed from the newest one.
    return code !== 'service-name' || RELEASES.indexOf(this.#options.kubernetes) > RELEASES.indexOf(ACCEPTS_DIGITS);
  }

  #render(instances: readonly InputObject[]): Rendering {
    const [first] = instances;
    const reached = first === undefined ? [] : reachedFrom(groupKindOf(first.object), this.graphs);
    const isCrd = ({ object }: InputObject): boolean => object.kind === 'CustomResourceDefinition';
    // A CRD of the package describes its kind. It is not applied here, where an RGD may render it too.
    const definitions = [...this.#given, ...this.#others.filter(isCrd), ...reached.map(({ input }) => input)];
    // Other objects of the package count only if something reads them.
    const readsOthers = reached.some(({ nodes }) => nodes.some(isReference));
    const others = readsOthers ? this.#others.filter((one) => !isCrd(one)) : [];
    const objects = [...others, ...instances];
    const input: RenderInput = { undescribed: 'warning', ...this.input, definitions, objects };
    return renderWithSessions(input, this.#options, this.#frontEnds);
  }

  /** Yields what an API server rejects. Of an object with pending values, what is known is checked. */
  *#objectFaults(expansion: Expansion, { reports }: Rendering, kinds: KindRegistry): Iterable<Report> {
    let checked = expansion;
    if (reports.some(isPending)) {
      const found = new Collector();
      checked = expansion.again({ marksPending: true }, found);
      yield* found.all.filter((one) => isError(one) && OF_OBJECTS.has(one.code));
    }
    for (const run of checked.runs.flatMap(withNested)) {
      for (const [index, items] of run.rendered.entries()) {
        this.work += 1 + items.length;
        const at: NodeRun = { run, node: run.graph.nodes[index] as GraphNode };
        for (const item of items) {
          if (item.object === undefined) continue;
          for (const problem of this.#check(item, at, kinds) ?? []) yield* this.#objectFault(problem, at);
        }
      }
    }
  }

  #objectFault(problem: Problem, at: NodeRun): Report[] {
    // The budget of the check is for one package, and not for any number of instances.
    if (problem.code === 'schema-too-large') {
      this.#check = createItemCheck(this.#options);
      return [];
    }
    if (!isError(problem)) return [];
    const path: Path = [...at.node.path, 'template', ...problem.path];
    return [nodeReport(at, { ...problem, path }, { field: problem.path })];
  }
}

/** Returns the node that rendered an object. */
function runOf({ instanceId, node: id }: Rendered, { runs }: Expansion): NodeRun | undefined {
  const run = runs.flatMap(withNested).find((one) => one.id === instanceId);
  const node = run?.graph.nodeById.get(id);
  return run === undefined || node === undefined ? undefined : { run, node };
}

function faultOf(report: Report, input: InputObject | undefined): Fault {
  const { code, node = '', source, path } = report;
  const place = placeOfSource(source) === placeOfSource(input?.source) ? '' : placeOfSource(source);
  const fields = path.filter((step) => typeof step === 'string');
  return { key: JSON.stringify([code, place, node, fields]), code, node, report };
}

/** Yields the nodes that are omitted only because a node that they read is. */
function* contagiousSkips({ runs }: Expansion): Iterable<Report> {
  for (const run of runs.flatMap(withNested)) {
    for (const node of run.graph.nodes) {
      const cause = run.states[node.index] === 'skipped' ? causeOfSkip(run, node) : undefined;
      if (cause === undefined) continue;
      const message = phrase`'${{ node: shown(node.id) }}' is omitted, because '${{ cause: shown(cause.id) }}' is, which it reads`;
      const hint = phrase`give '${shown(node.id)}' the same includeWhen if that is intended, or read schema and not '${shown(cause.id)}'`;
      yield nodeReport(
        { run, node },
        {
          code: 'lint-contagious-skip',
          message,
          hint,
          path: node.path,
          severity: 'warning',
        },
      );
    }
  }
}

/** Returns the omitted node that a node reads, although its own conditions hold; undefined without one. */
function causeOfSkip(run: InstanceRun, node: GraphNode): GraphNode | undefined {
  if (hasFalseCondition(run, node)) return undefined;
  const read = node.dependencies.map((index) => run.graph.nodes[index] as GraphNode);
  return read.find((one) => run.states[one.index] === 'skipped' && hasFalseCondition(run, one));
}

const hasFalseCondition = (run: InstanceRun, { includeWhen }: GraphNode): boolean =>
  includeWhen.some((condition) => {
    const outcome = evaluate(condition, run);
    return (outcome instanceof Optional ? outcome.value : outcome) !== true;
  });
