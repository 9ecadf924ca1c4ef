import { CelSyntaxError } from './factory.ts';
import type { Recovery, Token, TokenKind } from './lexer.ts';

/** A position in the list of tokens. */
export interface TokenStream {
  peek(ahead?: number): Token;
  next(): Token;
  /** Reports whether the next token is this operator or bracket. */
  at(op: string): boolean;
  /** Consumes the operator if it is next. */
  take(op: string): Token | undefined;
  expect(op: string): Token;
  expectKind(kind: TokenKind, what: string): Token;
}

/** With `recovers`, a missing expected token is assumed, and nothing is skipped. */
export function tokenStream(tokens: readonly Token[], { recovers = false }: Recovery = {}): TokenStream {
  const end = tokens.at(-1) as Token;
  let position = 0;
  const peek = (ahead = 0): Token => tokens[position + ahead] ?? end;
  const at = (op: string): boolean => peek().kind === 'op' && peek().text === op;
  const next = (): Token => {
    const token = peek();
    position++;
    return token;
  };
  const missing = (kind: TokenKind, text: string, wanted: string): Token =>
    recovers ? { kind, text, offset: peek().offset } : unexpected(peek(), wanted);
  return {
    peek,
    next,
    at,
    take: (op) => (at(op) ? next() : undefined),
    expect: (op) => (at(op) ? next() : missing('op', op, `'${op}'`)),
    expectKind: (kind, what) => (peek().kind === kind ? next() : missing(kind, '', what)),
  };
}

export function unexpected(token: Token, wanted: string): never {
  const found = token.kind === 'end' ? 'the end of the expression' : `'${token.text}'`;
  throw new CelSyntaxError(`Syntax error: unexpected ${found}, expected ${wanted}`, token.offset);
}
