/** The grammar of CEL (https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax), by recursive descent. */
import { attempt } from '../../../core/model/attempt.ts';
import {
  type CelIssue,
  type Expr,
  type ListExpr,
  type LiteralValue,
  type MapEntry,
  type Parts,
  qualifiedName,
  type StructExpr,
} from '../ast.ts';
import { syntaxHint } from '../hints.ts';
import { expandMacro } from '../macros/index.ts';
import { CelSyntaxError, type Recovery, type Token, tokenize, tokenStream, unexpected } from './lexer.ts';
import { make, operation, type Parser, readLiteral } from './make.ts';

/** cel-go's limit of code points. A tree has fewer nodes. */
const MAX_LENGTH = 100_000;
/** cel-go's limit of nested parentheses, brackets, braces, calls, unary operators and links of a chain. */
const MAX_DEPTH = 250;

/** Words that cannot name a variable; after a dot they are ordinary field names. */
const RESERVED = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const RELATIONS = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);

export interface ParsedExpression {
  readonly source: string;
  readonly root: Expr;
}

type ParseResult = { ok: true; expression: ParsedExpression } | { ok: false; issue: CelIssue };

/** Parses an expression; stops at the first error, because later ones would depend on it. */
export function parse(source: string): ParseResult {
  try {
    return { ok: true, expression: { source, root: parseTree(source) } };
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    const hint = syntaxHint(source, error.offset);
    return { ok: false, issue: { message: error.message, offset: error.offset, ...(hint !== undefined && { hint }) } };
  }
}

/** Parses an incomplete expression: missing names and fields are ''. `undefined` if it is too deep or too long. */
export function parseRecovering(source: string): ParsedExpression | undefined {
  const root = attempt(() => parseTree(source, { recovers: true }), CelSyntaxError);
  return root && { source, root };
}

function parseTree(source: string, { recovers = false }: Recovery = {}): Expr {
  if (source.length > MAX_LENGTH && [...source].length > MAX_LENGTH) {
    throw new CelSyntaxError(`expression code point size exceeds limit: ${MAX_LENGTH}`, 0);
  }
  const parser = { tokens: tokenStream(tokenize(source, { recovers }), recovers), recovers, depth: 0, nodes: 0 };
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
  return all.length === 1 ? (all[0] as Expr) : operation(p, 0, '', all);
}

function parseExpr(p: Parser): Expr {
  const { offset: start } = p.tokens.peek();
  if (p.depth > MAX_DEPTH) throw tooDeep(p);
  p.depth++;
  let expr = parseOr(p);
  const question = p.tokens.take('?');
  if (question !== undefined) {
    const yes = parseOr(p);
    p.tokens.expect(':');
    expr = operation(p, question.offset, '_?_:_', [expr, yes, parseExpr(p)], start);
  }
  p.depth--;
  return expr;
}

const parseOr = (p: Parser): Expr => parseLogical(p, '||', parseAnd);
const parseAnd = (p: Parser): Expr => parseLogical(p, '&&', parseRelation);

/** A chain of `&&` or `||` is one call, however long. */
function parseLogical(p: Parser, op: string, operand: (p: Parser) => Expr): Expr {
  const { offset: start } = p.tokens.peek();
  const first = operand(p);
  const { offset } = p.tokens.peek();
  const terms = [first];
  while (p.tokens.take(op) !== undefined) terms.push(operand(p));
  return terms.length === 1 ? first : operation(p, offset, infix(op), terms, start);
}

function parseChain(p: Parser, ops: ReadonlySet<string>, operand: (p: Parser) => Expr): Expr {
  const { offset: start } = p.tokens.peek();
  let left = operand(p);
  for (let links = 1; ; links++) {
    const token = p.tokens.peek();
    if (token.kind !== 'op' || !ops.has(token.text)) return left;
    checkChain(p, links);
    p.tokens.next();
    left = operation(p, token.offset, infix(token.text), [left, operand(p)], start);
  }
}

/** `a + b + c` and `a.b.c` count as nested, as in cel-go: their trees are as high as they are long. */
function checkChain(p: Parser, links: number): void {
  if (p.depth + links > MAX_DEPTH + 1) throw tooDeep(p);
}

const tooDeep = (p: Parser): CelSyntaxError =>
  new CelSyntaxError(`expression recursion limit exceeded: ${MAX_DEPTH}`, p.tokens.peek().offset);

const infix = (op: string): string => (op === 'in' ? '@in' : `_${op}_`);
const SUMS = new Set(['+', '-']);
const PRODUCTS = new Set(['*', '/', '%']);

const parseRelation = (p: Parser): Expr => parseChain(p, RELATIONS, parseSum);
const parseSum = (p: Parser): Expr => parseChain(p, SUMS, parseProduct);
const parseProduct = (p: Parser): Expr => parseChain(p, PRODUCTS, parseUnary);

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
  return count % 2 === 0 ? operand : operation(p, op.offset, `${op.text}_`, [operand]);
}

/** Reports whether a minus sign and a number follow: they are one literal. */
function signedNumberNext(p: Parser): boolean {
  const { kind } = p.tokens.peek(1);
  return p.tokens.at('-') && (kind === 'int' || kind === 'double');
}

function parseMember(p: Parser): Expr {
  const { offset: start } = p.tokens.peek();
  let expr = parsePrimary(p);
  for (let links = 1; ; links++) {
    const { offset } = p.tokens.peek();
    if (p.tokens.at('.') || p.tokens.at('[')) checkChain(p, links);
    if (p.tokens.take('.') !== undefined) {
      expr = parseSelection(p, expr, start);
    } else if (p.tokens.take('[') !== undefined) {
      const name = p.tokens.take('?') === undefined ? '_[_]' : '_[?_]';
      const index = parseExpr(p);
      p.tokens.expect(']');
      expr = operation(p, offset, name, [expr, index], start);
    } else {
      const name = p.tokens.at('{') ? qualifiedName(expr) : undefined;
      if (name === undefined) return expr;
      p.tokens.expect('{');
      expr = make(p, expr.offset, { kind: 'struct', name, fields: parseItems(p, '}', parseField, true) }, start);
    }
  }
}

/** Reads a name that may be quoted; a missing one is '' behind the last token. */
function fieldName(p: Parser): Pick<Token, 'kind' | 'text' | 'offset'> {
  const name = p.tokens.peek();
  if (name.kind === 'ident' || name.kind === 'quoted') return p.tokens.next();
  return p.recovers ? { kind: 'end', text: '', offset: p.tokens.end() } : unexpected(name, 'a field name');
}

const isOptional = (p: Parser): boolean => p.tokens.take('?') !== undefined;

function parseSelection(p: Parser, operand: Expr, start: number): Expr {
  const optional = isOptional(p);
  const { kind, text: field, offset } = fieldName(p);
  if (!optional && kind === 'ident' && p.tokens.take('(') !== undefined) {
    return parseCall(p, field, offset, start, operand);
  }
  return make(p, offset, { kind: 'select', operand, field, optional, test: false }, start);
}

function parseCall(p: Parser, name: string, offset: number, start: number, target?: Expr): Expr {
  const args = parseItems(p, ')', parseExpr, false);
  const create = (parts: Parts, at = offset): Expr => make(p, at, parts, start);
  const expand = (): Expr | undefined => expandMacro(name, { offset, make: create }, args, target);
  const expanded = p.recovers ? attempt(expand, CelSyntaxError) : expand();
  return expanded ?? create({ kind: 'call', name, target, args });
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

const CONSTANTS: Readonly<Record<'true' | 'false' | 'null', LiteralValue>> = {
  true: { type: 'bool', value: true },
  false: { type: 'bool', value: false },
  null: { type: 'null', value: null },
};

function parsePrimary(p: Parser): Expr {
  const token = p.tokens.peek();
  if (token.kind === 'ident') return parseName(p, '');
  if (token.kind !== 'op') return token.kind === 'end' || token.kind === 'quoted' ? wanted(p) : parseLiteral(p, false);
  switch (token.text) {
    case '.':
      p.tokens.next();
      return parseName(p, '.');
    case '(': {
      p.tokens.next();
      const inner = parseExpr(p);
      p.tokens.expect(')');
      return inner;
    }
    case '[':
      p.tokens.next();
      return make(p, token.offset, { kind: 'list', elements: parseItems(p, ']', parseElement, true) });
    case '{':
      p.tokens.next();
      return make(p, token.offset, { kind: 'map', entries: parseItems(p, '}', parseEntry, true) });
    case '-':
      return signedNumberNext(p) ? parseLiteral(p, p.tokens.next() !== undefined) : wanted(p);
    case 'true':
    case 'false':
    case 'null':
      p.tokens.next();
      return make(p, token.offset, { kind: 'literal', literal: CONSTANTS[token.text] });
    default:
      return wanted(p);
  }
}

const wanted = (p: Parser): Expr =>
  p.recovers ? make(p, p.tokens.peek().offset, { kind: 'ident', name: '' }) : unexpected(p.tokens.peek(), 'a value');

function parseLiteral(p: Parser, negative: boolean): Expr {
  const start = p.tokens.end();
  const token = p.tokens.next();
  const read = () => readLiteral(token, negative);
  const literal = p.recovers ? attempt(read, CelSyntaxError) : read();
  const parts: Parts = { kind: 'literal', literal: literal ?? { type: 'string', value: '' } };
  return make(p, token.offset, parts, negative ? start - 1 : token.offset);
}

function parseName(p: Parser, dot: string): Expr {
  const start = dot === '' ? p.tokens.peek().offset : p.tokens.end() - 1;
  const token = p.tokens.expectKind('ident', 'a name');
  if (RESERVED.has(token.text) && !p.recovers)
    throw new CelSyntaxError(`reserved identifier: ${token.text}`, token.offset);
  const name = dot + token.text;
  if (p.tokens.take('(') !== undefined) return parseCall(p, name, token.offset, start);
  return make(p, token.offset, { kind: 'ident', name }, start);
}

function parseElement(p: Parser): ListExpr['elements'][number] {
  return { optional: isOptional(p), value: parseExpr(p) };
}

function parseEntry(p: Parser): MapEntry {
  const optional = isOptional(p);
  const key = parseExpr(p);
  p.tokens.expect(':');
  return { key, value: parseExpr(p), optional };
}

function parseField(p: Parser): StructExpr['fields'][number] {
  const optional = isOptional(p);
  const { text: name } = fieldName(p);
  p.tokens.expect(':');
  return { name, value: parseExpr(p), optional };
}
