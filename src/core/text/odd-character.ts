/** Characters that look like a space, or are invisible, but are not spaces in YAML and expressions. */
const ODD: Readonly<Record<string, string>> = {
  '\u00A0': 'a no-break space',
  '\u2007': 'a figure space',
  '\u202F': 'a narrow no-break space',
  '\u2009': 'a thin space',
  '\u2003': 'an em space',
  '\u2002': 'an en space',
  '\u3000': 'an ideographic space',
  '\u200B': 'a zero-width space',
  '\u200C': 'a zero-width non-joiner',
  '\u200D': 'a zero-width joiner',
  '\u2060': 'a word joiner',
  '\uFEFF': 'a byte order mark',
  '\u00AD': 'a soft hyphen',
};

const QUOTES: Readonly<Record<string, string>> = {
  '\u201C': '"',
  '\u201D': '"',
  '\u201E': '"',
  '\u2018': "'",
  '\u2019': "'",
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
};

const PATTERN = new RegExp(`[${Object.keys(ODD).join('')}]`, 'u');

const codePoint = (char: string): string => `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Returns the first such character in a text; -1 if there is none. */
export const oddCharacterAt = (text: string): number => text.search(PATTERN);

/** Returns the hint for a character that looks like another one; `undefined` for all others. */
export function oddCharacterHint(char: string): string | undefined {
  if (Object.hasOwn(QUOTES, char))
    return `this is the character ${codePoint(char)}: write ${QUOTES[char]} in its place`;
  if (!Object.hasOwn(ODD, char)) return undefined;
  return `this is ${ODD[char]} (${codePoint(char)}), which looks like a space or like nothing: write a space in its place, or remove it`;
}
