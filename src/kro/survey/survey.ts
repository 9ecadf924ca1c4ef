import { HIDDEN } from '../../core/diagnostics/index.ts';
import { apiVersionOf, nameOf } from '../../core/model/object.ts';
import {
  EACH,
  formatSteps,
  isOptional,
  leadsTo,
  type Read,
  type Step,
  touches,
  upToEach,
} from '../../core/model/read.ts';
import { formatPath, getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import { within } from '../../core/redaction/index.ts';
import { smallest } from '../../core/text/extremes.ts';
import { absentIn, type PendingValue } from '../../kubernetes/front-end/index.ts';
import { type CompiledExpression, type ExpressionReads, isReference, nodeReads } from '../compile/index.ts';
import type { DefaultNamespace } from '../expand/identity.ts';
import {
  type Alternative,
  hasSecretIdentity,
  isSecretlyNamed,
  mayBeShown,
  referenceInstead,
  secrecyOf,
} from '../expand/index.ts';
import { type Expansion, type InstanceRun, type NodeState, nestedRuns, nodeRun, withNested } from '../expand/run.ts';
import { refreshViews } from '../expand/view.ts';
import {
  type Expected,
  keyOf,
  type ReadTarget,
  type ResolvedRead,
  resolveRead,
  type Survey,
  type SurveyedNode,
  surveyNode,
} from './targets.ts';

export function surveyRuns(expansion: Expansion, observedNamespace: DefaultNamespace): Survey {
  // What a pending node would render becomes its value, so that the expansion must not be changed.
  const isFinal = (state: NodeState): boolean => state === 'done' || state === 'skipped';
  const isComplete = expansion.runs.flatMap(withNested).every(({ states }) => states.every(isFinal));
  const { runs, world } = isComplete ? expansion : expansion.again();
  const found = new Map<InstanceRun, SurveyedNode[]>();
  for (const run of runs) surveyRun(run, found);
  return { world, observedNamespace, runs: found, expected: expectedIn(found) };
}

function expectedIn(runs: Survey['runs']): Map<string, Expected> {
  const expected = new Map<string, Expected>();
  for (const [run, nodes] of runs) {
    for (const { node, isPending, targets = [] } of nodes) {
      if (!isPending) continue;
      for (const target of targets) noteExpected(expected, { run, node, target });
    }
  }
  return expected;
}

/** Notes what a pending node is going to render; a reference renders nothing. */
function noteExpected(expected: Map<string, Expected>, one: Expected): void {
  const key = keyOf(one.target);
  if (key !== undefined && !one.target.referenced) expected.set(key, one);
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

interface Missing {
  read: ResolvedRead;
  path: readonly Step[];
  /** The expression has a value without it. */
  optional: boolean;
}

/** Returns how many steps of a read must exist, if other reads of the expression may test them with `has()`. */
function requiredSteps(read: Read, reads: readonly Read[]): number {
  const tests = reads.filter(
    (test) => !test.whole && test.needed < test.path.length && test.root === read.root && leadsTo(test.path, read.path),
  );
  return smallest(
    tests.map(({ needed }) => needed),
    read.needed,
  );
}

/** Returns the missing values of a read that a live object could have. */
function missingIn(read: ResolvedRead, isPending: boolean, survey: Survey): Missing[] {
  const { target, path, needed, whole, computed } = read;
  if (computed) return [];
  if (target === undefined) return [{ read, path, optional: !isPending }];
  const key = keyOf(target);
  const isObserved = key !== undefined && survey.world.observed.find(key) !== undefined;
  const shown = whole ? path : withoutLast(path);
  return absentIn(target.seen, shown)
    .filter((absent) => !target.holes.some((hole) => touches(hole, absent.path)))
    .flatMap(({ path: at, there }): Missing[] => {
      const blocks = isPending && there < needed;
      if (blocks && needed >= at.length) return [{ read, path: at, optional: false }];
      // It was observed without the value, which is final if there is a fallback.
      const optional = isObserved ? [] : [{ read, path: at, optional: true }];
      return blocks ? [{ read, path: at.slice(0, needed), optional: false }, ...optional] : optional;
    });
}

/**
 * Returns what is pending for an expression that finds all of its fixed reads: the lists and maps that it searches for
 * a computed key or an element, above all live ones. Returns nothing while one of its nodes is pending.
 */
function lookedThrough(reads: readonly ResolvedRead[]): Missing[] {
  if (reads.some(({ of, target }) => of.isPending || target === undefined)) return [];
  const through = reads
    .filter(({ computed }) => !computed)
    .map((read): Missing => ({ read, path: upToEach(read.path), optional: false }));
  const live = through.filter(({ read, path }) => !isScalarOrList(getAt(read.target?.own, path as Path)));
  return live.length > 0 ? live : through;
}

/** Rendered values win over live ones, except for maps, which are merged. */
const isScalarOrList = (value: Value | undefined): boolean => value !== undefined && !isMap(value);

/** The length of a list is known if the list is. */
const withoutLast = (path: readonly Step[]): readonly Step[] => (path.at(-1) === EACH ? path.slice(0, -1) : path);

/** Returns every pending value, including those after others, but not those that another pending node sets. */
export function awaitedByNodes(survey: Survey): PendingValue[] {
  const found = new Map<string, PendingValue>();
  for (const [{ graph }, nodes] of survey.runs) {
    for (const index of graph.order) {
      const node = nodes[index];
      if (node === undefined || node.skipped) continue;
      for (const awaited of awaitedBy(node, survey)) noteAwaited(found, awaited);
    }
  }
  return [...found.values()];
}

/** Notes a value once: what one reader needs is not optional. */
function noteAwaited(found: Map<string, PendingValue>, awaited: PendingValue): void {
  const { optional, alternative: _, ...rest } = awaited;
  const key = JSON.stringify(rest);
  const known = found.get(key);
  if (known === undefined || (known.optional && !optional)) found.set(key, awaited);
}

function awaitedBy(reader: SurveyedNode, survey: Survey): PendingValue[] {
  const values = nodeReads(reader.node).flatMap((reads) => awaitedIn(reads, reader, survey));
  if (!reader.isPending || !isReference(reader.node)) return values;
  // The object of a reference, unless a pending node is going to render it.
  const targets = (reader.targets ?? []).filter((target) => !survey.expected.has(keyOf(target) ?? ''));
  const { contentKey: field } = reader.node;
  return [
    ...values,
    ...targets.map((target) => {
      const object = shownObject(target, reader);
      return { ...shownReader(reader), field, expression: '', optional: false, object, path: '' };
    }),
  ];
}

function awaitedIn({ expression, reads }: ExpressionReads, reader: SurveyedNode, survey: Survey): PendingValue[] {
  const { run, node } = reader;
  const isPending = reader.pending.has(expression);
  const resolved = reads.flatMap((read) => {
    const needed = requiredSteps(read, reads);
    // If everything was rendered, a missing required value belongs to a branch that was not taken.
    return isPending || isOptional({ ...read, needed }) ? resolveRead({ ...read, needed }, run, survey) : [];
  });
  const missing = resolved.flatMap((read) => missingIn(read, isPending, survey));
  const isExplained = !isPending || missing.some(({ optional }) => !optional);
  const asked = [...(isExplained ? [] : lookedThrough(resolved)), ...missing].map(
    ({ read, path, optional }): PendingValue => {
      const alternative = optional ? undefined : alternativeTo(expression, reader, read);
      const inside = expression.path.slice(node.path.length);
      return {
        ...shownReader(reader),
        // The field in the template; elsewhere the path in the node.
        field: formatPath(inside[0] === 'template' ? inside.slice(1) : inside),
        expression: mayBeShown(expression, run.graph) ? expression.source.trim() : HIDDEN,
        optional,
        object: shownObject(read.target, read.of),
        path: formatSteps(shownPath(path, read)),
        ...(alternative && { alternative }),
      };
    },
  );
  // A field of every element requires the list.
  return asked.filter(
    ({ path, object: { name } }) =>
      !asked.some((other) => other.object.name === name && other.path.startsWith(`${path}[*]`)),
  );
}

/** Returns the alternative for an object in the same namespace, which references require. */
function alternativeTo(
  expression: CompiledExpression,
  { run, node, targets = [] }: SurveyedNode,
  { of, target, path }: ResolvedRead,
): Alternative | undefined {
  if (of.run !== run || target === undefined) return undefined;
  if (targets.some(({ namespace }) => namespace !== target.namespace)) return undefined;
  return referenceInstead(expression, node, { node: of.node, object: target, path }, run.graph);
}

function shownReader({ run, node }: SurveyedNode): Pick<PendingValue, 'instance' | 'node'> {
  const { kind } = run.graph;
  if (isSecretlyNamed(run)) return { instance: { kind, namespace: '', name: HIDDEN }, node: node.id };
  return { instance: { kind, namespace: run.namespace, name: nameOf(run.instance) }, node: node.id };
}

/** Returns an object of a node; `undefined` is any of them. */
function shownObject(target: ReadTarget | undefined, at: SurveyedNode): PendingValue['object'] {
  const { gvk } = at.node;
  const { apiVersion = apiVersionOf(gvk), kind = gvk.kind, namespace = '', name } = target ?? {};
  if (name === undefined) return { apiVersion, kind, namespace };
  if (hasSecretIdentity(at)) return { apiVersion, kind, namespace: '', secret: true };
  return { apiVersion, kind, namespace, name };
}

/** Redacts a path: the keys of a map of values of a Secret may be such values too. */
function shownPath(found: readonly Step[], { path, of }: ResolvedRead): readonly Step[] {
  const secrecy = secrecyOf(of);
  return found.map((step, index) =>
    path[index] === EACH && within(secrecy, path.slice(0, index)) === true ? EACH : step,
  );
}
