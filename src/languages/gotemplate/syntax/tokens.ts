import type { TemplateErrorReason } from '../fault.ts';

/** The tokens of a template. A keyword is a separate type. */
export type TokenType =
  | 'error'
  | 'eof'
  | 'text'
  | 'comment'
  | 'left delimiter'
  | 'right delimiter'
  | 'space'
  | 'char'
  | 'char constant'
  | 'complex'
  | '='
  | ':='
  | '|'
  | '('
  | ')'
  | '.'
  | 'field'
  | 'identifier'
  | 'variable'
  | 'bool'
  | 'number'
  | 'string'
  | 'raw string'
  | Keyword;

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

export interface Token {
  type: TokenType;
  /** Where it starts, in bytes. */
  offset: number;
  /** Its text; for an error the message. */
  text: string;
  /** Of an error. */
  reason?: TemplateErrorReason | undefined;
}

const keywords: ReadonlySet<string> = new Set(KEYWORDS);

export const isKeyword = (word: string): word is Keyword => keywords.has(word);

const SHOWN = 10;

/** Returns the name of a token in Go's messages. */
export function describe({ type, text }: Token): string {
  if (type === 'eof') return 'EOF';
  if (type === 'error') return text;
  if (isKeyword(type)) return `<${text}>`;
  return text.length > SHOWN ? `${quoted(text.slice(0, SHOWN))}...` : quoted(text);
}

const quoted = (text: string): string => JSON.stringify(text);
