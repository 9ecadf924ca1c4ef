import { EACH, type Read, type Step, touches } from '../../core/model/read.ts';
import { allReads, type Flow, into, readsIn } from '../../languages/cel/index.ts';
import { type CompiledExpression, originOf, statusExpressions } from '../compile/index.ts';
import type { DefaultNamespace } from '../expand/identity.ts';
import { type Expansion, type InstanceRun, type NodeRun, nestedRuns, nodeRun, type World } from '../expand/run.ts';
import { refreshViews } from '../expand/view.ts';
import { keyOf, type ReadTarget, type SurveyedNode, surveyNode } from './targets.ts';

/** Every node of every instance, including those after pending nodes. */
export interface Survey {
  world: World;
  observedNamespace: DefaultNamespace;
  /** In the order of the instances, nested ones after their parent. */
  runs: ReadonlyMap<InstanceRun, readonly SurveyedNode[]>;
  /** The objects that pending nodes will render, by identity: references will find them. */
  expected: ReadonlyMap<string, Expected>;
}

export function surveyRuns(expansion: Expansion, observedNamespace: DefaultNamespace): Survey {
  const { runs, world } = expansion.again();
  const found = new Map<InstanceRun, SurveyedNode[]>();
  for (const run of runs) surveyRun(run, found);
  return { world, observedNamespace, runs: found, expected: expectedIn(found) };
}

interface Expected extends NodeRun {
  target: ReadTarget;
}

function expectedIn(runs: Survey['runs']): Map<string, Expected> {
  const expected = new Map<string, Expected>();
  for (const [run, nodes] of runs) {
    for (const { node, isPending, targets = [] } of nodes) {
      for (const target of isPending ? targets : []) {
        const key = keyOf(target);
        if (key !== undefined && !target.referenced) expected.set(key, { run, node, target });
      }
    }
  }
  return expected;
}

function surveyRun(run: InstanceRun, found: Map<InstanceRun, SurveyedNode[]>): void {
  const nodes: SurveyedNode[] = [];
  found.set(run, nodes);
  for (const index of run.graph.order) {
    const at = nodeRun(run, index);
    refreshViews(run, at.node.dependencies);
    const surveyed = surveyNode(at);
    nodes[index] = surveyed;
    for (const { nested } of surveyed.targets ?? []) {
      const inner = nested !== undefined && nested.parent?.run === run;
      if (inner && !found.has(nested)) surveyRun(nested, found);
    }
  }
  for (const nested of nestedRuns(run)) if (!found.has(nested)) surveyRun(nested, found);
}

/** One object that an expression reads, and the path in it. */
export interface ResolvedRead {
  of: SurveyedNode;
  /** `undefined` if the objects, or even their number, are unknown. */
  target: ReadTarget | undefined;
  path: readonly Step[];
  /** The number of steps of the path that must exist. */
  needed: number;
  whole: boolean;
  /** The value is computed from reads that are resolved separately. */
  computed: boolean;
}

/** More than the maximum nesting of instances; references between instances may be cyclic. */
const MAX_INDIRECTIONS = 16;

export function resolveRead(read: Read, run: InstanceRun, survey: Survey, depth = 0): ResolvedRead[] {
  const origin = originOf(read, run.graph);
  const of = origin?.node && survey.runs.get(run)?.[origin.node.index];
  if (origin === undefined || of === undefined || depth > MAX_INDIRECTIONS) return [];
  const { path, needed, whole, item } = origin;
  if (of.targets === undefined) return [{ of, target: undefined, path, needed, whole, computed: false }];
  const picked = item === undefined ? of.targets : of.targets.slice(item, item + 1);
  return picked.flatMap((found) => {
    const target = comingFor(found, survey) ?? found;
    const inner =
      target.nested === undefined ? [] : statusLandings({ ...read, path, needed }, target.nested, survey, depth);
    return [{ of, target, path, needed, whole, computed: inner.length > 0 }, ...inner];
  });
}

/** Returns what a pending reference will find: an object that another node is going to render. */
function comingFor(target: ReadTarget, survey: Survey): ReadTarget | undefined {
  const key = target.referenced && target.own === undefined ? keyOf(target) : undefined;
  return key === undefined || survey.world.observed.find(key) !== undefined
    ? undefined
    : survey.expected.get(key)?.target;
}

function statusLandings(read: Read, nested: InstanceRun, survey: Survey, depth: number): ResolvedRead[] {
  const [top, ...inStatus] = read.path;
  if (top !== undefined && top !== 'status' && top !== EACH) return [];
  const computed = statusExpressions(nested.graph.status.template).filter(({ path }) => touches(path, inStatus));
  return computed.flatMap(({ expression, path }) => {
    const rest = inStatus.slice(path.length);
    const way = read.path.length - rest.length;
    return readsAt(expression, rest, read.needed - way, read.whole).flatMap((inner) =>
      // An optional field of the status requires nothing itself.
      resolveRead(read.needed < way ? { ...inner, needed: 0 } : inner, nested, survey, depth + 1),
    );
  });
}

/** Returns the reads of an expression of whose value only a part is used, with so many required steps. */
function readsAt(expression: CompiledExpression, rest: readonly Step[], needed: number, whole: boolean): Read[] {
  const { reads, value } = readsIn(expression.parsed.root);
  const part = rest.reduce<Flow>((flow, step, index) => into(flow, step, index >= needed), value);
  return allReads({ reads, value: part }).map((read) => ({ ...read, whole: read.whole && whole }));
}
