import { type Budget, createBudget } from '../cel/index.ts';
import type { Code, Problem } from '../diagnostics/index.ts';
import type { Limits } from '../model/limits.ts';
import type { KubeObject } from '../model/object.ts';
import { formatPath } from '../model/path.ts';
import type { Path } from '../model/value.ts';
import { compileRules, type GraphNode } from '../rgd/compile/index.ts';
import { type Expansion, type InstanceRun, reportNode, type World, withNested } from '../rgd/expand/index.ts';
import { builtinKinds, type Schema } from '../schema/index.ts';
import {
  compileRuleWalk,
  createPatternRoom,
  type Fault,
  faultsOf,
  type PatternRoom,
  startVisit,
  withDefaults,
} from '../validation/index.ts';

const CODES: Readonly<Record<Fault['kind'], Code>> = {
  type: 'rendered-type',
  required: 'rendered-required',
  value: 'rendered-value',
  unknown: 'rendered-unknown-field',
  duplicate: 'rendered-duplicate',
  budget: 'schema-too-large',
};

/**
 * Holds every rendered object against the schema of its kind, where that is known: what an API server would refuse is
 * an error at the place of the RGD that made the field. What many objects of one node have in common is told once.
 */
export function checkObjects({ runs, world }: Expansion, limits: Limits): void {
  const checks = { rules: createRuleCheck(limits), patterns: createPatternRoom() };
  const told = new Map<string, Told>();
  for (const run of runs.flatMap(withNested)) {
    for (const [index, items] of run.made.entries()) {
      const node = run.graph.nodes[index] as GraphNode;
      const { schema } = node;
      if (schema === undefined) continue;
      for (const { object } of items) {
        if (object === undefined) continue;
        for (const problem of problemsOf(object, node, schema, checks)) note(told, run, node, problem);
      }
    }
  }
  for (const one of told.values()) tell(one, world);
}

/** A problem whose path is one in the object. */
interface Told {
  run: InstanceRun;
  node: GraphNode;
  problem: Problem;
  objects: number;
}

function note(told: Map<string, Told>, run: InstanceRun, node: GraphNode, problem: Problem): void {
  const key = [run.graph.name, node.id, problem.code, problem.message, ...problem.path].join('\u0000');
  const before = told.get(key);
  if (before === undefined) told.set(key, { run, node, problem, objects: 1 });
  else before.objects += 1;
}

function tell({ run, node, problem, objects }: Told, world: World): void {
  const more = objects === 1 ? '' : ` (${objects} objects)`;
  const path = [...node.path, 'template', ...problem.path];
  reportNode(
    run,
    node.index,
    world,
    { ...problem, message: `${problem.message}${more}`, path },
    { field: problem.path },
  );
}

interface Checks {
  rules: RuleCheck;
  patterns: PatternRoom;
}

function* problemsOf(
  object: KubeObject,
  node: GraphNode,
  schema: Schema,
  { rules, patterns }: Checks,
): Iterable<Problem> {
  const isBuiltin = builtinKinds.find(node.gvk) !== undefined;
  // A status is not taken from who applies the object.
  const { status: _, ...applied } = object;
  const faults = faultsOf(withoutStatus(schema), applied, { uniqueItems: !isBuiltin, patterns });
  for (const { kind, message, path } of faults) {
    const severity = kind === 'unknown' ? 'warning' : 'error';
    const refusal = `the API server refuses this ${node.gvk.kind}: ${fieldOf(path)} ${message}`;
    yield {
      code: CODES[kind],
      message: kind === 'budget' ? message : refusal,
      path,
      severity,
    };
  }
  // Rules run when all else is right. Kubernetes' own types have none in their schemas.
  if (!isBuiltin && faults.length === 0) yield* rules(object, node, schema);
}

const fieldOf = (path: Path): string => (path.length === 0 ? 'it' : `'${formatPath(path)}'`);

function withoutStatus(schema: Schema): Schema {
  return schema.required?.includes('status')
    ? { ...schema, required: schema.required.filter((key) => key !== 'status') }
    : schema;
}

type RuleCheck = (object: KubeObject, node: GraphNode, schema: Schema) => Iterable<Problem>;

/** Runs the validation rules of CRDs (`x-kubernetes-validations`) as for an object that is created. */
function createRuleCheck(limits: Limits): RuleCheck {
  const walks = new Map<Schema, ReturnType<typeof compileRuleWalk>>();
  return (object, node, schema) => {
    if (!walks.has(schema)) walks.set(schema, compileRuleWalk(schema, compileRules(schema, () => {}).runner));
    const walk = walks.get(schema);
    if (walk === undefined) return [];
    const visit = startVisit();
    const budget: Budget = createBudget(limits);
    walk(withDefaults(schema, object), visit, budget);
    return visit.problems.map(({ message, path }) => ({
      code: 'rendered-rule',
      message: `the API server refuses this ${node.gvk.kind}: ${message}`,
      path,
    }));
  };
}
