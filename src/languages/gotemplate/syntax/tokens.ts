import type { TemplateErrorReason } from '../fault.ts';

type Keyword =
  | 'block'
  | 'break'
  | 'continue'
  | 'define'
  | 'else'
  | 'end'
  | 'if'
  | 'nil'
  | 'range'
  | 'template'
  | 'with';
const KEYWORDS: ReadonlySet<string> = new Set(
  'block break continue define else end if nil range template with'.split(' '),
);
export const isKeyword = (word: string): word is Keyword => KEYWORDS.has(word);

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
