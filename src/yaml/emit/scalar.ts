import { invisiblePattern, unicodeEscape } from '../../core/text/visible.ts';

/**
 * Writes strings so that every YAML reader (1.1 or 1.2: PyYAML, go-yaml, js-yaml, kyaml) reads back the same string.
 * Ambiguous strings are quoted.
 */

/** First characters that are not indicators in any reader; `-` only if it cannot start a list or a document marker. */
const START = /^(?:[A-Za-z0-9_/$(\\^;\u00A1-\uFFFD]|--?[A-Za-z])/;
/** A mapping or a comment inside, or an end that would be lost or read as a key. */
const BROKEN = /: |:$| #| $/;
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|-?e[-+]?[0-9]+)$/i;
/** Only characters of numbers, dates, times and sexagesimals. */
const NUMBER_LIKE = /^[0-9][0-9a-fA-FxXoO_.,:+TtZz -]*$/;
/** Characters that YAML 1.1 cannot print, that break lines somewhere, are invisible, or change the order of text. */
const UNSAFE = new RegExp(invisiblePattern('\\u00A0\\u2065\\uFFFE\\uFFFF'));
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'g');

/** Most names, labels and images: a fast check that replaces the rules above, except for words. */
const USUAL = /^[A-Za-z_/][A-Za-z0-9_./-]*(?::[A-Za-z0-9_./-]+)*$/;

/** Returns a string on one line: plain if that is safe, else in quotes. */
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

const needsEscapes = (text: string): boolean => UNSAFE.test(text) || !text.isWellFormed();

/** JSON's escapes are valid in YAML; unpaired surrogates become U+FFFD, as in Go. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(UNSAFE_ALL, yamlEscape);
}

/** Readers of YAML do not join the escapes of two surrogates. */
function yamlEscape(char: string): string {
  if (char.length === 1) return unicodeEscape(char);
  return `\\U${(char.codePointAt(0) as number).toString(16).padStart(8, '0')}`;
}

/**
 * Reports whether a string can be a literal block: several lines, none of only spaces, nothing to escape, no tab at the
 * start (kpt loses the required indicator), and at most one line break at the end: more are easily lost.
 */
export function fitsBlock(text: string): boolean {
  return /[^\n]\n/.test(text) && !/^\n*\t|(?:^|\n)[ \t]+(?:\n|$)|\n\n$/.test(text) && !needsEscapes(text);
}

/** Returns a literal block scalar with `indentation`, without the last line break. */
export function blockText(text: string, indentation: string): string {
  const end = text.endsWith('\n') ? '' : '-';
  // A reader takes the indentation from the first line, unless that is empty or starts with a space.
  const indicator = /^[ \t\n]/.test(text) ? '2' : '';
  const body = end === '' ? text.slice(0, -1) : text;
  return `|${indicator}${end}\n${body.replace(/^(?=[^\n])/gm, indentation)}`;
}
