import words from '../../../data/other-words.json';
import { type Hint, hint, type Remedy } from './hint.ts';
import { meaningsByWord } from './nearest.ts';

/** Characters that look like a space, or are invisible, but are not spaces in YAML and expressions. */
const ODD = meaningsByWord(words.spaces);
/** Characters that look like a quote or a dash. */
const QUOTES = meaningsByWord(words.quotes);

const PATTERN = new RegExp(`[${[...ODD.keys()].join('')}]`, 'u');

const codePoint = (char: string): string => `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

export const oddCharacterAt = (text: string): number => text.search(PATTERN);

/** Returns the hint for a character that looks like another one; `undefined` for all others. */
export function oddCharacterHint(char: string): Hint | undefined {
  const quote = QUOTES.get(char);
  if (quote !== undefined) {
    const remedy: Remedy = quote === '-' ? { kind: 'replace', text: char, by: quote } : { kind: 'plain-quotes' };
    return hint(`this is the character ${codePoint(char)}: write ${quote} in its place`, remedy);
  }
  const name = ODD.get(char);
  return name === undefined
    ? undefined
    : hint(
        `this is ${name} (${codePoint(char)}), which looks like a space or like nothing: write a space in its place, or remove it`,
      );
}
