import { HIDDEN } from '../../core/diagnostics/index.ts';
import { nameOf } from '../../core/model/object.ts';
import { EACH, formatPath, type Step, upToEach } from '../../core/model/path.ts';
import { formatSteps, isOptional, leadsTo, type Read, touches } from '../../core/model/read.ts';
import { getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import { within } from '../../core/redaction/index.ts';
import { smallest } from '../../core/text/extremes.ts';
import { type PendingValue, unknownIn } from '../../kubernetes/front-end/index.ts';
import {
  type CompiledExpression,
  contentKeyOf,
  type ExpressionReads,
  isReference,
  nodeReads,
} from '../compile/index.ts';
import {
  type Alternative,
  hasSecretIdentity,
  type InstanceRun,
  isSecretlyNamed,
  mayBeShown,
  referenceInstead,
  secrecyOf,
} from '../expand/index.ts';
import { type ResolvedRead, resolveRead } from './resolved-read.ts';
import { apiVersionOf, keyOf, type ReadTarget, type Survey, type SurveyedNode } from './survey.ts';

interface Missing {
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

/**
 * Returns the missing values of a read that a live object could have. If a required step before an optional value is
 * missing, that is returned too.
 */
function missingIn(
  { target, path, needed, whole, computed }: ResolvedRead,
  isPending: boolean,
  survey: Survey,
): Missing[] {
  if (computed) return [];
  if (target === undefined) return [{ path, optional: !isPending }];
  const key = keyOf(target);
  const isObserved = key !== undefined && survey.world.observed.find(key) !== undefined;
  const shown = whole ? path : withoutLast(path);
  return unknownIn(target.seen, shown)
    .filter((unknown) => !target.holes.some((hole) => touches(hole, unknown.path)))
    .flatMap(({ path: at, there }): Missing[] => {
      const blocks = isPending && there < needed;
      if (blocks && needed >= at.length) return [{ path: at, optional: false }];
      // It was observed without the value, which is final if there is a fallback.
      const optional = isObserved ? [] : [{ path: at, optional: true }];
      return blocks ? [{ path: at.slice(0, needed), optional: false }, ...optional] : optional;
    });
}

/**
 * Returns what is pending for an expression that finds all of its fixed reads: for a computed index or key, or an
 * element that a filter excludes, those are the lists and maps that it searches, above all live ones. Returns nothing
 * while one of its nodes is pending.
 */
function lookedThrough(landings: readonly ResolvedRead[]): [ResolvedRead, Missing][] {
  const known = landings.filter(({ target, computed }) => target !== undefined && !computed);
  if (landings.some(({ node, target }) => node.isPending || target === undefined)) return [];
  const through = known.map((landing): [ResolvedRead, Missing] => [
    landing,
    { path: upToEach(landing.path), optional: false },
  ]);
  const live = through.filter(([{ target }, { path }]) => !isScalarOrList(getAt(target?.own, path as Path)));
  return live.length > 0 ? live : through;
}

/** Rendered values win over live ones, except for maps, which are merged. */
const isScalarOrList = (value: Value | undefined): boolean => value !== undefined && !isMap(value);

/** The length of a list is known if the list is. */
const withoutLast = (path: readonly Step[]): readonly Step[] => (path.at(-1) === EACH ? path.slice(0, -1) : path);

/**
 * Returns every pending value of the instances of a package, including those after other pending values. Derived from
 * the reads of expressions: a value that another pending node sets is omitted, but the pending values of that node are
 * listed.
 */
export function awaitedByNodes(survey: Survey): PendingValue[] {
  const found = new Map<string, PendingValue>();
  for (const [run, nodes] of survey.runs) {
    for (const index of run.graph.order) {
      const node = nodes[index];
      if (node === undefined || node.skipped) continue;
      for (const awaited of awaitedBy(node, run, survey)) {
        const { optional, alternative: _, ...rest } = awaited;
        const key = JSON.stringify(rest);
        const known = found.get(key);
        if (known === undefined || (known.optional && !optional)) found.set(key, awaited);
      }
    }
  }
  return [...found.values()];
}

function awaitedBy(node: SurveyedNode, run: InstanceRun, survey: Survey): PendingValue[] {
  const values = nodeReads(node.node).flatMap((reads) => awaitedIn(reads, node, run, survey));
  return node.isPending && isReference(node.node) ? [...values, ...awaitedReference(node, run, survey)] : values;
}

/** Returns the object of a reference, unless a pending node is going to render it. */
function awaitedReference(node: SurveyedNode, run: InstanceRun, survey: Survey): PendingValue[] {
  return (node.targets ?? []).flatMap((target) => {
    const key = keyOf(target);
    if (key !== undefined && survey.expected.has(key)) return [];
    const field = contentKeyOf(node.node);
    const object = shownObject(target, run, node, survey);
    return [{ ...readerOf(run, node, survey), field, expression: '', optional: false, object, path: '' }];
  });
}

function awaitedIn(
  { expression, reads }: ExpressionReads,
  node: SurveyedNode,
  run: InstanceRun,
  survey: Survey,
): PendingValue[] {
  const isPending = node.pending.has(expression);
  const awaited = (landing: ResolvedRead, { path, optional }: Missing): PendingValue => {
    const value: PendingValue = {
      ...readerOf(run, node, survey),
      field: fieldOf(expression, node),
      expression: mayBeShown(expression, run.graph) ? expression.source.trim() : HIDDEN,
      optional,
      object: shownObject(landing.target ?? landing.node.node.gvk, landing.run, landing.node, survey),
      path: formatSteps(shownPath(path, landing, survey)),
    };
    const alternative = optional ? undefined : alternativeTo(expression, node, landing, run);
    return alternative === undefined ? value : { ...value, alternative };
  };
  const landings = reads.flatMap((read) => {
    const needed = requiredSteps(read, reads);
    // If everything was rendered, a missing required value belongs to a branch that was not taken.
    return isPending || isOptional({ ...read, needed }) ? resolveRead({ ...read, needed }, run, survey) : [];
  });
  const missing = landings.flatMap((landing) =>
    missingIn(landing, isPending, survey).map((one) => awaited(landing, one)),
  );
  const isExplained = !isPending || missing.some(({ optional }) => !optional);
  const asked = isExplained
    ? missing
    : [...lookedThrough(landings).map(([landing, one]) => awaited(landing, one)), ...missing];
  // A field of every element requires the list.
  return asked.filter(
    ({ path, object: { name } }) =>
      !asked.some((other) => other.object.name === name && other.path.startsWith(`${path}[*]`)),
  );
}

/** Returns the alternative for an object in the same namespace, which references require. */
function alternativeTo(
  expression: CompiledExpression,
  pendingNode: SurveyedNode,
  { target, path, node, run: owner }: ResolvedRead,
  run: InstanceRun,
): Alternative | undefined {
  if (owner !== run || target === undefined) return undefined;
  if (pendingNode.targets?.some(({ namespace }) => namespace !== target.namespace)) return undefined;
  return referenceInstead(expression, pendingNode.node, { node: node.node, object: target, path }, run.graph);
}

function readerOf(
  run: InstanceRun,
  { node }: SurveyedNode,
  { world }: Survey,
): Pick<PendingValue, 'instance' | 'node'> {
  const { kind } = run.graph;
  if (isSecretlyNamed(run, world)) return { instance: { kind, namespace: '', name: HIDDEN }, node: node.id };
  return { instance: { kind, namespace: run.namespace, name: nameOf(run.instance) }, node: node.id };
}

function shownObject(
  of: ReadTarget | SurveyedNode['node']['gvk'],
  run: InstanceRun,
  { node }: SurveyedNode,
  { world }: Survey,
): PendingValue['object'] {
  const { name, ...object } = objectOf(of);
  if (name === undefined) return object;
  return hasSecretIdentity(run, node.index, world) ? { ...object, namespace: '', secret: true } : { ...object, name };
}

/** Redacts a path: the keys of a map of values of a Secret may be such values too. */
function shownPath(found: readonly Step[], { path, run, node }: ResolvedRead, { world }: Survey): readonly Step[] {
  const secrecy = secrecyOf(run, node.node.index, world);
  return found.map((step, index) =>
    path[index] === EACH && within(secrecy, path.slice(0, index)) === true ? EACH : step,
  );
}

function objectOf(of: ReadTarget | SurveyedNode['node']['gvk']): PendingValue['object'] {
  if ('version' in of) return { apiVersion: apiVersionOf(of), kind: of.kind, namespace: '' };
  const { apiVersion, kind, namespace, name } = of;
  return name === undefined ? { apiVersion, kind, namespace } : { apiVersion, kind, namespace, name };
}

/** Returns the field in the template; elsewhere the path in the node. */
function fieldOf({ path }: CompiledExpression, { node }: SurveyedNode): string {
  const inside = path.slice(node.path.length);
  return formatPath(inside[0] === 'template' ? inside.slice(1) : inside);
}
