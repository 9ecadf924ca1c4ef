/** The grammar of CEL (https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax), by recursive descent. */
import { attempt } from '../../../core/model/attempt.ts';
import { type Expr, type ListExpr, type MapEntry, qualifiedName } from '../ast.ts';
import { findMacro } from '../macros/index.ts';
import { CelSyntaxError, type NodeFactory, nodeFactory } from './factory.ts';
import { type Recovery, tokenize } from './lexer.ts';
import { readLiteral } from './literals.ts';
import { type TokenStream, tokenStream, unexpected } from './tokens.ts';

export interface ParseLimits {
  /** The nesting of parentheses, brackets, braces, calls and unary operators. */
  maxDepth: number;
  /** The height of the syntax tree, including operator chains such as `a + b + c`. */
  maxHeight: number;
  /** In code points. */
  maxLength: number;
  maxNodes: number;
}

/** The limits of cel-go, except for the height, which later steps limit. */
export const defaultLimits: ParseLimits = { maxDepth: 250, maxHeight: 1000, maxLength: 100_000, maxNodes: 100_000 };

/** Words that cannot name a variable; after a dot they are ordinary field names. */
const RESERVED = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const RELATIONS = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);

interface Parser {
  readonly tokens: TokenStream;
  readonly make: NodeFactory;
  readonly limits: ParseLimits;
  /** Missing parts become holes, names or fields that are ''. */
  readonly recovers: boolean;
  depth: number;
}

export function parseTree(source: string, limits: ParseLimits, { recovers = false }: Recovery = {}): Expr {
  if (source.length > limits.maxLength && [...source].length > limits.maxLength) {
    throw new CelSyntaxError(`expression code point size exceeds limit: ${limits.maxLength}`, 0);
  }
  const parser: Parser = {
    tokens: tokenStream(tokenize(source, { recovers }), { recovers }),
    make: nodeFactory(limits.maxHeight),
    limits,
    recovers,
    depth: 0,
  };
  const expr = recovers ? parseAll(parser) : parseExpr(parser);
  const rest = parser.tokens.peek();
  if (rest.kind !== 'end') unexpected(rest, 'an operator or the end of the expression');
  return expr;
}

/** Parses expressions one after the other; invalid tokens are skipped. */
function parseAll(p: Parser): Expr {
  const all = [parseExpr(p)];
  while (p.tokens.peek().kind !== 'end') {
    const { offset } = p.tokens.peek();
    const next = parseExpr(p);
    all.push(next);
    if (p.tokens.peek().offset === offset) p.tokens.next();
  }
  return all.length === 1 ? (all[0] as Expr) : p.make.call(0, '', all);
}

/** Runs a rule one level deeper. */
function nested<T>(p: Parser, rule: (p: Parser) => T): T {
  if (p.depth > p.limits.maxDepth) throw tooDeep(p);
  p.depth++;
  const value = rule(p);
  p.depth--;
  return value;
}

function parseExpr(p: Parser): Expr {
  return nested(p, () => {
    if (p.make.count() > p.limits.maxNodes) {
      throw new CelSyntaxError(`expression has more than ${p.limits.maxNodes} parts`, p.tokens.peek().offset);
    }
    const condition = parseLogical(p, '||', '_||_', (inner) => parseLogical(inner, '&&', '_&&_', parseRelation));
    const question = p.tokens.take('?');
    if (question === undefined) return condition;
    const yes = parseLogical(p, '||', '_||_', (inner) => parseLogical(inner, '&&', '_&&_', parseRelation));
    p.tokens.expect(':');
    return p.make.call(question.offset, '_?_:_', [condition, yes, parseExpr(p)]);
  });
}

/** A chain of `&&` or `||` is one call, however long. */
function parseLogical(p: Parser, op: string, name: string, operand: (p: Parser) => Expr): Expr {
  const terms = [operand(p)];
  const first = p.tokens.peek();
  while (p.tokens.take(op) !== undefined) terms.push(operand(p));
  return terms.length === 1 ? (terms[0] as Expr) : p.make.call(first.offset, name, terms);
}

function parseChain(
  p: Parser,
  ops: ReadonlySet<string>,
  operand: (p: Parser) => Expr,
  name: (op: string) => string,
): Expr {
  let left = operand(p);
  for (let links = 1; ; links++) {
    const token = p.tokens.peek();
    if (token.kind !== 'op' || !ops.has(token.text)) return left;
    checkChain(p, links);
    p.tokens.next();
    left = p.make.call(token.offset, name(token.text), [left, operand(p)]);
  }
}

/** `a + b + c` and `a.b.c` count as nested, as in cel-go: their trees are as high as they are long. */
function checkChain(p: Parser, links: number): void {
  if (p.depth + links > p.limits.maxDepth + 1) throw tooDeep(p);
}

const tooDeep = (p: Parser): CelSyntaxError =>
  new CelSyntaxError(`expression recursion limit exceeded: ${p.limits.maxDepth}`, p.tokens.peek().offset);

const infix = (op: string): string => (op === 'in' ? '@in' : `_${op}_`);
const SUMS = new Set(['+', '-']);
const PRODUCTS = new Set(['*', '/', '%']);

const parseRelation = (p: Parser): Expr => parseChain(p, RELATIONS, parseSum, infix);
const parseSum = (p: Parser): Expr => parseChain(p, SUMS, parseProduct, infix);
const parseProduct = (p: Parser): Expr => parseChain(p, PRODUCTS, parseUnary, infix);

/** An even number of signs cancels out, as in cel-go; of several minus signs none belongs to the number. */
function parseUnary(p: Parser): Expr {
  const op = p.tokens.peek();
  if (op.kind !== 'op' || (op.text !== '!' && op.text !== '-')) return parseMember(p);
  let count = 0;
  while (p.tokens.at(op.text) && !(op.text === '-' && count === 0 && signedNumberNext(p))) {
    p.tokens.next();
    count++;
  }
  const operand = parseMember(p);
  return count % 2 === 0 ? operand : p.make.call(op.offset, op.text === '!' ? '!_' : '-_', [operand]);
}

/** Reports whether a minus sign and a number follow: they are one literal. */
function signedNumberNext(p: Parser): boolean {
  const { kind } = p.tokens.peek(1);
  return p.tokens.at('-') && (kind === 'int' || kind === 'double');
}

function parseMember(p: Parser): Expr {
  let expr = parsePrimary(p);
  for (let links = 1; ; links++) {
    const token = p.tokens.peek();
    if (p.tokens.at('.') || p.tokens.at('[')) checkChain(p, links);
    if (p.tokens.take('.') !== undefined) {
      expr = parseSelection(p, expr, token.offset + 1);
    } else if (p.tokens.take('[') !== undefined) {
      const name = p.tokens.take('?') === undefined ? '_[_]' : '_[?_]';
      expr = p.make.call(token.offset, name, [expr, parseExpr(p)]);
      p.tokens.expect(']');
    } else if (p.tokens.at('{') && qualifiedName(expr) !== undefined) {
      expr = parseStruct(p, qualifiedName(expr) ?? '', expr.offset);
    } else {
      return expr;
    }
  }
}

function parseSelection(p: Parser, operand: Expr, behindDot: number): Expr {
  const question = p.tokens.take('?');
  const optional = question !== undefined;
  const name = p.tokens.peek();
  if (name.kind !== 'ident' && name.kind !== 'quoted') {
    if (!p.recovers) unexpected(name, 'a field name');
    return p.make.select(question ? question.offset + 1 : behindDot, operand, '', optional ? 'optional' : 'plain');
  }
  p.tokens.next();
  if (!optional && name.kind === 'ident' && p.tokens.take('(') !== undefined) {
    return parseCall(p, name.text, name.offset, operand);
  }
  return p.make.select(name.offset, operand, name.text, optional ? 'optional' : 'plain');
}

function parseCall(p: Parser, name: string, offset: number, target: Expr | undefined): Expr {
  const args = parseItems(p, ')', parseExpr, false);
  const macro = findMacro(name, args.length, target !== undefined);
  const expand = (): Expr | undefined => macro?.({ offset, target, args, make: p.make });
  const expanded = p.recovers ? attempt(expand, CelSyntaxError) : expand();
  return expanded ?? p.make.call(offset, name, args, target);
}

/** Parses comma-separated items up to and including the closing bracket. */
function parseItems<T>(p: Parser, close: string, item: (p: Parser) => T, trailingComma: boolean): T[] {
  const items: T[] = [];
  if (trailingComma && p.tokens.at(',') && p.tokens.peek(1).text === close) p.tokens.next();
  while (!p.tokens.at(close)) {
    items.push(item(p));
    if (p.tokens.take(',') === undefined) break;
    if (!trailingComma && p.tokens.at(close)) {
      if (!p.recovers) unexpected(p.tokens.peek(), 'an argument');
      items.push(item(p));
    }
  }
  p.tokens.expect(close);
  return items;
}

function parsePrimary(p: Parser): Expr {
  const token = p.tokens.peek();
  if (token.kind === 'ident') return parseName(p, '');
  if (token.kind !== 'op') return token.kind === 'end' || token.kind === 'quoted' ? wanted(p) : parseLiteral(p, false);
  switch (token.text) {
    case '.':
      p.tokens.next();
      return parseName(p, '.');
    case '(':
      return parseParentheses(p);
    case '[':
      p.tokens.next();
      return p.make.list(token.offset, parseItems(p, ']', parseElement, true));
    case '{':
      p.tokens.next();
      return p.make.map(token.offset, parseItems(p, '}', parseEntry, true));
    case '-':
      return signedNumberNext(p) ? parseLiteral(p, p.tokens.next() !== undefined) : wanted(p);
    case 'true':
    case 'false':
      p.tokens.next();
      return p.make.literal(token.offset, { type: 'bool', value: token.text === 'true' });
    case 'null':
      p.tokens.next();
      return p.make.literal(token.offset, { type: 'null', value: null });
    default:
      return wanted(p);
  }
}

const wanted = (p: Parser): Expr =>
  p.recovers ? p.make.ident(p.tokens.peek().offset, '') : unexpected(p.tokens.peek(), 'a value');

function parseLiteral(p: Parser, negative: boolean): Expr {
  const token = p.tokens.next();
  const literal = p.recovers
    ? attempt(() => readLiteral(token, negative), CelSyntaxError)
    : readLiteral(token, negative);
  return p.make.literal(token.offset, literal ?? { type: 'string', value: '' });
}

function parseParentheses(p: Parser): Expr {
  p.tokens.expect('(');
  const expr = parseExpr(p);
  p.tokens.expect(')');
  return expr;
}

function parseName(p: Parser, dot: string): Expr {
  const token = p.tokens.expectKind('ident', 'a name');
  if (RESERVED.has(token.text) && !p.recovers)
    throw new CelSyntaxError(`reserved identifier: ${token.text}`, token.offset);
  if (p.tokens.take('(') !== undefined) return parseCall(p, dot + token.text, token.offset, undefined);
  return p.make.ident(token.offset, dot + token.text);
}

function parseElement(p: Parser): ListExpr['elements'][number] {
  const optional = p.tokens.take('?') !== undefined;
  return { value: parseExpr(p), optional };
}

function parseEntry(p: Parser): MapEntry {
  const optional = p.tokens.take('?') !== undefined;
  const key = parseExpr(p);
  p.tokens.expect(':');
  return { key, value: parseExpr(p), optional };
}

function parseStruct(p: Parser, name: string, offset: number): Expr {
  p.tokens.expect('{');
  const fields = parseItems(
    p,
    '}',
    () => {
      const optional = p.tokens.take('?') !== undefined;
      const field = p.tokens.peek();
      const isName = field.kind === 'ident' || field.kind === 'quoted';
      if (!isName && !p.recovers) unexpected(field, 'a field name');
      if (isName) p.tokens.next();
      p.tokens.expect(':');
      return { name: field.text, value: parseExpr(p), optional };
    },
    true,
  );
  return p.make.struct(offset, name, fields);
}
