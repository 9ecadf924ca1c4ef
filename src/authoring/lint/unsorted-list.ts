import { phrase } from '../../core/diagnostics/index.ts';
import { type Schema, schemaAt } from '../../kubernetes/schema/index.ts';
import { type Call, type Expr, functionName, operands, valueParts } from '../../languages/cel/index.ts';
import { at, insideTemplate, type LintedExpression, type LintProblem, type Subject, typeOf } from './subject.ts';

/**
 * Reports a list from a map in a place where its order matters: maps have no order, so that kro occasionally writes
 * another one. Functions that sort, count or search the list are excluded, and so are fields that are sets or keyed
 * lists.
 */
export function* unsortedList({ expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    if (linted.place !== 'template' && linted.place !== 'status') continue;
    if (isUnordered(schemaAt(linted.node?.schema, insideTemplate(linted) ?? []))) continue;
    for (const expr of valueParts(linted.expression.parsed.root, keptBy(linted))) {
      if (expr.kind !== 'comprehension' || expr.does !== 'list') continue;
      if (typeOf(linted, expr.range).kind !== 'map') continue;
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

/** Returns the operands of a call whose order affects that of its value. */
const keptBy =
  (linted: LintedExpression) =>
  (call: Call): readonly Expr[] => {
    const [first] = call.args;
    const isOfList = first !== undefined && typeOf(linted, first).kind === 'list';
    if (call.name === '_[_]' || call.name === '_[?_]') return isOfList ? [first] : [];
    return KEEPS_ORDER.has(functionName(call)) ? operands(call) : [];
  };
