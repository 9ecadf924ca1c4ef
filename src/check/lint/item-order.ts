import table from '../../../data/lints.json';
import { phrase, shown } from '../../core/diagnostics/index.ts';
import type { CompiledExpression } from '../../kro/compile/index.ts';
import { type Schema, schemaAt } from '../../kubernetes/schema/index.ts';
import { type Call, type Expr, functionName, operands, valueParts } from '../../languages/cel/index.ts';
import { at, insideTemplate, type LintedExpression, type LintProblem, type Subject, typeOf } from './subject.ts';

/** Reports a list from a map, whose order varies, unless it is sorted, counted, searched, or a set. */
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
const KEEPS_ORDER = new Set(table.keepsOrder);

/** Returns the operands of a call whose order affects that of its value. */
const keptBy =
  (linted: LintedExpression) =>
  (call: Call): readonly Expr[] => {
    const [first] = call.args;
    const isOfList = first !== undefined && typeOf(linted, first).kind === 'list';
    if (call.name === '_[_]' || call.name === '_[?_]') return isOfList ? [first] : [];
    return KEEPS_ORDER.has(functionName(call)) ? operands(call) : [];
  };

/** Functions whose value depends on their receiver and arguments. */
const USES_ALL_ARGUMENTS = new Set(table.usesAllArguments);

/** Functions whose value depends on their receiver only. */
const USES_TARGET = new Set(table.usesTarget);

function usedOperands(call: Call): readonly Expr[] {
  const name = functionName(call);
  if (USES_ALL_ARGUMENTS.has(name) || name.startsWith('hash.')) return operands(call);
  return USES_TARGET.has(name) && call.target !== undefined ? [call.target] : [];
}

/** Reports a name with the index or number of items: if one is removed, others are renamed, so created again. */
export function* indexIdentity({ expressions }: Subject): Iterable<LintProblem> {
  const found = expressions.filter(({ place }) => place === 'forEach');
  const lists = new Map(found.map((list) => [list.expression, list]));
  for (const linted of expressions) {
    const [metadata, field, ...rest] = insideTemplate(linted) ?? [];
    if (metadata !== 'metadata' || (field !== 'name' && field !== 'namespace') || rest.length > 0) continue;
    for (const part of valueParts(linted.expression.parsed.root, usedOperands)) {
      const what = isCount(part, linted) ? 'the number of items' : indexOf(part, linted, lists);
      if (what === undefined) continue;
      const message = phrase`the ${{ field: shown(field) }} depends on ${what}: if an item is removed, other objects are deleted and created again`;
      yield at(linted, part, message, phrase`use a property of the item, such as its name`);
      break;
    }
  }
}

/** Reports whether a part is the size of a list or a map, and not of a text. */
function isCount(part: Expr, linted: LintedExpression): boolean {
  if (part.kind !== 'call' || part.name !== 'size') return false;
  const counted = part.target ?? part.args[0];
  return counted !== undefined && ['list', 'map'].includes(typeOf(linted, counted).kind);
}

/** Reports whether a part is an iterator over indexes, or a field of one that contains an index. */
function indexOf(
  part: Expr,
  { node, expression }: LintedExpression,
  lists: ReadonlyMap<CompiledExpression, LintedExpression>,
): string | undefined {
  const root = part.kind === 'select' ? part.operand : part;
  if (root.kind !== 'ident' || !expression.names.includes(root.name)) return undefined;
  const dimension = node?.forEach.find(({ name }) => name === root.name);
  const list = dimension && lists.get(dimension.expression);
  if (list === undefined) return undefined;
  const { root: source } = list.expression.parsed;
  const isIndex = part.kind === 'select' ? holdsIndex(source, part.field, list) : isRangeOfCount(source, list);
  return isIndex ? 'the index of an item' : undefined;
}

/** `lists.range(size(schema.spec.hosts))` */
function isRangeOfCount(source: Expr, list: LintedExpression): boolean {
  if (source.kind !== 'call' || functionName(source) !== 'lists.range') return false;
  const [end] = source.args;
  return end !== undefined && [...valueParts(end, usedOperands)].some((part) => isCount(part, list));
}

/** `schema.spec.hosts.transformList(i, host, {"index": i, ...})` */
function holdsIndex(source: Expr, field: string, list: LintedExpression): boolean {
  if (source.kind !== 'comprehension' || source.does !== 'list' || source.variable2 === undefined) return false;
  const { body } = source;
  if (typeOf(list, source.range).kind !== 'list' || body.kind !== 'map') return false;
  const entry = body.entries.find(({ key }) => key.kind === 'literal' && key.literal.value === field);
  if (entry === undefined) return false;
  return [...valueParts(entry.value, usedOperands)].some(
    (part) => part.kind === 'ident' && part.name === source.variable,
  );
}
