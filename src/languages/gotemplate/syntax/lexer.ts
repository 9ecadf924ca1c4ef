import type { TemplateErrorReason } from '../fault.ts';
import { charAt, isAlphaNumeric, isPrintable, isSpace, scanNumber, unicodeName } from './number.ts';
import { isKeyword, type Token, type TokenType } from './tokens.ts';

const SPACES = /[ \t\r\n]/;
const COMMENT_START = '/*';
const COMMENT_END = '*/';
/** A `-` and a space. */
const TRIM_MARKER = 2;
const DIGIT = /[0-9]/;

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

  constructor(
    private readonly text: string,
    private readonly delimiters: Delimiters,
  ) {}

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

  private skip(): void {
    this.start = this.at;
  }

  private startsWith(text: string, at = this.at): boolean {
    return this.text.startsWith(text, at);
  }

  private inText(): Token {
    for (;;) {
      const found = this.text.indexOf(this.delimiters.left, this.at);
      if (found < 0) {
        this.at = this.text.length;
        return this.token(this.at > this.start ? 'text' : 'eof');
      }
      if (found > this.start) {
        const trims = this.hasLeftMarker(found + this.delimiters.left.length);
        this.at = trims ? this.withoutSpaceBefore(found) : found;
        const text = this.token('text');
        this.at = found;
        this.skip();
        if (text.text !== '') return text;
      }
      const opening = this.leftDelimiter();
      if (opening !== undefined) return opening;
    }
  }

  private withoutSpaceBefore(end: number): number {
    let at = end;
    while (at > this.start && SPACES.test(this.text.charAt(at - 1))) at--;
    return at;
  }

  private skipSpaceAfter(): void {
    while (this.at < this.text.length && SPACES.test(this.text.charAt(this.at))) this.at++;
    this.skip();
  }

  private hasLeftMarker(at: number): boolean {
    return this.text[at] === '-' && SPACES.test(this.text.charAt(at + 1));
  }

  /** Reports whether ` -` follows. */
  private hasRightMarker(at: number): boolean {
    return SPACES.test(this.text.charAt(at)) && this.text[at + 1] === '-';
  }

  /** Reports whether a right delimiter follows, and whether it trims the text after it. */
  private rightDelimiter(): { trims: boolean } | undefined {
    const { right } = this.delimiters;
    if (this.hasRightMarker(this.at) && this.startsWith(right, this.at + TRIM_MARKER)) return { trims: true };
    return this.startsWith(right) ? { trims: false } : undefined;
  }

  /** Reads the start of an action; a comment is skipped. */
  private leftDelimiter(): Token | undefined {
    this.at += this.delimiters.left.length;
    const marker = this.hasLeftMarker(this.at) ? TRIM_MARKER : 0;
    if (this.startsWith(COMMENT_START, this.at + marker)) {
      this.at += marker;
      this.skip();
      return this.comment();
    }
    const token = this.token('left delimiter');
    this.insideAction = true;
    this.parentheses = 0;
    this.at += marker;
    this.skip();
    return token;
  }

  private comment(): Token | undefined {
    const end = this.text.indexOf(COMMENT_END, this.at + COMMENT_START.length);
    if (end < 0) return this.error('unclosed comment');
    this.at = end + COMMENT_END.length;
    const closing = this.rightDelimiter();
    if (closing === undefined) return this.error('comment ends before closing delimiter');
    this.at += (closing.trims ? TRIM_MARKER : 0) + this.delimiters.right.length;
    this.skip();
    if (closing.trims) this.skipSpaceAfter();
    return undefined;
  }

  private closeAction(trims: boolean): Token {
    if (trims) {
      this.at += TRIM_MARKER;
      this.skip();
    }
    this.at += this.delimiters.right.length;
    const token = this.token('right delimiter');
    if (trims) this.skipSpaceAfter();
    this.insideAction = false;
    return token;
  }

  private inAction(): Token {
    const closing = this.rightDelimiter();
    if (closing !== undefined) {
      return this.parentheses === 0 ? this.closeAction(closing.trims) : this.error('unclosed left paren');
    }
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
        return this.quoted('"', 'string', 'unterminated quoted string');
      case "'":
        return this.quoted("'", 'char constant', 'unterminated character constant');
      case '`':
        return this.rawString();
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
    let count = 0;
    while (isSpace(charAt(this.text, this.at).rune)) {
      this.at++;
      count++;
    }
    if (this.hasRightMarker(this.at - 1) && this.startsWith(this.delimiters.right, this.at - 1 + TRIM_MARKER)) {
      this.at--;
      if (count === 1) return this.closeAction(true);
    }
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
    return this.startsWith(this.delimiters.right);
  }

  private quoted(quote: string, type: TokenType, unterminated: string): Token {
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at];
      if (char === '\n') break;
      if (char === quote) {
        this.at++;
        return this.token(type);
      }
      if (char === '\\') {
        this.at++;
        if (this.at >= this.text.length || this.text[this.at] === '\n') break;
      }
    }
    return this.error(unterminated, 'open-text');
  }

  private rawString(): Token {
    const end = this.text.indexOf('`', this.at);
    if (end < 0) return this.error('unterminated raw quoted string', 'open-raw-text');
    this.at = end + 1;
    return this.token('raw string');
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
