import { EACH, type Step } from '../../core/model/path.ts';
import { type Read, touches } from '../../core/model/read.ts';
import { allReads, type Flow, into, readsIn } from '../../languages/cel/index.ts';
import { type CompiledExpression, originOf, statusExpressions } from '../compile/index.ts';
import type { InstanceRun } from '../expand/index.ts';
import { keyOf, type ReadTarget, type Survey, type SurveyedNode } from './survey.ts';

/** One object that an expression reads, and the path in it. */
export interface ResolvedRead {
  node: SurveyedNode;
  run: InstanceRun;
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

/**
 * Returns the objects of a read. The status of an instance is not in a cluster: its reads are traced to the nodes of
 * that instance.
 */
export function resolveRead(read: Read, run: InstanceRun, survey: Survey, depth = 0): ResolvedRead[] {
  const origin = originOf(read, run.graph);
  const node = origin?.node && survey.runs.get(run)?.[origin.node.index];
  if (origin === undefined || node === undefined || depth > MAX_INDIRECTIONS) return [];
  const { path, needed, whole, item } = origin;
  if (node.targets === undefined) return [{ node, run, target: undefined, path, needed, whole, computed: false }];
  const picked = item === undefined ? node.targets : node.targets.slice(item, item + 1);
  return picked.flatMap((found) => {
    const target = comingFor(found, survey) ?? found;
    const inner =
      target.nested === undefined ? [] : statusLandings({ ...read, path, needed }, target.nested, survey, depth);
    return [{ node, run, target, path, needed, whole, computed: inner.length > 0 }, ...inner];
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
