import { format, type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import { groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import { formatPath } from '../../core/model/path.ts';
import type { Path, Value } from '../../core/model/value.ts';
import { compileRules, type GraphNode } from '../../kro/compile/index.ts';
import { type Expansion, type InstanceRun, reportNode, type World, withNested } from '../../kro/expand/index.ts';
import { builtinKinds, type KindRegistry, type Schema } from '../../kubernetes/schema/index.ts';
import {
  asResource,
  compileRuleWalk,
  conformityOf,
  createPatternBudget,
  type PatternBudget,
  startVisit,
} from '../../kubernetes/validation/index.ts';
import { type Budget, createBudget } from '../../languages/cel/index.ts';

/**
 * Validates every rendered object against the schema of its kind, if it is known: what an API server would reject is an
 * error at the field of the RGD. An error of many objects of one node is reported once.
 */
export function checkObjects({ runs, world }: Expansion, kinds: KindRegistry, limits: Limits): void {
  const checks = { rules: createRuleCheck(limits), patterns: createPatternBudget() };
  const problems: NodeProblems = new Map();
  for (const run of runs.flatMap(withNested)) {
    for (const [index, items] of run.rendered.entries()) {
      const node = run.graph.nodes[index] as GraphNode;
      for (const { object } of items) {
        if (object === undefined) continue;
        const isComputed = node.resolve !== undefined;
        const gvk = isComputed ? groupVersionKind(object) : node.gvk;
        const known = kinds.find(gvk);
        const schema = known?.written?.() ?? (isComputed ? known?.schema : node.schema);
        if (schema === undefined) break;
        for (const problem of problemsOf(object, { ...node, gvk }, schema, checks)) note(problems, run, node, problem);
      }
    }
  }
  for (const one of problems.values()) reportProblem(one, world, { field: one.problem.path });
}

/** A problem whose path is in the object. */
interface Found {
  run: InstanceRun;
  node: GraphNode;
  problem: Problem;
  objects: number;
}

/** The problems of rendered objects: that of many objects of one node is reported once. */
export type NodeProblems = Map<string, Found>;

export function note(problems: NodeProblems, run: InstanceRun, node: GraphNode, problem: Problem): void {
  const key = [run.graph.name, node.id, problem.code, format(problem.message), ...problem.path].join('\u0000');
  const before = problems.get(key);
  if (before === undefined) problems.set(key, { run, node, problem, objects: 1 });
  else before.objects += 1;
}

/** Reports a problem at its template; without `quoted` it may quote anything that the node reads. */
export function reportProblem({ run, node, problem, objects }: Found, world: World, quoted?: { field: Path }): void {
  const more = objects === 1 ? phrase`` : phrase` (${shown(objects)} objects)`;
  const path = [...node.path, 'template', ...problem.path];
  reportNode({ run, node, world }, { ...problem, message: phrase`${problem.message}${more}`, path }, quoted);
}

interface Checks {
  rules: RuleCheck;
  patterns: PatternBudget;
}

function* problemsOf(
  object: KubeObject,
  node: GraphNode,
  schema: Schema,
  { rules, patterns }: Checks,
): Iterable<Problem> {
  const custom = builtinKinds.find(node.gvk) === undefined;
  // An API server ignores the status of an applied object.
  const { status: _, ...applied } = object;
  const conformity = conformityOf(withoutStatus(schema), applied, { custom, patterns });
  for (const { code, message, path } of conformity.faults) {
    // A cluster may be newer than the built-in kinds.
    const isUnknown = code === 'rendered-unknown-field';
    const severity = isUnknown && !custom ? 'warning' : 'error';
    const field = path.length === 0 || isUnknown ? '' : `${formatPath(path)}: `;
    const problem = phrase`the API server rejects this ${shown(node.gvk.kind)}: ${field}${message}`;
    yield { code, message: code === 'schema-too-large' ? message : problem, path, severity };
  }
  // Rules run if everything else is valid. Kubernetes' own types have none in their schemas.
  if (custom && conformity.faults.length === 0) yield* rules(conformity.object, node, schema);
}

function withoutStatus(schema: Schema): Schema {
  return schema.required?.includes('status')
    ? { ...schema, required: schema.required.filter((key) => key !== 'status') }
    : schema;
}

type RuleCheck = (object: Value, node: GraphNode, schema: Schema) => Iterable<Problem>;

/** Runs the validation rules of CRDs (`x-kubernetes-validations`) as for a new object. */
function createRuleCheck(limits: Limits): RuleCheck {
  const walks = new Map<Schema, ReturnType<typeof compileRuleWalk>>();
  return (object, node, schema) => {
    if (!walks.has(schema)) walks.set(schema, ruleWalkOf(asResource(schema)));
    const walk = walks.get(schema);
    if (walk === undefined) return [];
    const visit = startVisit();
    const budget: Budget = createBudget(limits);
    walk(object, visit, budget);
    const refused = phrase`the API server rejects this ${shown(node.gvk.kind)}`;
    return visit.problems.map(
      ({ message, path }): Problem => ({ code: 'rendered-rule', message: phrase`${refused}: ${message}`, path }),
    );
  };
}

const ruleWalkOf = (schema: Schema): ReturnType<typeof compileRuleWalk> =>
  compileRuleWalk(schema, compileRules(schema, () => {}).runner);
