import {
  askFor,
  type Collector,
  composeText,
  type Problem,
  phrase,
  quotedHint,
  reporterFor,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import {
  type Allowance,
  allowance,
  INSTANCE_SIZE,
  INSTANCE_STEPS,
  type Limits,
  spend,
} from '../../core/model/limits.ts';
import {
  type Document,
  groupKind,
  groupVersionKind,
  type InputObject,
  isKubeObject,
  type KubeObject,
} from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { get, isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import { type Budget, createBudget, wholeOf } from '../../languages/cel/index.ts';
import { admissionOf, type Graph, type Graphs } from '../compile/index.ts';
import { definedKinds, type RgdPackage } from '../definition/index.ts';
import { type Undefined, undefinedKindReporter } from './undefined-kind.ts';

export { addTrace, isOfProject, toBeRendered } from './undefined-kind.ts';

export interface AdmittedInstance {
  graph: Graph;
  object: KubeObject;
  input: InputObject;
}

export const graphOf = (object: KubeObject, graphs: Graphs): Graph | undefined =>
  graphs.get(groupKind(groupVersionKind(object)));

export function admitInstances(
  objects: readonly InputObject[],
  graphs: Graphs,
  kinds: KindRegistry,
  { options: limits, ...given }: Pick<Undefined, 'traceFor' | 'undescribed'> & { options: RenderOptions },
  reports: Collector,
): AdmittedInstance[] {
  const reportUndefinedKind = undefinedKindReporter({ graphs, kinds, options: limits, ...given }, reports);
  const pool = startPool(objects.length, limits);
  return objects.flatMap((input) => {
    if (isEmpty(pool)) return [];
    const graph = graphOf(input.object, graphs);
    if (graph === undefined) {
      reportUndefinedKind(input);
      return [];
    }
    const reporter = reporterFor(input, reports);
    const { version } = groupVersionKind(input.object);
    if (version !== graph.version) {
      const message = phrase`the version '${{ version }}' is not served, the RGD '${{ rgd: graph.name }}' defines '${{ expected: graph.version }}'`;
      reporter.report({
        code: 'version-not-served',
        message,
        path: ['apiVersion'],
        hint: quotedHint(askFor([`${graph.group}/${graph.version}`])),
      });
      return [];
    }
    const budget = createBudget(limits);
    const { object, problems } = graph.admission.admit(input.object, budget, !reports.limitReached);
    for (const problem of problems) reporter.report(problem);
    if (!spendFromPool(pool, budget)) reporter.report(poolExceeded);
    return problems.length === 0 ? [{ graph, object, input }] : [];
  });
}

/** Adds the defaults of kinds, objects with a `spec`, to instances before admission; unknown kinds are ignored. */
export function withDefaults(graphs: Graphs, documents: readonly Document[], reports: Collector): Graphs {
  const known = defaultsIn(documents, reports);
  if (known.size === 0) return graphs;
  return new Map(
    [...graphs].map(([kind, graph]): [string, Graph] => {
      const defaults = known.get(kind);
      if (defaults === undefined) return [kind, graph];
      const { admission } = graph;
      const admit: typeof admission.admit = (object, budget, explains) =>
        admission.admit(filled(object, defaults), budget, explains);
      return [kind, { ...graph, defaults, admission: { ...admission, admit } }];
    }),
  );
}

function defaultsIn(documents: readonly Document[], reports: Collector): Map<string, InputObject> {
  const known = new Map<string, InputObject>();
  for (const { object, source } of documents) {
    const report = (message: Text, hint?: Text): void =>
      reports.add({ code: 'defaults-file', message, path: [], source, hint });
    if (!isKubeObject(object)) {
      report(composeText`the defaults of a kind are an object with apiVersion, kind and spec`);
      continue;
    }
    const other = Object.keys(object).find((key) => !['apiVersion', 'kind', 'spec'].includes(key));
    const kind = groupKind(groupVersionKind(object));
    if (other !== undefined)
      report(
        composeText`defaults have no ${trusted.definition(other)}`,
        composeText`they apply to every instance of their kind; write only spec`,
      );
    else if (!isMap(get(object, 'spec'))) report(composeText`defaults need a spec that is a map`);
    else if (known.has(kind))
      report(composeText`there are defaults of ${trusted.definition(kind)} twice`, composeText`join them`);
    else known.set(kind, { object, source });
  }
  return known;
}

function filled(object: KubeObject, { object: defaults }: InputObject): KubeObject {
  const spec = get(object, 'spec') ?? {};
  return isMap(spec) ? { ...object, spec: merged(get(defaults, 'spec') as ValueMap, spec) } : object;
}

function merged(defaults: ValueMap, own: ValueMap): ValueMap {
  const result: ValueMap = { ...own };
  for (const [key, value] of Object.entries(defaults)) {
    const given: Value | undefined = get(own, key);
    if (given === undefined) setKey(result, key, value);
    else if (isMap(given) && isMap(value)) setKey(result, key, merged(value, given));
  }
  return result;
}

/** The budget of all instances of a package: one instance may use all of its own budget, but many may not. */
export interface Pool {
  steps: Allowance;
  size: Allowance;
}

/** Returns the budget of a package with this many instances. */
export function startPool(instances: number, limits: Limits): Pool {
  const whole = wholeOf(createBudget(limits));
  return {
    steps: allowance(whole.steps + instances * INSTANCE_STEPS),
    size: allowance(whole.size + instances * INSTANCE_SIZE),
  };
}

/** Takes the cost of an instance from the pool; returns false if the pool is exhausted. */
export function spendFromPool(pool: Pool, budget: Budget): boolean {
  const whole = wholeOf(budget);
  const hasSteps = spend(pool.steps, Math.min(budget.steps, whole.steps));
  return spend(pool.size, Math.min(budget.size, whole.size)) && hasSteps;
}

const isEmpty = (pool: Pool): boolean => pool.steps.left < 0 || pool.size.left < 0;

export const poolExceeded: Problem = {
  code: 'budget-exceeded',
  message: phrase`with this instance, all instances together exceed the budget of the package`,
  path: [],
  hint: phrase`render them in several packages, or raise --max-steps or --max-size`,
};

/** Validates instances of broken RGDs by the valid parts of their schemas; returns the other candidates. */
export function withoutBroken(
  pack: RgdPackage,
  graphs: Graphs,
  limits: Limits,
  reports: Collector,
): readonly InputObject[] {
  const isWhole = graphs.size === pack.rgds.length;
  const defined = isWhole ? [] : definedKinds(pack.rgds).map((kind) => `${kind.kind}.${kind.group}`);
  const broken = new Set(defined.filter((kind) => !graphs.has(kind)));
  if (broken.size === 0) return pack.candidates;
  const byKind = groupBy(pack.candidates, ({ object }) => groupKind(groupVersionKind(object)));
  for (const definition of pack.definitions) {
    const kind = groupKind(definition);
    const held = broken.has(kind) ? (byKind.get(kind) ?? []) : [];
    const admission = held.length === 0 ? undefined : admissionOf(definition, reports);
    for (const input of admission === undefined ? [] : held) {
      const admitted = admission?.admit(input.object, createBudget(limits), !reports.limitReached);
      for (const problem of admitted?.problems ?? []) reporterFor(input, reports).report(problem);
    }
  }
  return pack.candidates.filter(({ object }) => !broken.has(groupKind(groupVersionKind(object))));
}
