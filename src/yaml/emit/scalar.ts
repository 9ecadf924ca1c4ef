/**
 * How a string is written so that every YAML reader (1.1 or 1.2: PyYAML, go-yaml, js-yaml, kyaml) reads it back as
 * this string. What could be taken for anything else is quoted.
 */

/** Starts that no reader takes for an indicator; `-` only where it cannot be a list or a document marker. */
const START = /^(?:[A-Za-z0-9_/$(\\^;\u00A1-\uFFFD]|--?[A-Za-z])/;
/** A mapping or a comment inside, or an end that would be cut off or read as a key. */
const BROKEN = /: |:$| #| $/;
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|-?e[-+]?[0-9]+)$/i;
/** Anything that consists of what numbers, dates, times and sexagesimals are made of. */
const NUMBER_LIKE = /^[0-9][0-9a-fA-FxXoO_.,:+TtZz -]*$/;
/** Not printable in YAML 1.1, a line break in one of the versions, invisible, or one that turns the text around. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be found
  /[\u0000-\u0008\u000B-\u001F\u007F-\u00A0\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFFE\uFFFF]/;
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'g');
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Most names, labels and images: nothing that the rules above look for, but a word. */
const USUAL = /^[A-Za-z_/][A-Za-z0-9_./-]*(?::[A-Za-z0-9_./-]+)*$/;

/** A string on one line: plain where that is safe, else in quotes. */
export function yamlScalar(text: string): string {
  if (isPlain(text)) return text;
  if (!/["\\]/.test(text) || /[\n\t']/.test(text) || needsEscapes(text)) return doubleQuoted(text);
  return `'${text}'`;
}

function isPlain(text: string): boolean {
  if (USUAL.test(text)) return !WORD.test(text);
  if (!START.test(text) || BROKEN.test(text) || /[\n\t]/.test(text) || needsEscapes(text)) return false;
  return !WORD.test(text) && !NUMBER_LIKE.test(text);
}

const needsEscapes = (text: string): boolean => UNSAFE.test(text) || text.search(LONE_SURROGATE) >= 0;

/** JSON's escapes are YAML's too; half of a surrogate pair, which no text can hold, becomes U+FFFD as in Go. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text.replace(LONE_SURROGATE, '\uFFFD')).replace(UNSAFE_ALL, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/**
 * Whether a string can be a literal block: more than one line, no line of blanks only, nothing to escape, no tab at the
 * start (kpt loses the indicator that this needs), and at most one line break at the end, since how many blank lines
 * end a document is easily lost.
 */
export function fitsBlock(text: string): boolean {
  return /[^\n]\n/.test(text) && !/^\n*\t|(?:^|\n)[ \t]+(?:\n|$)|\n\n$/.test(text) && !needsEscapes(text);
}

/** A literal block scalar whose lines are behind `indentation`, without the last line break. */
export function blockText(text: string, indentation: string): string {
  const end = text.endsWith('\n') ? '' : '-';
  // A reader finds the indentation by the first line, unless that is empty or starts with a blank.
  const indicator = /^[ \t\n]/.test(text) ? '2' : '';
  const body = end === '' ? text.slice(0, -1) : text;
  return `|${indicator}${end}\n${body.replace(/^(?=[^\n])/gm, indentation)}`;
}
