import { isAscii, mapRunes, runeAt, runeBytes } from '../bytes.ts';
import { isQuotedAsItIs, quote } from '../format/numbers.ts';
import { display } from '../format/value.ts';
import type { Meter } from '../meter.ts';
import { type GoInt, GoMap, type GoValue, sizeOf, strings } from '../values/values.ts';
import { type FunctionTable, fail, fixed, ofCharacters, toText, toTexts, variadic } from './define.ts';

/** Upper and lower case of single characters, as in Go: one character stays one. */
function single(rune: number, text: string): number {
  const code = text.codePointAt(0) ?? rune;
  return text.length === (code > 0xffff ? 2 : 1) ? code : rune;
}

const isAsciiLetter = (rune: number): boolean => (rune | 32) >= 97 && (rune | 32) <= 122;

function upperRune(rune: number): number {
  if (rune < 0x80) return isAsciiLetter(rune) ? rune & ~32 : rune;
  return single(rune, String.fromCodePoint(rune).toUpperCase());
}

function lowerRune(rune: number): number {
  if (rune < 0x80) return isAsciiLetter(rune) ? rune | 32 : rune;
  // Elsewhere the lower case of the dotted capital I has two characters.
  return rune === 0x130 ? 0x69 : single(rune, String.fromCodePoint(rune).toLowerCase());
}

/** Digraphs with a separate title case, which is the second of three: DZ, LJ, NJ. */
const TITLES = new Map(
  [0x1c4, 0x1c7, 0x1ca, 0x1f1].flatMap((rune) => [rune, rune + 1, rune + 2].map((one) => [one, rune + 1] as const)),
);

/** Georgian capitals are not used as initial letters. */
const isGeorgian = (rune: number): boolean => rune >= 0x10d0 && rune <= 0x10ff;

const titleRune = (rune: number): number => TITLES.get(rune) ?? (isGeorgian(rune) ? rune : upperRune(rune));

function repeated(text: string, count: bigint, meter: Meter): string {
  if (count < 0n) throw fail('strings: negative Repeat count');
  meter.spendBytes(text.length * Number(count));
  return text.repeat(Number(count));
}

function indented(spaces: GoInt, text: string, meter: Meter): string {
  const padding = repeated(' ', spaces.value, meter);
  const lines = text.split('\n');
  meter.spendBytes(text.length + lines.length * padding.length);
  return padding + lines.join(`\n${padding}`);
}

/** Searching a long text in a longer one may compare each character with each. */
function contains(part: string, text: string, meter: Meter): boolean {
  meter.spendSteps(Math.floor((part.length * text.length) / 1024));
  return text.includes(part);
}

/** Go's strings.Replace: an empty text matches before every character and at the end. */
function replaced(old: string, by: string, text: string, meter: Meter): string {
  const places = old === '' ? text.length + 1 : text.split(old).length - 1;
  meter.spendBytes(text.length + places * by.length);
  if (old !== '') return text.split(old).join(by);
  meter.spendSteps(text.length);
  return by + mapRunes(text, (rune) => runeBytes(rune) + by);
}

/** Go's strings.Split; an empty separator splits into characters. */
function splitText(text: string, separator: string, meter: Meter, most = -1): string[] {
  meter.spendItems(separator === '' ? 2 * text.length : Math.ceil(text.length / separator.length));
  if (most === 0) return [];
  const parts = separator === '' ? charactersOf(text) : text.split(separator);
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function charactersOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const { width } = runeAt(text, at);
    parts.push(text.slice(at, at + width));
    at += width;
  }
  return parts;
}

function cut(start: bigint, end: bigint, text: string): string {
  const length = BigInt(text.length);
  const slice = (from: bigint, to: bigint): string => {
    if (from < 0n || to > length || from > to) throw fail(`runtime error: slice bounds out of range [${from}:${to}]`);
    return text.slice(Number(from), Number(to));
  };
  if (start < 0n) return slice(0n, end);
  return end < 0n || end > length ? slice(start, length) : slice(start, end);
}

function truncated(count: bigint, text: string): string {
  const length = BigInt(text.length);
  if (count < 0n && length + count > 0n) return text.slice(Number(length + count));
  return count >= 0n && length > count ? text.slice(0, Number(count)) : text;
}

const SPACE = /^[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;
const isSpace = (rune: number): boolean => SPACE.test(String.fromCodePoint(rune));

function trimmed(text: string, cuts: (rune: number) => boolean): string {
  const parts = charactersOf(text);
  let start = 0;
  let end = parts.length;
  const isCut = (part: string): boolean => cuts(runeAt(part, 0).rune);
  while (start < end && isCut(parts[start] as string)) start++;
  while (end > start && isCut(parts[end - 1] as string)) end--;
  return parts.slice(start, end).join('');
}

function titled(text: string): string {
  let before = ' ';
  return mapRunes(text, (rune) => {
    const starts = isSeparator(before);
    before = String.fromCodePoint(rune);
    return runeBytes(starts ? titleRune(rune) : rune);
  });
}

function isSeparator(char: string): boolean {
  if (char.charCodeAt(0) < 0x80 && char.length === 1) return !/[A-Za-z0-9_]/.test(char);
  return !/[\p{L}\p{Nd}]/u.test(char) && isSpace(char.codePointAt(0) ?? 0);
}

function spaced(values: readonly GoValue[], write: (value: GoValue) => string, meter: Meter): string {
  for (const value of values) meter.spendBytes(2 * sizeOf(value));
  return values
    .filter((value) => value !== null)
    .map(write)
    .join(' ');
}

const numbered = (parts: readonly string[]): GoMap =>
  new GoMap(new Map(parts.map((part, index) => [`_${index}`, part])), 'string');

/** Defines a function of every character, which is fast for ASCII. */
const eachRune = (ofAscii: (text: string) => string, change: (rune: number) => number) =>
  fixed(['string'], (text, meter) => {
    meter.spendBytes(text.length);
    if (isAscii(text)) return ofAscii(text);
    meter.spendSteps(text.length);
    return mapRunes(text, (rune) => runeBytes(change(rune)));
  });

/** Texts with other characters than letters and digits are processed character by character. */
function quoted(value: GoValue, meter: Meter): string {
  const text = toText(value);
  if (!isQuotedAsItIs(text)) meter.spendSteps(text.length);
  return quote(text);
}

const trimAll = fixed(['string', 'string'], (cutset, text, meter) => {
  meter.spendBytes(text.length + cutset.length);
  meter.spendSteps(text.length + cutset.length);
  const cuts = new Set(charactersOf(cutset).map((part) => runeAt(part, 0).rune));
  return trimmed(text, (rune) => cuts.has(rune));
});

export const stringFunctions: FunctionTable = {
  hello: fixed([], () => 'Hello!'),
  trunc: fixed(['int', 'string'], (count, text) => truncated(count.value, text)),
  trim: ofCharacters((text) => trimmed(text, isSpace)),
  upper: eachRune((text) => text.toUpperCase(), upperRune),
  lower: eachRune((text) => text.toLowerCase(), lowerRune),
  title: ofCharacters(titled),
  substr: fixed(['int', 'int', 'string'], (start, end, text) => cut(start.value, end.value, text)),
  repeat: fixed(['int', 'string'], (count, text, meter) => repeated(text, count.value, meter)),
  trimall: trimAll,
  trimAll: trimAll,
  trimSuffix: fixed(['string', 'string'], (end, text) =>
    text.endsWith(end) ? text.slice(0, text.length - end.length) : text,
  ),
  trimPrefix: fixed(['string', 'string'], (start, text) => (text.startsWith(start) ? text.slice(start.length) : text)),
  contains: fixed(['string', 'string'], contains),
  hasPrefix: fixed(['string', 'string'], (start, text) => text.startsWith(start)),
  hasSuffix: fixed(['string', 'string'], (end, text) => text.endsWith(end)),
  quote: variadic(['any'], (values, meter) => spaced(values, (value) => quoted(value, meter), meter)),
  squote: variadic(['any'], (values, meter) => spaced(values, (value) => `'${display(value)}'`, meter)),
  cat: variadic(['any'], (values, meter) => spaced(values, display, meter)),
  indent: fixed(['int', 'string'], indented),
  nindent: fixed(['int', 'string'], (spaces, text, meter) => `\n${indented(spaces, text, meter)}`),
  replace: fixed(['string', 'string', 'string'], replaced),
  plural: fixed(['string', 'string', 'int'], (one, many, count) => (count.value === 1n ? one : many)),
  toString: fixed(['any'], (value, meter) => {
    meter.spendBytes(sizeOf(value));
    return toText(value);
  }),
  toStrings: fixed(['any'], (value, meter) => {
    meter.spendItems(sizeOf(value) / 8);
    return strings(toTexts(value));
  }),
  split: fixed(['string', 'string'], (separator, text, meter) => numbered(splitText(text, separator, meter))),
  splitn: fixed(['string', 'int', 'string'], (separator, most, text, meter) =>
    numbered(splitText(text, separator, meter, Number(most.value))),
  ),
  splitList: fixed(['string', 'string'], (separator, text, meter) => strings(splitText(text, separator, meter))),
  join: fixed(['string', 'any'], (separator, value, meter) => {
    const parts = toTexts(value);
    meter.spendBytes(sizeOf(value) + parts.length * separator.length);
    return parts.join(separator);
  }),
  fail: fixed(['string'], (message) => {
    throw fail(message);
  }),
};
