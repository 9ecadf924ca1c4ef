import { HIDDEN } from '../../../core/diagnostics/index.ts';
import { nameOf } from '../../../core/model/object.ts';
import { formatPath } from '../../../core/model/path.ts';
import { within } from '../../../core/redaction/index.ts';
import type { CompiledExpression } from '../../compile/index.ts';
import {
  type Alternative,
  hasSecretIdentity,
  type InstanceRun,
  isSecretlyNamed,
  mayBeShown,
  referenceInstead,
  secrecyOf,
} from '../../expand/index.ts';
import {
  apiVersionOf,
  conditionReads,
  EACH,
  type ExpressionReads,
  formatSteps,
  isOptional,
  keyOf,
  type PendingValue,
  type ReadTarget,
  type ResolvedRead,
  resolveRead,
  type Step,
  type Survey,
  type SurveyedNode,
  templateReads,
} from '../reads/index.ts';
import { lookedThrough, type Missing, missingIn, requiredSteps } from './missing.ts';

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
  const values = [...conditionReads(node.node), ...templateReads(node.node)].flatMap((reads) =>
    awaitedIn(reads, node, run, survey),
  );
  const isReference = node.isPending && (node.node.kind === 'external' || node.node.kind === 'externalCollection');
  return isReference ? [...values, ...awaitedReference(node, run, survey)] : values;
}

/** Returns the object of a reference, unless a pending node is going to render it. */
function awaitedReference(node: SurveyedNode, run: InstanceRun, survey: Survey): PendingValue[] {
  return (node.targets ?? []).flatMap((target) => {
    const key = keyOf(target);
    if (key !== undefined && survey.expected.has(key)) return [];
    const field = 'externalRef';
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
  return referenceInstead(expression, pendingNode.node, { root: node.node.id, object: target, path }, run.graph);
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
