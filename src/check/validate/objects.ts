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
import { type GroupVersionKind, groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import { formatPath, type Path } from '../../core/model/value.ts';
import { compileRules, type GraphNode } from '../../kro/compile/index.ts';
import { type Expansion, type NodeRun, nodeReport, withNested } from '../../kro/expand/index.ts';
import { builtinKinds, controllerKinds, type KindRegistry, type Schema } from '../../kubernetes/schema/index.ts';
import {
  asResource,
  compileRuleWalk,
  conformityOf,
  createPatternBudget,
  startVisit,
} from '../../kubernetes/validation/index.ts';
import { createBudget } from '../../languages/cel/index.ts';
import { type RenderedTally, unseenEntry } from './evidence.ts';

/**
 * Validates the objects of nodes against the schemas of their kinds; reports an error of a node's objects once. Adds
 * the objects to `evidence`.
 */
export function checkObjects(
  { runs }: Expansion,
  kinds: KindRegistry,
  limits: Limits,
  reports: Collector,
  evidence: RenderedTally,
): void {
  const problemsOf = createCheck(limits);
  const problems: NodeProblems = new Map();
  const checkObject = (object: KubeObject, { run, node }: NodeRun): void => {
    const isComputed = node.resolve !== undefined;
    const gvk = isComputed ? groupVersionKind(object) : node.gvk;
    const known = kinds.find(gvk);
    const schema =
      known?.written?.() ?? (isComputed ? known?.schema : node.schema) ?? controllerKinds.find(gvk)?.schema;
    evidence.all += 1;
    if (schema === undefined) {
      evidence.named.push(unseenEntry({ object, run, node }));
      return;
    }
    for (const problem of problemsOf(object, gvk, schema)) note(problems, { run, node }, problem);
  };
  for (const run of runs.flatMap(withNested)) {
    for (const [index, items] of run.rendered.entries()) {
      const node = run.graph.nodes[index] as GraphNode;
      for (const { object } of items) if (object !== undefined) checkObject(object, { run, node });
    }
  }
  for (const one of problems.values()) reports.add(reportOf(one, { field: one.problem.path }));
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
  const more = objects === 1 ? phrase`` : phrase` (${shown(objects)} objects)`;
  const path = [...at.node.path, 'template', ...problem.path];
  return nodeReport(at, { ...problem, message: phrase`${problem.message}${more}`, path }, quoted);
}

/** Yields what an API server rejects in a new object of a kind, with the schema of the kind. */
export type ObjectCheck = (object: KubeObject, gvk: GroupVersionKind, schema: Schema) => Iterable<Problem>;

/** Returns a check of an object against the schema of its kind, with the rules of a CRD as for a new object. */
export function createCheck(limits: Limits): ObjectCheck {
  const patterns = createPatternBudget();
  const walkOf = onceFor((schema: Schema) => {
    const resource = asResource(schema);
    return compileRuleWalk(resource, compileRules(resource, () => {}).runner);
  });
  return function* (object, gvk, schema) {
    const custom = builtinKinds.find(gvk) === undefined;
    // A cluster may have another release of Kubernetes or of the controllers.
    const mayBeNewer = !custom || controllerKinds.find(gvk)?.schema === schema;
    // An API server ignores the status of an applied object.
    const { status: _, ...applied } = object;
    const conformity = conformityOf(withoutStatus(schema), applied, custom, patterns);
    const refused = (why: Message): Message => phrase`the API server rejects this ${shown(gvk.kind)}: ${why}`;
    for (const { code, message, path } of conformity.faults) {
      const isUnknown = code === 'rendered-unknown-field';
      const severity = isUnknown && mayBeNewer ? 'warning' : 'error';
      const field = path.length === 0 || isUnknown ? '' : `${formatPath(path)}: `;
      const problem = refused(phrase`${quote(field, '')}${message}`);
      yield { code, message: code === 'schema-too-large' ? message : problem, path, severity };
    }
    // Rules run if everything else is valid. Kubernetes' own types have none in their schemas.
    const walk = custom && conformity.faults.length === 0 ? walkOf(schema) : undefined;
    if (walk === undefined) return;
    const visit = startVisit(
      [],
      undefined,
      lazily(() => createBudget(limits)),
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
