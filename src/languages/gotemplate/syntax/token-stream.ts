import { TemplateError, type TemplateErrorReason } from '../fault.ts';
import type { Delimiters } from './lexer.ts';
import { Lexer } from './lexer.ts';
import { describe, type Token, type TokenType } from './tokens.ts';

/** Tokens with the lookahead of the grammar. */
export class TokenStream {
  private readonly lexer: Lexer;
  private readonly ahead: Token[] = [];
  private last: Token = { type: 'eof', offset: 0, text: '' };

  constructor(text: string, delimiters: Delimiters) {
    this.lexer = new Lexer(text, delimiters);
  }

  next(): Token {
    this.last = this.ahead.pop() ?? this.lexer.next();
    return this.last;
  }

  peek(): Token {
    const token = this.next();
    this.ahead.push(token);
    return token;
  }

  /** Puts back a token, and another one after it. */
  back(token: Token, behind?: Token): void {
    if (behind !== undefined) this.ahead.push(behind);
    this.ahead.push(token);
  }

  nextNonSpace(): Token {
    let token = this.next();
    while (token.type === 'space') token = this.next();
    return token;
  }

  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.ahead.push(token);
    return token;
  }

  expect(types: readonly TokenType[], context: string): Token {
    const token = this.nextNonSpace();
    return types.includes(token.type) ? token : this.unexpected(token, context);
  }

  unexpected(token: Token, context: string): never {
    if (token.type === 'error') throw this.error(token.text, token.offset, undefined, token.reason);
    const reason = token.type === 'char' && token.text === '\\' ? 'backslash' : undefined;
    throw this.error(`unexpected ${describe(token)} in ${context}`, token.offset, undefined, reason);
  }

  error(message: string, offset = this.last.offset, subject?: string, reason?: TemplateErrorReason): TemplateError {
    return new TemplateError('syntax', message, offset, subject, reason);
  }
}
