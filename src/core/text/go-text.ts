import { unicodeEscape } from './visible.ts';

/** Texts as Go writes them: characters in quotes, strings of JSON, durations. */

/** The characters that Go and CEL write as an escape of one letter, besides the quote itself. */
const NAMED_ESCAPES: ReadonlyMap<string, string> = new Map(
  Array.from('\u0007\b\f\n\r\t\v\\', (char, at) => [char, 'abfnrtv\\'.charAt(at)]),
);

/** The characters of the escapes, by their letter: `n` is a line break. */
export const ESCAPED_CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  [...NAMED_ESCAPES].map(([char, letter]) => [letter, char]),
);

/** Reports characters that Go prints without an escape. */
export const isPrintable = (char: string): boolean =>
  char < '\x80' ? char >= ' ' && char < '\x7f' : /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char);

/** Formats a character of a text in quotes, as Go's strconv; `ascii` escapes all that is not ASCII. */
export function goEscaped(char: string, quote: '"' | "'", ascii = false): string {
  const named = char === quote ? quote : NAMED_ESCAPES.get(char);
  if (named !== undefined) return `\\${named}`;
  const code = char.codePointAt(0) ?? 0;
  if (isPrintable(char) && (!ascii || code < 0x80)) return char;
  const digits = code.toString(16);
  if (code < 0x80) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/** Formats a string as Go's `%q`, for error messages. */
export const goQuote = (text: string): string => `"${Array.from(text, (char) => goEscaped(char, '"')).join('')}"`;

/** Go's `strings.Cut`: the parts before and after the first separator; `undefined` if there is no separator. */
export function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Writes a string of JSON as Go, which also escapes two line breaks and, with `html`, characters of HTML. */
export function goJsonString(text: string, html = true): string {
  const special = html ? /[<>&\u2028\u2029]/g : /[\u2028\u2029]/g;
  return JSON.stringify(text.toWellFormed()).replace(special, unicodeEscape);
}

const SECOND = 1_000_000_000n;

/** Go's `Duration.String`: `1h30m0s`, `1.5s`, `2ms`, `0s`. */
export function durationText(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  if (size === 0n) return '0s';
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${withFraction(size, 1_000n)}µs`;
  if (size < SECOND) return `${sign}${withFraction(size, 1_000_000n)}ms`;
  const seconds = withFraction(size % (60n * SECOND), SECOND);
  const minutes = size / (60n * SECOND);
  if (minutes === 0n) return `${sign}${seconds}s`;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}s`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}s`;
}

function withFraction(amount: bigint, unit: bigint): string {
  const width = unit.toString().length - 1;
  const fraction = (amount % unit)
    .toString()
    .padStart(width, '0')
    .replace(/(?<!0)0+$/, '');
  return `${amount / unit}${fraction === '' ? '' : `.${fraction}`}`;
}
