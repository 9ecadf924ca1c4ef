import { ownValue } from '../../../core/model/value.ts';
/** An error that ends parsing; it is not visible outside of this folder. */
export class CelSyntaxError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** `op` covers operators, brackets and the words `in`, `true`, `false` and `null`. */
type TokenKind = 'ident' | 'quoted' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'op' | 'end';

export interface Token {
  kind: TokenKind;
  /** As written; the name without its backticks for a quoted identifier. */
  text: string;
  offset: number;
  end: number;
}

const SPACE = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;
const STRING_START = /([bB]?)([rR]?)("""|'''|"|')/y;
/** Escapes are checked later. Each character matches in one way, so that an unclosed literal takes linear time. */
const STRING_BODY: Readonly<Record<string, RegExp>> = {
  '"': /[^\\"\n\r]*(?:\\[^\n\r][^\\"\n\r]*)*"/y,
  "'": /[^\\'\n\r]*(?:\\[^\n\r][^\\'\n\r]*)*'/y,
  '"""': /(?:[^\\]|\\[\s\S])*?"""/y,
  "'''": /(?:[^\\]|\\[\s\S])*?'''/y,
};
const RAW_BODY: Readonly<Record<string, RegExp>> = {
  '"': /[^"\n\r]*"/y,
  "'": /[^'\n\r]*'/y,
  '"""': /[\s\S]*?"""/y,
  "'''": /[\s\S]*?'''/y,
};
const REST = /[^\n\r]+/y;
const WORDS = new Set(['in', 'true', 'false', 'null']);

/** The other tokens, in the order in which they are tried. */
const PATTERNS: readonly (readonly [RegExp, (text: string) => TokenKind])[] = [
  [/[A-Za-z_][A-Za-z0-9_]*/y, (word) => (WORDS.has(word) ? 'op' : 'ident')],
  [/(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y, () => 'double'],
  [/(?:0x[0-9a-fA-F]+|[0-9]+)[uU]?/y, (integer) => (/u$/i.test(integer) ? 'uint' : 'int')],
  [/`[A-Za-z0-9_.\-/ ]+`/y, () => 'quoted'],
  [/==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y, () => 'op'],
];

/** Whether errors are tolerated, as an editor does while a text is typed. Default: the first one is thrown. */
export interface Recovery {
  recovers?: boolean;
}

/** Returns the tokens and one of kind `end`. With `recovers` literals may be unclosed and characters invalid. */
export function tokenize(source: string, { recovers = false }: Recovery = {}): Token[] {
  const tokens: Token[] = [];
  const unclosed: Unclosed = new Set();
  let offset = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    return pattern.exec(source)?.[0];
  };
  for (;;) {
    offset += match(SPACE)?.length ?? 0;
    if (offset >= source.length) break;
    const token = recovers ? recoveredAt(source, offset, match, unclosed) : tokenAt(source, offset, match);
    if (token === undefined) {
      offset += 1;
      continue;
    }
    tokens.push(token);
    offset = token.end;
  }
  tokens.push(tokenOf('end', '', source.length));
  return tokens;
}

type Match = (pattern: RegExp) => string | undefined;

/**
 * The beginnings of literals of several lines of which one is not closed before the end of the source. No later one is
 * either: it is not searched again.
 */
type Unclosed = Set<string>;

const tokenOf = (kind: TokenKind, text: string, offset: number): Token => ({
  kind,
  text,
  offset,
  end: offset + text.length + (kind === 'quoted' ? 2 : 0),
});

function recoveredAt(source: string, offset: number, match: Match, unclosed: Unclosed): Token | undefined {
  const start = match(STRING_START)?.toLowerCase().replace('b', '');
  const rest = (): Token => tokenOf('string', match(REST) ?? '', offset);
  if (start !== undefined && unclosed.has(start)) return rest();
  try {
    return tokenAt(source, offset, match);
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    if (start === undefined) return undefined;
    if (start.endsWith('"""') || start.endsWith("'''")) unclosed.add(start);
    return rest();
  }
}

function tokenAt(source: string, offset: number, match: Match): Token {
  const token = (kind: TokenKind, text: string): Token => tokenOf(kind, text, offset);
  const start = match(STRING_START);
  if (start !== undefined) return token(/^b/i.test(start) ? 'bytes' : 'string', stringText(source, offset, start));
  for (const [pattern, kindOf] of PATTERNS) {
    const text = match(pattern);
    if (text !== undefined) return token(kindOf(text), text.replaceAll('`', ''));
  }
  const character = String.fromCodePoint(source.codePointAt(offset) ?? 0);
  throw new CelSyntaxError(`Syntax error: token recognition error at: '${character}'`, offset);
}

function stringText(source: string, offset: number, start: string): string {
  const [, , raw = '', quote = ''] = /^([bB]?)([rR]?)(.+)$/.exec(start) ?? [];
  const body = ownValue(raw === '' ? STRING_BODY : RAW_BODY, quote);
  if (body !== undefined) {
    body.lastIndex = offset + start.length;
    const found = body.exec(source);
    if (found !== null) return start + found[0];
  }
  throw new CelSyntaxError(`Syntax error: string literal is not closed: ${start}`, offset);
}

/** A position in the list of tokens. */
export interface TokenStream {
  /** Returns the next token, or one that follows it, and stays where it is. */
  peek(ahead?: number): Token;
  /** Returns the next token, and goes behind it. */
  next(): Token;
  /** Reports whether the next token is this operator. */
  at(op: string): boolean;
  /** Returns where the last token that was read ends. */
  end(): number;
  /** Goes behind an operator if it is the next token. */
  take(op: string): Token | undefined;
  /** Goes behind an operator. @throws CelSyntaxError unless it is the next token, or a missing one is assumed */
  expect(op: string): Token;
  /** Goes behind a token of a kind; `what` names it. @throws CelSyntaxError as `expect` does */
  expectKind(kind: TokenKind, what: string): Token;
}

/** Starts at the first token. With `recovers`, a missing expected token is assumed, and nothing is skipped. */
export function tokenStream(tokens: readonly Token[], recovers: boolean): TokenStream {
  const last = tokens.at(-1) as Token;
  let position = 0;
  const peek = (ahead = 0): Token => tokens[position + ahead] ?? last;
  const at = (op: string): boolean => peek().kind === 'op' && peek().text === op;
  const next = (): Token => {
    const token = peek();
    position++;
    return token;
  };
  const missing = (kind: TokenKind, text: string, wanted: string): Token =>
    recovers ? tokenOf(kind, text, peek().offset) : unexpected(peek(), wanted);
  return {
    peek,
    next,
    at,
    end: (): number => tokens[position - 1]?.end ?? last.end,
    take: (op: string): Token | undefined => (at(op) ? next() : undefined),
    expect: (op: string): Token => (at(op) ? next() : missing('op', op, `'${op}'`)),
    expectKind: (kind: TokenKind, what: string): Token => (peek().kind === kind ? next() : missing(kind, '', what)),
  };
}

export function unexpected(token: Token, wanted: string): never {
  const found = token.kind === 'end' ? 'the end of the expression' : `'${token.text}'`;
  throw new CelSyntaxError(`Syntax error: unexpected ${found}, expected ${wanted}`, token.offset);
}
