import { phrase } from '../../core/diagnostics/index.ts';
import { type Schema, schemaAt } from '../../kubernetes/schema/index.ts';
import type { Expr } from '../../languages/cel/index.ts';
import { at, insideTemplate, type LintedExpression, type LintProblem, type Subject, typeOf } from './subject.ts';
import { functionName } from './value-flow.ts';

/**
 * Reports a list from a map in a place where its order matters: maps have no order, so that kro occasionally writes
 * another one. Functions that sort, count or search the list are excluded, and so are fields that are sets or keyed
 * lists.
 */
export function* unsortedList({ expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    if (linted.place !== 'template' && linted.place !== 'status') continue;
    if (isUnordered(schemaAt(linted.node?.schema, insideTemplate(linted) ?? []))) continue;
    for (const expr of fromMaps(linted.expression.parsed.root, linted, new Map())) {
      const message = phrase`this list is created from a map, which has no order: kro writes it in a different order at times`;
      yield at(linted, expr, message, phrase`sort it: append .sort(), or .sortBy(item, item.name)`);
    }
  }
}

const isUnordered = (schema: Schema | undefined): boolean =>
  schema?.['x-kubernetes-list-type'] === 'set' || schema?.['x-kubernetes-list-type'] === 'map';

/** Functions that keep the order of their argument. */
const KEEPS_ORDER = new Set([
  ...[
    '_+_',
    'join',
    'flatten',
    'slice',
    'reverse',
    'distinct',
    'first',
    'last',
    'json.marshal',
    'orValue',
    'or',
    'value',
  ],
  ...['optional.of', 'string', 'dyn', 'filter', 'map'],
]);

type Scope = ReadonlyMap<string, Expr>;

/** Returns the positions where a list is created from a map, and its order affects the value of the expression. */
function* fromMaps(expr: Expr, linted: LintedExpression, scope: Scope): Iterable<Expr> {
  switch (expr.kind) {
    case 'ident': {
      const bound = scope.get(expr.name);
      if (bound !== undefined) yield* fromMaps(bound, linted, new Map());
      return;
    }
    case 'list':
      for (const { value } of expr.elements) yield* fromMaps(value, linted, scope);
      return;
    case 'map':
      for (const { value } of expr.entries) yield* fromMaps(value, linted, scope);
      return;
    case 'select':
      yield* fromMaps(expr.operand, linted, scope);
      return;
    case 'comprehension':
      yield* inLoop(expr, linted, scope);
      return;
    case 'call':
      yield* inCall(expr, linted, scope);
      return;
    default:
  }
}

function* inLoop(
  expr: Extract<Expr, { kind: 'comprehension' }>,
  linted: LintedExpression,
  scope: Scope,
): Iterable<Expr> {
  if (expr.macro.does === 'bind') {
    yield* fromMaps(expr.result, linted, new Map([...scope, [expr.accumulator, expr.init]]));
    return;
  }
  if (expr.macro.does !== 'list') return;
  if (typeOf(linted, expr.range).kind === 'map') yield expr;
  else yield* fromMaps(expr.range, linted, scope);
  yield* fromMaps(expr.macro.transform, linted, scope);
}

function* inCall(expr: Extract<Expr, { kind: 'call' }>, linted: LintedExpression, scope: Scope): Iterable<Expr> {
  const name = functionName(expr);
  const [first, ...others] = expr.args;
  if (name === '_?_:_') for (const arm of others) yield* fromMaps(arm, linted, scope);
  else if (name === '_[_]' || name === '_[?_]') {
    if (first !== undefined && typeOf(linted, first).kind === 'list') yield* fromMaps(first, linted, scope);
  } else if (KEEPS_ORDER.has(name)) {
    if (expr.target !== undefined && !name.includes('.')) yield* fromMaps(expr.target, linted, scope);
    for (const arg of expr.args) yield* fromMaps(arg, linted, scope);
  }
}
