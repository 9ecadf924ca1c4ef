import { ownValue, type Value } from '../../core/model/value.ts';
import {
  type CelType,
  type Expr,
  type InspectedExpression,
  subExpressions,
  type Token,
} from '../../languages/cel/index.ts';
import { fieldNamed, type TypedObjectField, unwrapped } from './types.ts';

/** The kinds of types that a value may have. */
export type Expected = ReadonlySet<CelType['kind']>;

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
/** The operators whose operands are booleans. */
const LOGIC: ReadonlySet<string> = new Set(['!', '&&', '||']);

/** Returns 0 for a type that is expected, 1 for one that leads to others or is unknown, and 2 for the rest. */
export function fitOf(type: CelType, expected: Expected | undefined): number {
  const { kind } = unwrapped(type);
  if (expected === undefined || kind === 'dyn') return 1;
  if (expected.has(kind)) return 0;
  return kind === 'object' || kind === 'map' ? 1 : 2;
}

/**
 * Returns the types of the operand that begins before an offset: those of the other side of a comparison or a sum, a
 * boolean after an operator of logic, or those of the expression if nothing else is written before it.
 */
export function expectedAt(
  inspected: InspectedExpression,
  tokens: readonly Token[],
  start: number,
  whole: Expected | undefined,
): Expected | undefined {
  const first = startOfChain(tokens, start);
  const operator = tokens[first - 1];
  if (operator === undefined) return whole;
  if (LOGIC.has(operator.text)) return new Set(['bool']);
  if (operator.text === '?' && !isDot(tokens, first - 1)) return whole;
  if (!COMPARISONS.has(operator.text) && operator.text !== '+') return undefined;
  const type = typeEndingAt(inspected, tokens, first - 2);
  return type === undefined || type.kind === 'dyn' ? undefined : new Set([unwrapped(type).kind]);
}

/** Returns the index of the first token of the names, calls, indexes and dots before an offset. */
function startOfChain(tokens: readonly Token[], start: number): number {
  let at = tokens.findIndex(({ offset, kind }) => kind === 'end' || offset >= start);
  if (at < 0) at = tokens.length;
  while (isDot(tokens, at - 1) && at > 1) at = startOfOperand(tokens, at - (tokens[at - 1]?.text === '?' ? 3 : 2));
  return Math.max(at, 0);
}

const OPENS: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** Returns the index of the first token of a name with its arguments and indexes, whose last token has an index. */
function startOfOperand(tokens: readonly Token[], last: number): number {
  let at = last;
  for (;;) {
    const close = tokens[at]?.text ?? '';
    const open = ownValue(OPENS, close);
    if (open === undefined) return at;
    let depth = 0;
    for (; at >= 0; at -= 1) {
      const text = tokens[at]?.text;
      if (text === close) depth += 1;
      if (text === open) depth -= 1;
      if (depth === 0) break;
    }
    // A list or an expression in parentheses has no name before it.
    if (at < 1 || !/^[A-Za-z_)\]]/.test(tokens[at - 1]?.text ?? '')) return Math.max(at, 0);
    at -= 1;
  }
}

/** Reports whether a token is a dot, or the question mark after it. */
const isDot = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.text === '.' || (tokens[at]?.text === '?' && tokens[at - 1]?.text === '.');

/** Returns the field whose name is a token. */
function fieldEndingAt(
  inspected: InspectedExpression,
  tokens: readonly Token[],
  at: number,
): TypedObjectField | undefined {
  const name = tokens[at];
  const select = name && exprAt(inspected.parsed.root, (one) => one.kind === 'select' && one.offset === name.offset);
  if (select?.kind !== 'select') return undefined;
  const type = inspected.types.get(select.operand.id);
  return type && fieldNamed(unwrapped(type), select.field);
}

function typeEndingAt(inspected: InspectedExpression, tokens: readonly Token[], at: number): CelType | undefined {
  const field = fieldEndingAt(inspected, tokens, at);
  if (field !== undefined) return field.type;
  const name = tokens[at];
  const ident = name && exprAt(inspected.parsed.root, (one) => one.kind === 'ident' && one.offset === name.offset);
  return ident && inspected.types.get(ident.id);
}

const exprAt = (root: Expr, is: (expr: Expr) => boolean): Expr | undefined => [...subExpressions(root)].find(is);

/** Returns the values of the enum that is compared with what begins at an offset: `size == `, or `size in [`. */
export function enumBefore(inspected: InspectedExpression, tokens: readonly Token[], start: number): readonly Value[] {
  const before = tokens.findLastIndex(({ offset, kind, text }) => kind !== 'end' && offset + text.length <= start);
  const operator = operatorAt(tokens, before);
  const field = operator === undefined ? undefined : fieldEndingAt(inspected, tokens, operator - 1);
  return field?.schema?.enum ?? [];
}

/** Returns the index of the operator of an equation or of `in`, also inside its list. */
function operatorAt(tokens: readonly Token[], at: number): number | undefined {
  const text = tokens[at]?.text;
  if (text === '==' || text === '!=') return at;
  const open = tokens.findLastIndex((token, index) => index <= at && token.text === '[');
  if (open < 0 || tokens[open - 1]?.text !== 'in') return undefined;
  const isList = tokens.slice(open + 1, at + 1).every(({ kind, text: one }) => kind === 'string' || one === ',');
  return isList ? open - 1 : undefined;
}
