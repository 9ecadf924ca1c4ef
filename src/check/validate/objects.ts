import {
  type Collector,
  format,
  type Message,
  type Problem,
  phrase,
  quote,
  type Report,
  shown,
} from '../../core/diagnostics/index.ts';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import type { Limits } from '../../core/model/limits.ts';
import { type GroupVersionKind, groupVersionKind, identityOf, type KubeObject } from '../../core/model/object.ts';
import { leadsTo } from '../../core/model/read.ts';
import { NEWEST_KUBERNETES, type RenderOptions } from '../../core/model/render.ts';
import { formatPath, type Path } from '../../core/model/value.ts';
import { compileRules, type GraphNode } from '../../kro/compile/index.ts';
import {
  type Expansion,
  type KnownPart,
  type NodeRun,
  nodeReport,
  type RenderedItem,
  withNested,
} from '../../kro/expand/index.ts';
import {
  builtinKinds,
  controllerKinds,
  type KindRegistry,
  kubernetesKinds,
  type Schema,
  unservedField,
} from '../../kubernetes/schema/index.ts';
import {
  asResource,
  compileRuleWalk,
  conformityOf,
  createPatternBudget,
  startVisit,
} from '../../kubernetes/validation/index.ts';
import { createBudget } from '../../languages/cel/index.ts';
import { type RenderedTally, unseenEntry } from './evidence.ts';

/** Validates the objects of nodes against the schemas of their kinds. */
export interface NodeObjects {
  /** Validates the objects of an expansion that were not validated before, and adds them to the evidence. */
  check(expansion: Expansion, kinds: KindRegistry, evidence: RenderedTally): void;
  /** Reports an error of a node's objects once. */
  report(reports: Collector): void;
}

export function createNodeObjects(options: CheckOptions): NodeObjects {
  const checkOf = createItemCheck(options);
  const problems: NodeProblems = new Map();
  const checked = new Set<string>();
  const checkItem = (item: RenderedObject, at: NodeRun, kinds: KindRegistry, evidence: RenderedTally): void => {
    const key = identityOf(item.object);
    if (checked.has(key)) return;
    checked.add(key);
    const found = checkOf(item, at, kinds);
    evidence.all += 1;
    if (found === undefined) evidence.named.push(unseenEntry({ object: item.object, ...at }));
    for (const problem of found ?? []) note(problems, at, problem);
  };
  return {
    check({ runs }, kinds, evidence) {
      for (const run of runs.flatMap(withNested)) {
        for (const [index, items] of run.rendered.entries()) {
          const node = run.graph.nodes[index] as GraphNode;
          for (const item of items) if (item.object !== undefined) checkItem(item, { run, node }, kinds, evidence);
        }
      }
    },
    report(reports) {
      for (const one of problems.values()) reports.add(reportOf(one, { field: one.problem.path }));
    },
  };
}

type RenderedObject = Extract<RenderedItem, { object: KubeObject }>;

/** Returns what an API server rejects of an object that a node renders; undefined if its kind has no schema. */
export type ItemCheck = (item: RenderedObject, at: NodeRun, kinds: KindRegistry) => Iterable<Problem> | undefined;

/** Returns a check of rendered objects. Of an object with pending values, it checks what is known. */
export function createItemCheck(options: CheckOptions): ItemCheck {
  const problemsOf = createCheck(options);
  return ({ object, known }, { node }, kinds) => {
    const isComputed = node.resolve !== undefined;
    const gvk = isComputed ? groupVersionKind(object) : node.gvk;
    const kind = kinds.find(gvk);
    const schema = kind?.written?.() ?? (isComputed ? kind?.schema : node.schema) ?? controllerKinds.find(gvk)?.schema;
    if (schema === undefined) return undefined;
    if (known === undefined) return problemsOf(object, gvk, schema);
    return problemsOfKnown(known, (one) => problemsOf(one === 'marked' ? object : known.object, gvk, schema, true));
  };
}

/**
 * Returns the problems of an object that do not depend on its pending values: those that it has with a text in their
 * place and also without them, and that are not about them.
 */
function problemsOfKnown(
  { pending }: KnownPart,
  problemsOf: (version: 'marked' | 'without') => Iterable<Problem>,
): readonly Problem[] {
  const keyOf = ({ code, message, path }: Problem): string => JSON.stringify([code, format(message), path]);
  const without = new Set([...problemsOf('without')].map(keyOf));
  return [...problemsOf('marked')].filter(
    (problem) =>
      without.has(keyOf(problem)) &&
      !pending.some((path) => leadsTo(problem.path, path) || leadsTo(path, problem.path)),
  );
}

interface Found extends NodeRun {
  problem: Problem;
  objects: number;
}

/** The problems of rendered objects: that of many objects of one node is reported once. */
export type NodeProblems = Map<string, Found>;

export function note(problems: NodeProblems, { run, node }: NodeRun, problem: Problem): void {
  const key = [run.graph.name, node.id, problem.code, format(problem.message), ...problem.path].join('\u0000');
  const before = problems.get(key);
  if (before === undefined) problems.set(key, { run, node, problem, objects: 1 });
  else before.objects += 1;
}

/** Returns the report of a problem at its template; without `quoted` it may quote anything that the node reads. */
export function reportOf({ problem, objects, ...at }: Found, quoted?: { field: Path }): Report {
  const more = objects === 1 ? phrase`` : phrase` (${{ count: shown(objects) }} objects)`;
  const path = [...at.node.path, 'template', ...problem.path];
  return nodeReport(at, { ...problem, message: phrase`${problem.message}${more}`, path }, quoted);
}

/** How objects are checked: the budget of rules, and the release of Kubernetes. */
type CheckOptions = Limits & Pick<RenderOptions, 'kubernetes'>;

/** Yields what an API server rejects in a new object of a kind, with the schema of the kind. */
export type ObjectCheck = (
  object: KubeObject,
  gvk: GroupVersionKind,
  schema: Schema,
  /** Values of it are pending: the rules of its CRD may read them, and are not evaluated. */
  isPartial?: boolean,
) => Iterable<Problem>;

/** Returns a check of an object against the schema of its kind, with the rules of a CRD as for a new object. */
export function createCheck(options: CheckOptions): ObjectCheck {
  const { kubernetes } = options;
  const served = kubernetesKinds(kubernetes);
  const patterns = createPatternBudget();
  const walkOf = onceFor((schema: Schema) => {
    const resource = asResource(schema);
    return compileRuleWalk(resource, compileRules(resource, () => {}).runner);
  });
  return function* (object, gvk, schema, isPartial = false) {
    const custom = builtinKinds.find(gvk) === undefined && served.find(gvk) === undefined;
    // A cluster may have another release of Kubernetes or of the controllers.
    const mayBeNewer = !custom || controllerKinds.find(gvk)?.schema === schema;
    // An API server ignores the status of an applied object.
    const { status: _, ...applied } = object;
    const conformity = conformityOf(withoutStatus(schema), applied, custom, patterns);
    const refused = (why: Message): Message => phrase`the API server rejects this ${{ kind: shown(gvk.kind) }}: ${why}`;
    for (const { code, message, path } of conformity.faults) {
      const isUnknown = code === 'rendered-unknown-field';
      const unserved = isUnknown ? unservedField({ gvk, schema, release: kubernetes }, path) : undefined;
      if (unserved !== undefined) {
        yield { ...unserved, severity: kubernetes === NEWEST_KUBERNETES ? 'warning' : 'error' };
        continue;
      }
      const severity = isUnknown && mayBeNewer ? 'warning' : 'error';
      const field = path.length === 0 || isUnknown ? '' : `${formatPath(path)}: `;
      const problem = refused(phrase`${quote(field, '')}${message}`);
      yield { code, message: code === 'schema-too-large' ? message : problem, path, severity };
    }
    // Rules run if everything else is valid. Kubernetes' own types have none in their schemas.
    const walk = custom && !isPartial && conformity.faults.length === 0 ? walkOf(schema) : undefined;
    if (walk === undefined) return;
    const visit = startVisit(
      [],
      undefined,
      lazily(() => createBudget(options)),
    );
    walk(conformity.object, visit);
    for (const { message, path } of visit.problems) yield { code: 'rendered-rule', message: refused(message), path };
  };
}

function withoutStatus(schema: Schema): Schema {
  return schema.required?.includes('status')
    ? { ...schema, required: schema.required.filter((key) => key !== 'status') }
    : schema;
}
