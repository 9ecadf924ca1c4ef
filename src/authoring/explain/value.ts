import { Collector, format, HIDDEN, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { Value } from '../../core/model/value.ts';
import type { Location } from '../../core/text/line-index.ts';
import type { CompiledExpression, ExpressionDetails } from '../../kro/compile/index.ts';
import {
  combinations,
  handlesSecret,
  type InstanceRun,
  mayBeShown,
  type NodeRun,
  reasonOf,
  withItem,
} from '../../kro/expand/index.ts';
import {
  type CelValue,
  chainOf,
  children,
  createBudget,
  EvaluationError,
  type Expr,
  type Program,
  toJson,
} from '../../languages/cel/index.ts';
import { locationOf } from '../../yaml/locate/index.ts';
import type { Explainable } from './package.ts';

/** The result of an expression, or of a part of one: a value, or why there is none. */
export interface Evaluated {
  source: Text;
  value?: Value;
  /** Why there is no value. */
  missing?: Text;
  /** Its parts, in the order in which they are written. */
  parts: readonly Evaluated[];
}

/** An expression of a node, with its field. */
export interface ExplainedExpression extends Evaluated {
  field: Text;
  place?: Location;
  /** Values are hidden. */
  hidden: boolean;
}

/** What the explanation of an expression needs. */
export type Expanded = Pick<Explainable, 'details' | 'locator'>;

/** The maximum number of printed parts. */
const MOST_PARTS = 60;

/**
 * Evaluates an expression part by part, as the run of a node sees it. Values that come from a Secret, or flow into one,
 * are hidden, and so is the text of an expression in a Secret that may contain one; with `hidden` all values are.
 */
export function explainExpression(
  expression: CompiledExpression,
  field: Text,
  at: NodeRun,
  { details, locator }: Expanded,
  hidden = false,
): ExplainedExpression {
  const { run } = at;
  const place = locationOf(locator, run.graph.input.source, expression.path, expression.offset);
  const there = place === undefined ? { field } : { field, place };
  if (!mayBeShown(expression, run.graph)) return { ...there, hidden: true, source: HIDDEN, value: HIDDEN, parts: [] };
  const isHidden = hidden || handlesSecret(expression, at);
  const evaluate = (program: Program): Pick<Evaluated, 'value' | 'missing'> => {
    try {
      const value = plain(program.run(run.frame, createBudget(run.world.options)));
      return { value: isHidden ? HIDDEN : value };
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      return { missing: format(reasonOf({ expression, error }, at)) };
    }
  };
  const detail = details.get(expression);
  let left = MOST_PARTS;
  const partsIn = (part: Expr): Evaluated[] =>
    detail === undefined ? [] : inside(part, detail.checked.calls).flatMap((one) => partsOf(one));
  const partsOf = (part: Expr): Evaluated[] => {
    if (part.kind === 'literal' || left <= 0 || detail === undefined) return [];
    // A list or a map literal is omitted, because its members are shown.
    if (part.kind === 'list' || part.kind === 'map' || part.kind === 'struct') return partsIn(part);
    left -= 1;
    return [
      {
        source: trusted.definition(expression.parsed.source.slice(part.start, part.end)),
        ...evaluate(detail.part(part)),
        parts: partsIn(part),
      },
    ];
  };
  return {
    ...there,
    hidden: isHidden,
    source: trusted.definition(expression.source.trim()),
    ...evaluate(expression.program),
    parts: partsIn(expression.parsed.root),
  };
}

/** Returns the parts of an expression with values of their own: a chain of fields is one, a loop has its list. */
function inside(part: Expr, calls: ExpressionDetails['checked']['calls']): readonly Expr[] {
  if (part.kind === 'literal' || chainOf(part).start.kind === 'ident') return [];
  if (part.kind === 'comprehension' || part.kind === 'bind') return children(part).slice(0, 1);
  // `lists` in `lists.range(3)` is not a value.
  if (part.kind === 'call' && calls.get(part.id)?.namespaced === true) return part.args;
  return children(part);
}

/** Converts values that JSON cannot represent to text. */
function plain(value: CelValue): Value {
  try {
    return toJson(value);
  } catch (error) {
    if (error instanceof EvaluationError) return `(${error.message})`;
    throw error;
  }
}

/**
 * Returns the run as expressions of one item of a collection see it; for other nodes the run itself. `undefined`: no
 * such item.
 */
export function runAtItem({ run, node }: NodeRun, index: number): InstanceRun | undefined {
  if (node.forEach.length === 0) return run;
  // Discard reports, because everything was reported before.
  const world = { ...run.world, reports: new Collector(), pending: [] };
  const items = combinations({ run: { ...run, world }, node });
  const item = Array.isArray(items) ? items[index] : undefined;
  return item === undefined ? undefined : withItem({ run, node }, Array.isArray(item) ? item : []);
}
