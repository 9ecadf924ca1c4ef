import type { CompiledExpression } from '../compile/graph.ts';
import { type Alternative, referenceInstead } from '../expand/alternative.ts';
import type { InstanceRun } from '../expand/instance.ts';
import { formatPath } from '../model/path.ts';
import {
  apiVersionOf,
  type Carrier,
  conditionReads,
  type ExpressionReads,
  formatSteps,
  isOptional,
  keyOf,
  type Landing,
  landingsOf,
  type Survey,
  type SurveyedNode,
  templateReads,
} from '../reads/index.ts';
import { missingIn, neededBeside } from './missing.ts';

/** A value that only a live object has. */
export interface Awaited {
  instance: { kind: string; namespace: string; name: string };
  /** The node that waits, and the field of its template that the value is for. */
  node: string;
  field: string;
  expression: string;
  /** The node renders without it. */
  optional: boolean;
  /** `name` is missing as long as it waits itself. */
  object: { apiVersion: string; kind: string; namespace: string; name?: string };
  /** The way to the value in the object; '' for the object itself. */
  path: string;
  /** A field beside it that takes a reference, so that nothing has to be waited for. */
  alternative?: Alternative;
}

/**
 * Every value that the instances of a package wait for, those behind other waits included. Found from what the
 * expressions read: a value that another waiting node is going to set is not listed, what that node waits for is.
 */
export function awaitedValues(survey: Survey): Awaited[] {
  const found = new Map<string, Awaited>();
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

function awaitedBy(node: SurveyedNode, run: InstanceRun, survey: Survey): Awaited[] {
  const values = [...conditionReads(node.node), ...templateReads(node.node)].flatMap((reads) =>
    awaitedIn(reads, node, run, survey),
  );
  const isReference = node.waits && (node.node.kind === 'external' || node.node.kind === 'externalCollection');
  return isReference ? [...values, ...awaitedReference(node, run, survey)] : values;
}

/** The object that a reference names, unless a waiting node is going to render it. */
function awaitedReference(node: SurveyedNode, run: InstanceRun, survey: Survey): Awaited[] {
  return (node.carriers ?? []).flatMap((carrier) => {
    const key = keyOf(carrier);
    if (key !== undefined && survey.coming.has(key)) return [];
    const field = 'externalRef';
    return [{ ...whoWaits(run, node), field, expression: '', optional: false, object: objectOf(carrier), path: '' }];
  });
}

function awaitedIn(
  { expression, reads }: ExpressionReads,
  node: SurveyedNode,
  run: InstanceRun,
  survey: Survey,
): Awaited[] {
  const waits = node.waiting.has(expression);
  const found = reads.flatMap((read) => {
    const needed = neededBeside(read, reads);
    // Where everything was rendered, a value that is missing and not optional belongs to a branch that was not taken.
    if (!waits && !isOptional({ ...read, needed })) return [];
    return landingsOf({ ...read, needed }, run, survey).flatMap((landing) =>
      missingIn(landing, waits, survey).map(({ path, optional }): Awaited => {
        const awaited: Awaited = {
          ...whoWaits(run, node),
          field: fieldOf(expression, node),
          expression: expression.source.trim(),
          optional,
          object: objectOf(landing.carrier ?? landing.node.node.gvk),
          path: formatSteps(path),
        };
        const alternative = optional ? undefined : alternativeTo(expression, node, landing, run);
        return alternative === undefined ? awaited : { ...awaited, alternative };
      }),
    );
  });
  // To ask for a field of every element is to ask for the list.
  return found.filter(
    ({ path, object: { name } }) =>
      !found.some((other) => other.object.name === name && other.path.startsWith(`${path}[*]`)),
  );
}

/** Only for an object in the namespace of the one that waits: that is where references look. */
function alternativeTo(
  expression: CompiledExpression,
  waiting: SurveyedNode,
  { carrier, path, node, run: owner }: Landing,
  run: InstanceRun,
): Alternative | undefined {
  if (owner !== run || carrier === undefined) return undefined;
  if (waiting.carriers?.some(({ namespace }) => namespace !== carrier.namespace)) return undefined;
  return referenceInstead(expression, waiting.node, { root: node.node.id, object: carrier, path }, run.graph);
}

const whoWaits = ({ instance, namespace, graph }: InstanceRun, { node }: SurveyedNode) => ({
  instance: { kind: graph.kind, namespace, name: String((instance.metadata as { name?: unknown }).name ?? '') },
  node: node.id,
});

function objectOf(of: Carrier | SurveyedNode['node']['gvk']): Awaited['object'] {
  if ('version' in of) return { apiVersion: apiVersionOf(of), kind: of.kind, namespace: '' };
  const { apiVersion, kind, namespace, name } = of;
  return name === undefined ? { apiVersion, kind, namespace } : { apiVersion, kind, namespace, name };
}

/** The field in the template; elsewhere in the node the way from the node. */
function fieldOf({ path }: CompiledExpression, { node }: SurveyedNode): string {
  const inside = path.slice(node.path.length);
  return formatPath(inside[0] === 'template' ? inside.slice(1) : inside);
}
