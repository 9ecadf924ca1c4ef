import { ownValue } from '../../../core/model/value.ts';
import { isPrintable } from '../../../core/text/go-text.ts';
import { TemplateError, type TemplateErrorReason } from '../fault.ts';

const KEYWORDS = [
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
] as const;
type Keyword = (typeof KEYWORDS)[number];
const isKeyword = (word: string): word is Keyword => KEYWORDS.some((one) => one === word);

/** The tokens of a template. A keyword is a separate type. */
export type TokenType =
  | ('error' | 'eof' | 'text' | 'left delimiter' | 'right delimiter')
  | ('char' | 'char constant' | 'complex' | 'bool' | 'number' | 'string' | 'raw string')
  | ('=' | ':=' | '|' | '(' | ')' | '.' | 'field' | 'identifier' | 'variable')
  | Keyword;

export interface Token {
  type: TokenType;
  /** Where it starts, in UTF-16 units. */
  offset: number;
  /** Its text; for an error the message. */
  text: string;
  /** There are spaces before it, in an action. */
  spaced: boolean;
  /** Of an error. */
  reason?: TemplateErrorReason | undefined;
}

const SHOWN = 10;

/** Returns the name of a token in Go's messages. */
export function describe({ type, text }: Token): string {
  if (type === 'eof') return 'EOF';
  if (type === 'error') return text;
  if (isKeyword(type)) return `<${text}>`;
  return text.length > SHOWN ? `${JSON.stringify(text.slice(0, SHOWN))}...` : JSON.stringify(text);
}

const SPACES = /[ \t\r\n]*/y;
const SPACE = /[ \t\r\n]/;
const LEFT_MARKER = /-[ \t\r\n]/y;
const COMMENT = /\/\*[\s\S]*?\*\//y;
const LETTER = /[\p{L}\p{Nd}_]/uy;
const WORD = /[\p{L}\p{Nd}_]+/uy;
const NUMBER =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;

/** Literals by their quote, with escapes of one character. */
const LITERALS: Readonly<Record<string, readonly [RegExp, TokenType, string, TemplateErrorReason]>> = {
  '"': [/"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"/y, 'string', 'unterminated quoted string', 'open-text'],
  "'": [/'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*'/y, 'char constant', 'unterminated character constant', 'open-text'],
  '`': [/`[^`]*`/y, 'raw string', 'unterminated raw quoted string', 'open-raw-text'],
};

export interface Delimiters {
  left: string;
  right: string;
}

/** Splits a template into tokens on demand of the parser, so that the first of two errors is found: nothing follows it. */
class Lexer {
  private at = 0;
  private start = 0;
  private spaced = false;
  private parentheses = 0;
  private readonly left: string;
  /** A right delimiter, with a marker if it trims the text after it. */
  private readonly closing: RegExp;
  /** What may follow a word. */
  private readonly terminator: RegExp;

  constructor(
    private readonly text: string,
    { left, right }: Delimiters,
  ) {
    const quoted = right.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    this.left = left;
    this.closing = new RegExp(`([ \\t\\r\\n]-)?${quoted}`, 'y');
    this.terminator = new RegExp(`$|[ \\t\\r\\n.,|:)(]|${quoted}`, 'y');
  }

  *tokens(): Generator<Token, Token> {
    const { text, left } = this;
    for (let found = text.indexOf(left); found >= 0; found = text.indexOf(left, this.at)) {
      this.at = found + left.length;
      const isTrimmed = this.take(LEFT_MARKER) !== undefined;
      const inside = this.at;
      this.at = found;
      while (isTrimmed && this.at > this.start && SPACE.test(text.charAt(this.at - 1))) this.at--;
      if (this.at > this.start) yield this.token('text');
      const opening: Token = { type: 'left delimiter', offset: found, text: left, spaced: false };
      this.at = inside;
      this.start = inside;
      let token = text.startsWith('/*', inside) ? this.comment() : opening;
      this.parentheses = 0;
      while (token !== undefined && token.type !== 'right delimiter') {
        if (token.type === 'error') return token;
        yield token;
        token = this.inAction();
      }
      if (token !== undefined) yield token;
    }
    this.at = text.length;
    if (this.at > this.start) yield this.token('text');
    return this.token('eof');
  }

  private token(type: TokenType): Token {
    const token = { type, offset: this.start, text: this.text.slice(this.start, this.at), spaced: this.spaced };
    this.start = this.at;
    return token;
  }

  private error(text: string, reason?: TemplateErrorReason, offset = this.start): Token {
    return { type: 'error', offset, text, reason, spaced: this.spaced };
  }

  private take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }

  private skip(pattern: RegExp): void {
    this.take(pattern);
    this.start = this.at;
  }

  private comment(): Token | undefined {
    if (this.take(COMMENT) === undefined) return this.error('unclosed comment');
    const closing = this.take(this.closing);
    if (closing === undefined) return this.error('comment ends before closing delimiter');
    this.start = this.at;
    if (closing[1] !== undefined) this.skip(SPACES);
    return undefined;
  }

  private inAction(): Token {
    this.spaces();
    const closing = this.take(this.closing);
    if (closing !== undefined) return this.closeAction(closing);
    if (this.at === this.text.length) return this.error('unclosed action', 'unclosed-action');
    const char = this.character();
    const literal = ownValue(LITERALS, char);
    if (literal !== undefined) {
      const [pattern, type, unterminated, reason] = literal;
      return this.take(pattern) === undefined ? this.error(unterminated, reason) : this.token(type);
    }
    if (/^(?:[0-9+-]|\.[0-9])/.test(this.text.slice(this.at, this.at + 2))) return this.number();
    if (this.take(WORD) !== undefined) return this.identifier();
    this.at += char.length;
    return this.symbol(char);
  }

  /** Skips spaces; the last one may belong to the right delimiter. */
  private spaces(): void {
    const { start } = this;
    this.skip(SPACES);
    this.spaced = this.at > start;
    this.closing.lastIndex = this.at - 1;
    if (this.spaced && this.closing.exec(this.text)?.[1] !== undefined) this.start = --this.at;
  }

  private closeAction([whole, marker = '']: RegExpExecArray): Token {
    if (this.parentheses > 0) return this.error('unclosed left paren');
    this.start = this.at - whole.length + marker.length;
    const token = this.token('right delimiter');
    if (marker !== '') this.skip(SPACES);
    return token;
  }

  private symbol(char: string): Token {
    switch (char) {
      case '=':
      case '|':
        return this.token(char);
      case ':':
        return this.take(/=/y) === undefined ? this.error('expected :=', 'colon') : this.token(':=');
      case '$':
      case '.':
        return this.name(char === '$' ? 'variable' : 'field');
      case '(':
        this.parentheses++;
        return this.token('(');
      case ')':
        return --this.parentheses < 0 ? this.error('unexpected right paren') : this.token(')');
      default:
        return char < '\x80' && isPrintable(char)
          ? this.token('char')
          : this.error(`unrecognized character in action: ${unicodeName(char)}`, 'unknown-character');
    }
  }

  /** Reads a field or a variable after its first character. */
  private name(type: 'field' | 'variable'): Token {
    const isBare = this.take(WORD) === undefined;
    if (!this.isTerminated()) return this.badCharacter();
    return this.token(isBare && type === 'field' ? '.' : type);
  }

  private identifier(): Token {
    if (!this.isTerminated()) return this.badCharacter();
    const word = this.text.slice(this.start, this.at);
    if (isKeyword(word)) return this.token(word);
    return this.token(word === 'true' || word === 'false' ? 'bool' : 'identifier');
  }

  private isTerminated(): boolean {
    this.terminator.lastIndex = this.at;
    return this.terminator.test(this.text);
  }

  private badCharacter(): Token {
    const char = this.character();
    return this.error(`bad character ${unicodeName(char)}`, char === '-' ? 'dash' : undefined, this.at);
  }

  private character(): string {
    return String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
  }

  /** Reads a number; two numbers of which the second is imaginary are a complex one. */
  private number(): Token {
    const isNumber = (): boolean => this.take(NUMBER) !== undefined && this.take(LETTER) === undefined;
    const isReal = isNumber();
    if (isReal && !/[+-]/.test(this.text.charAt(this.at))) return this.token('number');
    if (isReal && isNumber() && this.text[this.at - 1] === 'i') return this.token('complex');
    return this.error(`bad number syntax: ${JSON.stringify(this.text.slice(this.start, this.at))}`, 'bad-number');
  }
}

/** Go's %#U: `U+0040 '@'`. */
function unicodeName(char: string): string {
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return isPrintable(char) ? `${code} '${char}'` : code;
}

/** Tokens with the lookahead of the grammar. */
export class TokenStream {
  private readonly tokens: Generator<Token, Token>;
  private readonly ahead: Token[] = [];
  /** The token that was read last. */
  private last: Token | undefined;

  constructor(text: string, delimiters: Delimiters) {
    this.tokens = new Lexer(text, delimiters).tokens();
  }

  protected peek(distance = 0): Token {
    while (this.ahead.length <= distance) this.ahead.push(this.tokens.next().value);
    this.last = this.ahead[distance] as Token;
    return this.last;
  }

  protected next(): Token {
    const token = this.peek();
    this.ahead.shift();
    return token;
  }

  protected back(token: Token): void {
    this.ahead.unshift(token);
  }

  protected expect(types: readonly TokenType[], context: string): Token {
    const token = this.next();
    return types.includes(token.type) ? token : this.unexpected(token, context);
  }

  protected unexpected(token: Token, context: string): never {
    if (token.type === 'error') throw this.error(token.text, token.offset, undefined, token.reason);
    const reason = token.type === 'char' && token.text === '\\' ? 'backslash' : undefined;
    throw this.error(`unexpected ${describe(token)} in ${context}`, token.offset, undefined, reason);
  }

  protected error(
    message: string,
    offset = this.last?.offset ?? 0,
    subject?: string,
    reason?: TemplateErrorReason,
  ): TemplateError {
    return new TemplateError('syntax', message, offset, subject, reason);
  }
}
