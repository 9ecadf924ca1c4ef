import { phrase } from '../../core/diagnostics/index.ts';
import { getAt } from '../../core/model/value.ts';
import { partsOf } from '../../kro/compile/index.ts';
import type { Expr } from '../../languages/cel/index.ts';
import { insideTemplate, type LintProblem, type Subject } from './subject.ts';

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
