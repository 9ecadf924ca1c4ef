/** Returns the escape of a UTF-16 unit in JSON, YAML and Go: `\\u000a`. */
export const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The invisible characters: control and format characters, and separators of lines and paragraphs (Unicode 17: Cc, Cf, Zl
 * and Zp), without line breaks and tabs. They are written out, because the classes differ between releases of Node.
 */
const INVISIBLE =
  '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u00AD\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u180E' +
  '\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u2064\\u2066-\\u206F\\uFEFF\\uFFF9-\\uFFFB';

/** Those beyond U+FFFF, as pairs of surrogates. */
const INVISIBLE_PAIRS = [
  '\\uD804[\\uDCBD\\uDCCD]',
  '\\uD80D[\\uDC30-\\uDC3F]',
  '\\uD82F[\\uDCA0-\\uDCA3]',
  '\\uD834[\\uDD73-\\uDD7A]',
  '\\uDB40[\\uDC01\\uDC20-\\uDC7F]',
];

/** Returns a pattern of the invisible characters, and of further ones of a class of regular expressions. */
export const invisiblePattern = (more = ''): string => `[${INVISIBLE}${more}]|${INVISIBLE_PAIRS.join('|')}`;

const ALL_INVISIBLE = new RegExp(invisiblePattern(), 'g');

const unitsEscaped = (char: string): string =>
  char.length === 1 ? unicodeEscape(char) : char.split('').map(unicodeEscape).join('');

/**
 * Escapes invisible characters as in JSON, but not line breaks and tabs. Every format of a report is escaped by this
 * function, and then by the rules of the format.
 */
export const visible = (text: string): string => text.replace(ALL_INVISIBLE, unitsEscaped);

/** Does the same for a part of a line, including line breaks. */
export const visibleOnOneLine = (text: string): string => visible(text).replaceAll('\n', '\\n');
