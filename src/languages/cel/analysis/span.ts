import { children, type Expr } from '../ast.ts';
import type { ParsedExpression } from '../parse/index.ts';
import { type Token, tokenize } from '../parse/lexer.ts';

/** Returns the text of any part of an expression, as written. */
export function textsOf({ source }: ParsedExpression): (part: Expr) => string {
  const tokens = tokenize(source);
  const at = new Map(tokens.map(({ offset }, index) => [offset, index]));
  return (part) => {
    const span = balanced(spanOf(part, tokens, at), tokens);
    const last = tokens[span.last];
    return last === undefined ? '' : source.slice(tokens[span.first]?.offset ?? 0, last.offset + lengthOf(last));
  };
}

/** Indexes in the list of tokens, both included. */
interface Span {
  first: number;
  last: number;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const isOp = (token: Token | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === 'op' && texts.includes(token.text);
/** A quoted name is stored without its backticks. */
const lengthOf = ({ kind, text }: Token): number => (kind === 'quoted' ? text.length + 2 : text.length);

function spanOf(part: Expr, tokens: readonly Token[], at: ReadonlyMap<number, number>): Span {
  const own = at.get(part.offset) ?? 0;
  const span: Span = { first: own, last: own };
  if (part.kind === 'literal')
    return isNegative(part) && isOp(tokens[own - 1], '-') ? { first: own - 1, last: own } : span;
  if (part.kind === 'ident') return part.name.startsWith('.') ? { first: own - 1, last: own } : span;
  // The expansion of a macro has the position of its call.
  for (const child of part.kind === 'comprehension' ? [part.range] : children(part)) {
    if (at.get(child.offset) === undefined) continue;
    const inner = spanOf(child, tokens, at);
    span.first = Math.min(span.first, inner.first);
    span.last = Math.max(span.last, inner.last);
  }
  const isNamed =
    part.kind === 'select' || part.kind === 'call' || part.kind === 'comprehension' || part.kind === 'struct';
  if (isNamed && isOp(tokens[own + 1], '(', '{')) span.last = Math.max(span.last, own + 1);
  if (part.kind === 'comprehension' && part.macro.does === 'bind') span.first = Math.max(0, own - 2);
  return balanced(
    part.kind === 'select' && part.test ? { ...span, first: startOfTest(span.first, tokens) } : span,
    tokens,
  );
}

/** Returns the start of `has(` before the tested field. */
function startOfTest(first: number, tokens: readonly Token[]): number {
  let start = first;
  while (isOp(tokens[start - 1], '(')) start -= 1;
  return tokens[start - 1]?.text === 'has' ? start - 1 : first;
}

const isNegative = (part: Extract<Expr, { kind: 'literal' }>): boolean =>
  (part.literal.type === 'int' || part.literal.type === 'double') && part.literal.value < 0;

/** Extends a span until every bracket is closed. */
function balanced({ first, last }: Span, tokens: readonly Token[]): Span {
  let start = first;
  let missing = 0;
  let open: string[] = [];
  for (let at = first; at <= last; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'op') continue;
    const closing = CLOSING[token.text];
    if (closing !== undefined) open.push(closing);
    else if (isOp(token, ')', ']', '}') && open.pop() === undefined) missing += 1;
  }
  while (missing > 0 && start > 0) {
    start -= 1;
    if (isOp(tokens[start], '(', '[', '{')) missing -= 1;
    else if (isOp(tokens[start], ')', ']', '}')) missing += 1;
  }
  let end = last;
  open = [...open];
  while (open.length > 0 && end < tokens.length - 1) {
    end += 1;
    const token = tokens[end];
    const closing = token?.kind === 'op' ? CLOSING[token.text] : undefined;
    if (closing !== undefined) open.push(closing);
    else if (isOp(token, ')', ']', '}')) open.pop();
  }
  return { first: start, last: end };
}
