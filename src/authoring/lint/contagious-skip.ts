import { phrase, shown } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import type { GraphNode } from '../../kro/compile/index.ts';
import { children, type Expr } from '../../languages/cel/index.ts';
import { at, type LintProblem, type Subject } from './subject.ts';

/**
 * Reports a node that reads a conditional one as if it were rendered anyway, because readers of a skipped node are
 * skipped too: it has no condition itself, or reads the other one only behind `?` or in an arm.
 */
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
      const message = phrase`'${reader.id}' is omitted whenever '${source.id}' is omitted, ${shown(although)}`;
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
