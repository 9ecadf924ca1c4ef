/** cel-go ext.Strings (https://pkg.go.dev/github.com/google/cel-go/ext#Strings). */

import type { RE2JS } from 're2js';
import { goEscaped } from '../../../core/text/go-text.ts';
import { fn, type Library, matching, method, type Overload } from '../library.ts';
import { type Charge, compileRegex, firstMatch, matchesOf } from '../regex.ts';
import { DYN, INT, listOf, STRING } from '../types.ts';
import {
  characterWork,
  fixedWork,
  pointCount,
  pointOf,
  pointWork,
  searchWork,
  slicePoints,
  unitOf,
} from '../value/order.ts';
import { type CelValue, failure, kindOf, prefixed } from '../value/values.ts';
import { format, formatSize, formatVersion2, formatVersion2Size } from './format.ts';

// The string functions that return new strings, with the limits and empty-separator rules of Go's strings package.

/** Returns the smaller of limit and number; a negative limit means none. */
const atMost = (limit: bigint, available: number): number =>
  limit < 0n || limit > BigInt(available) ? available : Number(limit);

/** Splits into up to `limit` parts, the last with the rest; none for 0. An empty separator splits into characters. */
function split(text: string, separator: string, limit = -1n): string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  const wanted = atMost(limit, parts.length);
  if (wanted === parts.length) return parts;
  return [...parts.slice(0, wanted - 1), parts.slice(wanted - 1).join(separator)];
}

/** Replaces up to `limit` matches from the left; the empty string matches before every character and at the end. */
function replace(text: string, part: string, by: string, limit = -1n): string {
  const pieces = part === '' ? ['', ...text, ''] : text.split(part);
  const count = atMost(limit, pieces.length - 1);
  return [pieces.slice(0, count + 1).join(by), ...pieces.slice(count + 1)].join(part);
}

/** Returns the maximum length of the result of `replace`. */
function replaceSize(text: string, part: string, by: string): number {
  const places = part === '' ? text.length + 1 : Math.floor(text.length / part.length);
  return text.length + places * by.length;
}

function join(list: readonly CelValue[], separator = ''): string {
  for (const item of list) {
    if (typeof item !== 'string') throw failure(`join: invalid input: ${kindOf(item)}`);
  }
  return list.join(separator);
}

function joinSize(list: readonly CelValue[], separator = ''): number {
  let size = list.length * separator.length;
  for (const item of list) size += typeof item === 'string' ? item.length : 0;
  return size;
}

/** Unicode's White_Space, which Go trims; JavaScript's `trim` uses another set. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const isSpace = (char: string): boolean => LEADING.test(char);

function trim(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(LEADING, '');
}

const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (part) => part.toUpperCase());

const BLOCK = 4096;

/** Processes blocks, because a list of all characters takes many times the memory of the text. */
function reverse(text: string): string {
  let reversed = '';
  for (let end = text.length; end > 0; ) {
    let start = Math.max(0, end - BLOCK);
    // Do not split a surrogate pair.
    if (start > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(start))) start--;
    reversed += [...text.slice(start, end)].reverse().join('');
    end = start;
  }
  return reversed;
}

/** Returns the text as a CEL string literal. */
function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters with an escape of their own
  return `"${text.replace(/[\u0007-\r\\"]/g, (char) => goEscaped(char, '"'))}"`;
}

// The string functions with positions, which count code points.

function within(index: bigint, limit: number): number {
  if (index < 0n || index > BigInt(limit)) throw failure(`index out of range: ${index}`);
  return Number(index);
}

/** Returns the character at an index; '' at the index after the last. */
function charAt(text: string, index: bigint): string {
  const at = within(index, pointCount(text));
  return slicePoints(text, at, Math.min(at + 1, pointCount(text)));
}

function substring(text: string, start: bigint, end?: bigint): string {
  const length = pointCount(text);
  if (end === undefined) return slicePoints(text, within(start, length), length);
  if (start > end) throw failure(`invalid substring range. start: ${start}, end: ${end}`);
  return slicePoints(text, within(start, length), within(end, length));
}

/** Returns the offset of a search, at most the end, where the empty string matches. */
function searchOffset(text: string, offset: bigint): number {
  if (offset < 0n) throw failure(`index out of range: ${offset}`);
  const length = pointCount(text);
  return offset > BigInt(length) ? length : Number(offset);
}

function indexOf(text: string, part: string, offset = 0n): bigint {
  const from = searchOffset(text, offset);
  if (part === '') return BigInt(from);
  const unit = text.indexOf(part, unitOf(text, from));
  return unit < 0 ? -1n : BigInt(pointOf(text, unit));
}

function lastIndexOf(text: string, part: string, offset?: bigint): bigint {
  const length = pointCount(text);
  if (offset === undefined) return part === '' ? BigInt(length) : lastUpTo(text, part, length);
  const from = searchOffset(text, offset);
  if (part === '') return BigInt(from);
  // An offset at or past the end finds nothing; only smaller ones start a search.
  return offset >= BigInt(length) ? -1n : lastUpTo(text, part, from);
}

function lastUpTo(text: string, part: string, from: number): bigint {
  const unit = text.lastIndexOf(part, unitOf(text, from));
  return unit < 0 ? -1n : BigInt(pointOf(text, unit));
}

const STRINGS = listOf(STRING);
const findWork = (text: string, part: string): number => 2 + pointWork(text) + searchWork(text, part);
const replaceWork = (text: string, part: string): number => 12 + findWork(text, part);

const splitSize = (text: string): number => text.length * 2 + 1;

const formatting = (run: typeof format, size: typeof formatSize): Overload =>
  method('format', [STRING, listOf(DYN)], STRING, run, { size, work: fixedWork(10) });

const common: Library = [
  method('charAt', [STRING, INT], STRING, charAt, { work: pointWork }),
  method('indexOf', [STRING, STRING], INT, indexOf, { work: findWork }),
  method('indexOf', [STRING, STRING, INT], INT, indexOf, { work: findWork }),
  method('lastIndexOf', [STRING, STRING], INT, lastIndexOf, { work: findWork }),
  method('lastIndexOf', [STRING, STRING, INT], INT, lastIndexOf, { work: findWork }),
  method('lowerAscii', [STRING], STRING, lowerAscii),
  method('upperAscii', [STRING], STRING, upperAscii),
  method('replace', [STRING, STRING, STRING], STRING, replace, { size: replaceSize, work: replaceWork }),
  method('replace', [STRING, STRING, STRING, INT], STRING, replace, { size: replaceSize, work: replaceWork }),
  method('split', [STRING, STRING], STRINGS, split, { size: splitSize, work: findWork }),
  method('split', [STRING, STRING, INT], STRINGS, split, { size: splitSize, work: findWork }),
  method('substring', [STRING, INT], STRING, substring, { work: pointWork }),
  method('substring', [STRING, INT, INT], STRING, substring, { work: pointWork }),
  method('trim', [STRING], STRING, trim),
  method('join', [STRINGS], STRING, join, { size: joinSize }),
  method('join', [STRINGS, STRING], STRING, join, { size: joinSize }),
  fn('strings.quote', [STRING], STRING, quote, { size: (text: string) => text.length * 2 + 2, work: characterWork }),
];

export const strings: Library = [
  ...common,
  formatting(format, formatSize),
  method('reverse', [STRING], STRING, reverse, { work: characterWork }),
];

/** The functions of the API server, without `reverse`. */
export const stringsVersion2: Library = [...common, formatting(formatVersion2, formatVersion2Size)];

/** The Kubernetes regex library (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-regex-library). */

const compile = (pattern: string): RE2JS => prefixed('Illegal regex: ', () => compileRegex(pattern));

function find(charge: Charge, text: string, pattern: string): string {
  return firstMatch(compile(pattern), text, charge)?.group(0) ?? '';
}

/** Returns up to `limit` matches from the left, all for a negative limit. */
function findAll(charge: Charge, text: string, pattern: string, limit = -1n): string[] {
  const found: string[] = [];
  if (limit === 0n) return found;
  for (const { start, end } of matchesOf(compile(pattern), text, charge)) {
    found.push(text.slice(start, end));
    if (BigInt(found.length) === limit) break;
  }
  return found;
}

const FIND_ALL = { size: (text: string): number => text.length * 2 + 1 };

export const regex: Library = [
  matching(method, 'find', [STRING, STRING], STRING, find),
  matching(method, 'findAll', [STRING, STRING], STRINGS, findAll, FIND_ALL),
  matching(method, 'findAll', [STRING, STRING, INT], STRINGS, findAll, FIND_ALL),
];
