import { phrase, shown } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import { get, getAt, type Value } from '../../core/model/value.ts';
import type { NodeDefinition } from '../../kro/definition/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/** Kinds that set the replicas of another object, with their field that names it. */
const SCALERS: Readonly<Record<string, string>> = {
  'HorizontalPodAutoscaler.autoscaling': 'scaleTargetRef',
  'ScaledObject.keda.sh': 'scaleTargetRef',
  'Rollout.argoproj.io': 'workloadRef',
};

/** Reports replicas that another node of the RGD sets too: each apply would reset them. */
export function* scaledReplicas({ definition: { nodes }, graph }: Subject): Iterable<LintProblem> {
  for (const scaler of nodes) {
    const kind = isKubeObject(scaler.template) ? groupKind(groupVersionKind(scaler.template)) : '';
    const field = Object.hasOwn(SCALERS, kind) ? SCALERS[kind] : undefined;
    const target = field === undefined ? undefined : getAt(scaler.template, ['spec', field]);
    for (const node of target === undefined ? [] : nodes) {
      const replicas = getAt(node.template, ['spec', 'replicas']) ?? null;
      if (replicas === null || replicas === 0n || !isTarget(node, target) || areAlternatives(node, scaler)) continue;
      yield {
        message: phrase`'replicas' is set here, and by node '${scaler.id}', a ${shown(kind.split('.')[0] ?? '')}: each apply resets it`,
        path: [...node.path, 'template', 'spec', 'replicas'],
        node: graph.nodeById.get(node.id),
        hint: phrase`leave it out: docs/leave-out.md`,
      };
    }
  }
}

/** Reports whether a reference names the object of a node, with the same text or through the node. */
function isTarget({ id, template }: NodeDefinition, target: Value | undefined): boolean {
  const name = expressionOf(get(target, 'name'));
  const isNamed =
    name !== '' && (name === `\${${id}.metadata.name}` || name === expressionOf(getAt(template, ['metadata', 'name'])));
  return isNamed && (get(target, 'kind') ?? 'Deployment') === get(template, 'kind');
}

/** Reports whether one of two nodes is included only if the other one is not. */
function areAlternatives(one: NodeDefinition, other: NodeDefinition): boolean {
  const [conditions, others] = [one, other].map(({ includeWhen }) => includeWhen.map(expressionOf)) as [
    string[],
    string[],
  ];
  const negated = (text: string): string[] => [`\${!${text.slice(2)}`, `\${!(${text.slice(2, -1)})}`];
  const excludes = (some: string[], all: string[]): boolean =>
    some.some((text) => negated(text).some((condition) => all.includes(condition)));
  return excludes(conditions, others) || excludes(others, conditions);
}

/** Returns a text without the spaces that do not matter in an expression. */
const expressionOf = (value: Value | undefined): string => (typeof value === 'string' ? value.replace(/\s+/g, '') : '');
