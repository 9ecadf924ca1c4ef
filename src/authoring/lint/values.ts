import { phrase, shown } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import { get, getAt, type Value } from '../../core/model/value.ts';
import { partsOf } from '../../kro/compile/index.ts';
import type { NodeDefinition } from '../../kro/definition/index.ts';
import type { Expr } from '../../languages/cel/index.ts';
import { insideTemplate, type LintedExpression, type LintProblem, type Subject } from './subject.ts';

/** Fields of Kubernetes' own kinds in which the API server replaces null with a default. */
const DEFAULTED = new Set(
  'replicas minReplicas revisionHistoryLimit progressDeadlineSeconds strategy updateStrategy podManagementPolicy imagePullPolicy restartPolicy dnsPolicy schedulerName terminationGracePeriodSeconds protocol type sessionAffinity internalTrafficPolicy backoffLimit completions parallelism suspend concurrencyPolicy successfulJobsHistoryLimit failedJobsHistoryLimit initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold defaultMode volumeMode'.split(
    ' ',
  ),
);

/**
 * Reports an optional that is the whole value of a field, which is null without a value, and a null in one of the arms of
 * `? :` where the API server would write its default.
 */
export function* nullValue({ graph, expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    const { expression, node } = linted;
    const isOptional = expression.type.kind === 'optional';
    const isReset = DEFAULTED.has(String(expression.path.at(-1))) && mayBeNull(expression.parsed.root);
    if (linted.place !== 'template' || !(isOptional || isReset)) continue;
    const [metadata, map] = insideTemplate(linted) ?? [];
    // Null labels and annotations are removed.
    if (metadata === 'metadata' && (map === 'labels' || map === 'annotations')) continue;
    const text = getAt(graph.input.object, expression.path);
    if (typeof text !== 'string' || partsOf(text).length !== 1) continue;
    const source = expression.source.trim();
    const [message, hint] = isReset
      ? [
          phrase`the expression may yield null, in place of which the API server writes its default`,
          phrase`leave the field out: docs/leave-out.md`,
        ]
      : [
          phrase`the expression yields an optional, which is written as null if it has no value`,
          phrase`add a fallback, (${source}).orValue(...), or create the map that contains the field: {?"field": ${source}}`,
        ];
    yield { message, path: expression.path, offset: expression.offset, node, hint };
  }
}

/** Reports whether an expression is null, or has null in an arm of `? :`. */
function mayBeNull(expr: Expr): boolean {
  if (expr.kind === 'literal') return expr.literal.type === 'null';
  if (expr.kind !== 'call') return false;
  if (expr.name === 'dyn') return expr.args.some(mayBeNull);
  return expr.name === '_?_:_' && expr.args.slice(1).some(mayBeNull);
}

/**
 * Reports one expression with a line break that a block scalar (`|` or `>`) adds: the value is a string that ends in a
 * line break instead of the result of the expression. Files in a ConfigMap or a Secret are excluded.
 */
export function* trailingNewline({ graph, expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    const { expression, node } = linted;
    if (linted.place !== 'template' || isFile(linted)) continue;
    const text = getAt(graph.input.object, expression.path);
    if (typeof text !== 'string' || !text.endsWith('\n')) continue;
    const parts = partsOf(text);
    const isOnlyExpression = parts.filter((part) => 'source' in part).length === 1;
    if (!isOnlyExpression || parts.some((part) => 'text' in part && part.text.trim() !== '')) continue;
    yield {
      message: phrase`a line break follows the expression, so the value is a string that ends with a line break`,
      path: expression.path,
      offset: expression.offset,
      node,
      hint: phrase`write the block scalar with a dash, |- or >-, or the expression in quotes`,
    };
  }
}

function isFile(linted: LintedExpression): boolean {
  const { group, kind } = linted.node?.gvk ?? {};
  const [field] = insideTemplate(linted) ?? [];
  return group === '' && (kind === 'ConfigMap' || kind === 'Secret') && (field === 'data' || field === 'stringData');
}

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
