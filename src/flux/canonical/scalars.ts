import { generalFloat, jsonFloat } from '../../core/text/float.ts';
import { MAX_UINT64, MIN_INT64 } from '../../core/text/go-numbers.ts';
import { isStringWhenPlain } from '../../core/text/plain-scalar.ts';

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/**
 * Compares keys as go-yaml sorts them (https://github.com/go-yaml/yaml/blob/v2/sorter.go): `a2` before `a10`, letters
 * after everything else. The order is not transitive for every set of keys; a stable sort decides then.
 */
export function compareNaturally(a: string, b: string): number {
  return isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0;
}

function isBefore(a: string, b: string): boolean {
  const left = [...a];
  const right = [...b];
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const l = left[at] as string;
    const r = right[at] as string;
    if (l === r) continue;
    const letters = [LETTER.test(l), LETTER.test(r)];
    if (letters[0] && letters[1]) return codeOf(l) < codeOf(r);
    if (letters[0] || letters[1]) return letters[1] === true;
    return isNumberBefore(left, right, at);
  }
  return left.length < right.length;
}

/** Compares the digits at a position as numbers. */
function isNumberBefore(left: readonly string[], right: readonly string[], at: number): boolean {
  const start = left[at] === '0' || right[at] === '0' ? leadingNumber(left, at) : 0n;
  const a = numberAt(left, at, start);
  const b = numberAt(right, at, start);
  if (a.value !== b.value) return a.value < b.value;
  if (a.end !== b.end) return a.end < b.end;
  return codeOf(left[at] as string) < codeOf(right[at] as string);
}

/** Zeros count as digits if other digits precede them. */
function leadingNumber(chars: readonly string[], at: number): bigint {
  for (let i = at - 1; i >= 0 && DIGIT.test(chars[i] as string); i--) if (chars[i] !== '0') return 1n;
  return 0n;
}

function numberAt(chars: readonly string[], at: number, start: bigint): { value: bigint; end: number } {
  let value = start;
  let end = at;
  for (; end < chars.length && DIGIT.test(chars[end] as string); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(chars[end] as string) - 48));
  }
  return { value, end };
}

const codeOf = (char: string): number => char.codePointAt(0) ?? 0;

/** Tracks whether the text of a template is inside a quoted string in an action, which a line break would change. */
export class QuoteWatch {
  private state: 'text' | 'start' | 'action' | 'comment' | 'quote' = 'text';
  private quote = '';
  private last = '';

  get isQuoted(): boolean {
    return this.state === 'quote';
  }

  get isInAction(): boolean {
    return this.state !== 'text';
  }

  next(char: string): void {
    const pair = this.last + char;
    this.last = char;
    if (this.state === 'text') {
      if (pair === '<<') this.go('start');
    } else if (this.state === 'comment') {
      if (pair === '*/') this.go('action');
    } else if (this.state === 'quote') {
      // An escaped character ends nothing.
      if (this.quote !== '`' && pair.startsWith('\\')) this.last = '';
      else if (char === this.quote) this.go('action');
    } else if (pair === '/*' && this.state === 'start') this.go('comment');
    else if (pair === '>>') this.go('text');
    else if (char === '"' || char === "'" || char === '`') {
      this.quote = char;
      this.go('quote');
    } else if (this.state === 'start' && !/[-\s/]/.test(char)) this.state = 'action';
  }

  private go(state: QuoteWatch['state']): void {
    this.state = state;
    this.last = '';
  }
}

export type Style = 'plain' | 'single' | 'double' | 'literal';

const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const BREAK = /[\r\n\u0085\u2028\u2029]/;
const BREAK_AT_SPACE = / [\r\n\u0085\u2028\u2029]|[\r\n\u0085\u2028\u2029] /;
/** Indicators at the start, and inside. */
const INDICATOR =
  /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \t\r\n\u0085\u2028\u2029]|$))|.:(?:[ \t\r\n\u0085\u2028\u2029]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/s;
/** Other characters are escaped: the emitter treats those of four bytes as not printable. */
const PRINTABLE = /^[\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;

export const isBreak = (char: string): boolean => BREAK.test(char);

/** Returns the style in which go-yaml writes a string, as libyaml's emitter allows; `isKey` for a key on one line. */
export function styleOf(text: string, isKey: boolean): Style {
  const isSpecial = !PRINTABLE.test(text) || / [\r\n\u0085\u2028\u2029]/.test(text);
  if (text.includes('\n')) return isKey || isSpecial || text.endsWith(' ') ? 'double' : 'literal';
  const isMultiline = isBreak(text);
  const isString = isStringWhenPlain(text) && !BASE_60.test(text) && !(isKey && isMultiline);
  if (!isString || isSpecial || BREAK_AT_SPACE.test(text)) return 'double';
  return isMultiline || INDICATOR.test(text) || /^ | $/.test(text) ? 'single' : 'plain';
}

/** Escape names in double quotes. */
const ESCAPES = new Map<number, string>([
  [0x00, '0'],
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x1b, 'e'],
  [0x22, '"'],
  [0x5c, '\\'],
  [0x85, 'N'],
  [0xa0, '_'],
  [0x2028, 'L'],
  [0x2029, 'P'],
]);

/** Returns a character in double quotes. */
export function inDoubleQuotes(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const isPlain = char.length === 1 && PRINTABLE.test(char) && !isBreak(char);
  return isPlain && char !== '"' && char !== '\\' ? char : escaped(code);
}

export function escaped(code: number): string {
  const named = ESCAPES.get(code);
  if (named !== undefined) return `\\${named}`;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/** A float is converted through JSON, where a whole one becomes an integer, and is then written as Go writes floats. */
export function numberText(value: number): string {
  const json = jsonFloat(value);
  if (!/^-?[0-9]+$/.test(json)) return generalFloat(value);
  const whole = BigInt(json);
  return whole <= MAX_UINT64 && whole >= MIN_INT64 ? String(whole) : generalFloat(value);
}
