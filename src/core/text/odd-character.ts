import words from '../../../data/other-words.json';
import { hintsByWord } from './nearest.ts';

/** Characters that look like a space, or are invisible, but are not spaces in YAML and expressions. */
const ODD = hintsByWord(words.spaces);
/** Characters that look like a quote or a dash. */
const QUOTES = hintsByWord(words.quotes);

const PATTERN = new RegExp(`[${[...ODD.keys()].join('')}]`, 'u');

const codePoint = (char: string): string => `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

export const oddCharacterAt = (text: string): number => text.search(PATTERN);

/** Returns the hint for a character that looks like another one; `undefined` for all others. */
export function oddCharacterHint(char: string): string | undefined {
  const quote = QUOTES.get(char);
  if (quote !== undefined) return `this is the character ${codePoint(char)}: write ${quote} in its place`;
  const name = ODD.get(char);
  return name === undefined
    ? undefined
    : `this is ${name} (${codePoint(char)}), which looks like a space or like nothing: write a space in its place, or remove it`;
}
