import type { TemplateErrorReason } from '../fault.ts';
import { charAt, isAlphaNumeric, isPrintable, isSpace, scanNumber, unicodeName } from './number.ts';
import { isKeyword, type Token, type TokenType } from './tokens.ts';

const SPACES = /[ \t\r\n]*/y;
const SPACE = /[ \t\r\n]/;
const LEFT_MARKER = /-[ \t\r\n]/y;
const COMMENT = /\/\*[\s\S]*?\*\//y;
const DIGIT = /[0-9]/;
/** The rest of a literal: its quote, with escapes of one character. */
const QUOTED = /[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"/y;
const QUOTED_CHARACTER = /[^'\\\n]*(?:\\[^\n][^'\\\n]*)*'/y;
const RAW = /[^`]*`/y;

export interface Delimiters {
  left: string;
  right: string;
}

/**
 * Splits a template into tokens on demand of the parser, so that the first of two errors is found. After an error there
 * are no more tokens.
 */
export class Lexer {
  private at = 0;
  private start = 0;
  private insideAction = false;
  private parentheses = 0;
  private failed: Token | undefined;
  private readonly left: string;
  /** A right delimiter, with a marker if it trims the text after it. */
  private readonly closing: RegExp;

  constructor(
    private readonly text: string,
    { left, right }: Delimiters,
  ) {
    this.left = left;
    this.closing = new RegExp(`([ \\t\\r\\n]-)?${right.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`, 'y');
  }

  next(): Token {
    if (this.failed !== undefined) return this.failed;
    const token = this.insideAction ? this.inAction() : this.inText();
    if (token.type === 'error') this.failed = token;
    return token;
  }

  private token(type: TokenType): Token {
    const token = { type, offset: this.start, text: this.text.slice(this.start, this.at) };
    this.start = this.at;
    return token;
  }

  private error(message: string, reason?: TemplateErrorReason, offset = this.start): Token {
    return { type: 'error', offset, text: message, reason };
  }

  /** Consumes what a pattern matches. */
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

  private inText(): Token {
    for (;;) {
      const found = this.text.indexOf(this.left, this.at);
      if (found < 0) {
        this.at = this.text.length;
        return this.token(this.at > this.start ? 'text' : 'eof');
      }
      this.at = found + this.left.length;
      const isTrimmed = this.take(LEFT_MARKER) !== undefined;
      this.at = found;
      while (isTrimmed && this.at > this.start && SPACE.test(this.text.charAt(this.at - 1))) this.at--;
      const text = this.token('text');
      this.at = found;
      this.start = found;
      if (text.text !== '') return text;
      const opening = this.leftDelimiter();
      if (opening !== undefined) return opening;
    }
  }

  /** Reads the start of an action; a comment is skipped. */
  private leftDelimiter(): Token | undefined {
    this.at += this.left.length;
    const token = this.token('left delimiter');
    this.skip(LEFT_MARKER);
    if (this.text.startsWith('/*', this.at)) return this.comment();
    this.insideAction = true;
    this.parentheses = 0;
    return token;
  }

  private comment(): Token | undefined {
    if (this.take(COMMENT) === undefined) return this.error('unclosed comment');
    const closing = this.take(this.closing);
    if (closing === undefined) return this.error('comment ends before closing delimiter');
    this.start = this.at;
    if (closing[1] !== undefined) this.skip(SPACES);
    return undefined;
  }

  private closeAction([whole, marker = '']: RegExpExecArray): Token {
    if (this.parentheses > 0) return this.error('unclosed left paren');
    this.start = this.at - whole.length + marker.length;
    const token = this.token('right delimiter');
    if (marker !== '') this.skip(SPACES);
    this.insideAction = false;
    return token;
  }

  private inAction(): Token {
    const closing = this.take(this.closing);
    if (closing !== undefined) return this.closeAction(closing);
    const { rune, width } = charAt(this.text, this.at);
    if (rune < 0) return this.error('unclosed action', 'unclosed-action');
    if (isSpace(rune)) return this.space();
    this.at += width;
    return this.symbol(String.fromCodePoint(rune)) ?? this.word(rune, width);
  }

  private symbol(char: string): Token | undefined {
    switch (char) {
      case '=':
      case '|':
        return this.token(char);
      case ':':
        if (this.text[this.at] !== '=') return this.error('expected :=', 'colon');
        this.at++;
        return this.token(':=');
      case '"':
        return this.literal(QUOTED, 'string', 'unterminated quoted string', 'open-text');
      case "'":
        return this.literal(QUOTED_CHARACTER, 'char constant', 'unterminated character constant', 'open-text');
      case '`':
        return this.literal(RAW, 'raw string', 'unterminated raw quoted string', 'open-raw-text');
      case '$':
        return this.name('variable');
      case '(':
        this.parentheses++;
        return this.token('(');
      case ')':
        return --this.parentheses < 0 ? this.error('unexpected right paren') : this.token(')');
      default:
        return undefined;
    }
  }

  private word(rune: number, width: number): Token {
    const char = String.fromCodePoint(rune);
    if (char === '.' && !DIGIT.test(this.text.charAt(this.at))) return this.name('field');
    if (char === '.' || char === '+' || char === '-' || DIGIT.test(char)) {
      this.at -= width;
      return this.number();
    }
    if (isAlphaNumeric(rune)) return this.identifier();
    if (rune < 0x80 && isPrintable(rune)) return this.token('char');
    return this.error(`unrecognized character in action: ${unicodeName(rune)}`, 'unknown-character');
  }

  private space(): Token {
    this.take(SPACES);
    // The last space may belong to the right delimiter.
    this.closing.lastIndex = this.at - 1;
    if (this.closing.exec(this.text)?.[1] !== undefined) this.at--;
    return this.token('space');
  }

  private acceptWord(): void {
    for (;;) {
      const { rune, width } = charAt(this.text, this.at);
      if (rune < 0 || !isAlphaNumeric(rune)) return;
      this.at += width;
    }
  }

  private identifier(): Token {
    this.acceptWord();
    if (!this.atTerminator()) return this.badCharacter();
    const word = this.text.slice(this.start, this.at);
    if (isKeyword(word)) return this.token(word);
    return this.token(word === 'true' || word === 'false' ? 'bool' : 'identifier');
  }

  /** Reads a field or a variable after its first character. */
  private name(type: 'field' | 'variable'): Token {
    if (this.atTerminator()) return this.token(type === 'variable' ? 'variable' : '.');
    this.acceptWord();
    return this.atTerminator() ? this.token(type) : this.badCharacter();
  }

  private badCharacter(): Token {
    const { rune } = charAt(this.text, this.at);
    return this.error(`bad character ${unicodeName(rune)}`, rune === 0x2d ? 'dash' : undefined, this.at);
  }

  /** Reports whether a word may end here. */
  private atTerminator(): boolean {
    const { rune } = charAt(this.text, this.at);
    if (rune < 0 || isSpace(rune) || '.,|:)('.includes(String.fromCodePoint(rune))) return true;
    this.closing.lastIndex = this.at;
    return this.closing.test(this.text);
  }

  /** Reads the rest of a literal. */
  private literal(rest: RegExp, type: TokenType, unterminated: string, reason: TemplateErrorReason): Token {
    return this.take(rest) === undefined ? this.error(unterminated, reason) : this.token(type);
  }

  private number(): Token {
    const { end, type } = scanNumber(this.text, this.at);
    this.at = end;
    if (type === undefined) {
      return this.error(`bad number syntax: ${JSON.stringify(this.text.slice(this.start, end))}`, 'bad-number');
    }
    return this.token(type);
  }
}
