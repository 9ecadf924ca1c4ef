import { phrase, shown } from '../../core/diagnostics/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { ownValue, type Path } from '../../core/model/value.ts';
import type { GraphNode } from '../../kro/compile/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { chainOf, children, createBudget, EvaluationError, type Expr } from '../../languages/cel/index.ts';
import { at, type LintedExpression, type LintProblem, type Subject } from './subject.ts';

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
  const schema = path.reduce<Schema | undefined>((at, step) => ownValue(at?.properties, String(step)), instance);
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

/** Reports a node that reads a conditional one as if it always existed: readers of skipped nodes are skipped. */
export function* contagiousSkip({ graph, expressions }: Subject): Iterable<LintProblem> {
  const found = expressions.filter(({ place }) => place === 'template' || place === 'forEach');
  const byNode = groupBy(found, ({ node }) => node);
  for (const reader of graph.nodes) {
    const own = byNode.get(reader) ?? [];
    for (const read of reader.dependencies) {
      const source = graph.nodes[read] as GraphNode;
      // A condition that reads nothing is reported itself.
      if (!source.includeWhen.some(({ names }) => names.length > 0) || impliesConditions(reader, source)) continue;
      const uses = own.flatMap((linted) =>
        usesOf(source.id, linted.expression.parsed.root, false).map((use) => ({ ...use, linted })),
      );
      const [first] = uses;
      if (first === undefined) continue;
      const isGuarded = uses.every(({ guarded }) => guarded);
      if (!isGuarded && reader.includeWhen.length > 0) continue;
      // A condition may read it too, without a guard.
      if (reader.includeWhen.some(({ nodes }) => nodes.includes(read))) continue;
      const although = isGuarded ? 'even if the value is optional here' : 'although it has no includeWhen';
      const message = phrase`'${{ node: reader.id }}' is omitted whenever '${{ cause: source.id }}' is omitted, ${shown(although)}`;
      const hint = isGuarded
        ? phrase`decide by the instance and not by '${source.id}': read schema, or write two nodes with includeWhen`
        : phrase`give '${reader.id}' the same includeWhen if that is intended, or read schema and not '${source.id}'`;
      yield at(first.linted, first.expr, message, hint);
    }
  }
}

/** Reports whether the reader has all conditions of its dependency, so that both are skipped together on purpose. */
const impliesConditions = (reader: GraphNode, source: GraphNode): boolean =>
  source.includeWhen.every((condition) =>
    reader.includeWhen.some((own) => own.source.trim() === condition.source.trim()),
  );

interface Use {
  expr: Expr;
  /** It is read behind `?`, in `has()`, or in an arm of a condition. */
  guarded: boolean;
}

function usesOf(id: string, expr: Expr, guarded: boolean): Use[] {
  if (expr.kind === 'ident') return expr.name === id ? [{ expr, guarded }] : [];
  if (expr.kind === 'select' && (expr.optional || expr.test) && isNode(expr.operand, id)) {
    return [{ expr: expr.operand, guarded: true }];
  }
  if (expr.kind === 'call') {
    if (expr.name === '_[?_]' && expr.args[0] !== undefined && isNode(expr.args[0], id)) {
      return [{ expr: expr.args[0], guarded: true }];
    }
    if (expr.name === '_?_:_') {
      return expr.args.flatMap((arg, index) => usesOf(id, arg, guarded || index > 0));
    }
  }
  return children(expr).flatMap((child) => usesOf(id, child, guarded));
}

const isNode = (expr: Expr, id: string): boolean => expr.kind === 'ident' && expr.name === id;
