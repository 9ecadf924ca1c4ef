import { phrase } from '../../core/diagnostics/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import type { Path } from '../../core/model/value.ts';
import type { GraphNode } from '../../kro/compile/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { chainOf, createBudget, EvaluationError, type Expr } from '../../languages/cel/index.ts';
import type { LintedExpression, LintProblem, Subject } from './subject.ts';

/** Reports a node that no instance includes: a condition is always false, or a node that it reads is never included. */
export function* neverIncluded({ graph, expressions }: Subject): Iterable<LintProblem> {
  const never = new Map<number, { message: string; path: Path; offset?: number }>();
  for (const { expression, node, place } of expressions) {
    if (place !== 'includeWhen' || node === undefined || never.has(node.index)) continue;
    const reason = alwaysFalse(expression.parsed.root, expression, graph.schema);
    if (reason !== undefined)
      never.set(node.index, { message: reason, path: expression.path, offset: expression.offset });
  }
  for (const index of graph.order) {
    const node = graph.nodes[index] as GraphNode;
    const source = node.dependencies.find((read) => never.has(read));
    if (source === undefined || never.has(index)) continue;
    never.set(index, { message: `it reads '${graph.nodes[source]?.id}', which is never included`, path: node.path });
  }
  for (const [index, { message, ...place }] of never) {
    yield { message: phrase`the node is never included: ${message}`, ...place, node: graph.nodes[index] };
  }
}

/** Returns why a condition is always false; undefined if it may be true. */
function alwaysFalse(expr: Expr, expression: LintedExpression['expression'], instance: Schema): string | undefined {
  if (expression.names.length === 0) return isFalse(expression) ? 'its condition is always false' : undefined;
  if (expr.kind === 'literal') return expr.literal.value === false ? 'its condition is always false' : undefined;
  if (expr.kind !== 'call') return undefined;
  const reasons = expr.args.map((arg) => alwaysFalse(arg, expression, instance));
  if (expr.name === '_&&_') return reasons.find((reason) => reason !== undefined);
  if (expr.name === '_||_') return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
  return expr.name === '_==_' ? unequal(expr.args, instance) : undefined;
}

const isFalse = ({ program }: LintedExpression['expression']): boolean =>
  attempt(() => program.run([], createBudget()), EvaluationError) === false;

/** Reports a field that is compared with a value outside of its enum. */
function unequal(args: readonly Expr[], instance: Schema): string | undefined {
  const literal = args.find((arg) => arg.kind === 'literal');
  const path = args.map(schemaPath).find((found) => found !== undefined);
  if (literal?.kind !== 'literal' || path === undefined) return undefined;
  const schema = path.reduce<Schema | undefined>((at, step) => at?.properties?.[step], instance);
  const allowed = schema?.enum;
  if (allowed === undefined || literal.literal.type === 'bytes') return undefined;
  const { value } = literal.literal;
  if (allowed.some((one) => one === value)) return undefined;
  return `${path.join('.')} is one of ${allowed.map(String).join(', ')}, and never ${String(value)}`;
}

/** Returns `schema.spec.env` as the path of a field. */
function schemaPath(expr: Expr): readonly (string | number)[] | undefined {
  const { start, path, isPlain } = chainOf(expr);
  return isPlain && start.kind === 'ident' && start.name === 'schema' ? path : undefined;
}
