import type { Value } from '../../core/model/value.ts';
import { resolvePlain } from '../../core/text/plain-scalar.ts';
import type { ScalarNode } from './tree.ts';

/** The text of a scalar, and the position of each of its characters. */
export interface ScalarText {
  value: string;
  /** The offset in the text of every character of the value, and of its end. */
  offsets: readonly number[];
}

/** Reads a scalar: unescapes and unfolds it. */
export function scalarTextOf(text: string, node: ScalarNode): ScalarText {
  const written = asWritten(text, node);
  if (written !== undefined) {
    const offsets = new Array<number>(written.length + 1);
    for (let at = 0; at <= written.length; at += 1) offsets[at] = node.innerStart + at;
    return { value: written, offsets };
  }
  const characters: string[] = [];
  const offsets: number[] = [];
  const put = (char: string, offset: number): void => {
    for (const unit of char.split('')) {
      characters.push(unit);
      offsets.push(offset);
    }
  };
  if (node.style === 'literal' || node.style === 'folded') readBlock(text, node, put);
  else if (node.style !== 'empty') readFlow(text, node, put);
  offsets.push(node.innerEnd);
  return { value: characters.join(''), offsets };
}

/** Returns the text of a scalar on one line without escapes. */
function asWritten(text: string, { style, innerStart, innerEnd }: ScalarNode): string | undefined {
  if (style === 'literal' || style === 'folded') return undefined;
  const inner = text.slice(innerStart, innerEnd);
  if (/[\r\n]/.test(inner) || (style === 'double' && inner.includes('\\'))) return undefined;
  return style === 'single' && inner.includes("'") ? undefined : inner;
}

/** Returns the value of a scalar; a plain one may be a number, a boolean or null. */
export function scalarValueOf(text: string, node: ScalarNode): Value {
  if (node.style === 'empty' || node.style === 'alias') return null;
  const value = asWritten(text, node) ?? scalarTextOf(text, node).value;
  return node.style === 'plain' ? resolvePlain(value) : value;
}

/** Returns the index of the character of the value at an offset of the text. */
export function valueOffsetAt({ offsets }: ScalarText, at: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Put = (char: string, offset: number) => void;

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const FOLD = /[ \t]*(?:\r\n?|\n)[ \t\r\n]*/y;

function readFlow(text: string, { style, innerStart, innerEnd }: ScalarNode, put: Put): void {
  let at = innerStart;
  while (at < innerEnd) {
    const char = text[at] as string;
    FOLD.lastIndex = at;
    const fold = /[ \t\r\n]/.test(char) ? FOLD.exec(text)?.[0] : undefined;
    if (fold !== undefined) {
      const breaks = breaksIn(fold);
      put(breaks === 1 ? ' ' : '\n'.repeat(breaks - 1), at);
      at += fold.length;
    } else if (style === 'double' && char === '\\') at += readEscape(text, at, put);
    else {
      put(char, at);
      at += style === 'single' && char === "'" ? 2 : 1;
    }
  }
}

const breaksIn = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

/** Reads an escape and returns its length. */
function readEscape(text: string, at: number, put: Put): number {
  const rest = /^(?:\r\n?|\n)[ \t]*/.exec(text.slice(at + 1, at + 200))?.[0];
  if (rest !== undefined) return 1 + rest.length;
  const char = text[at + 1] ?? '';
  const digits = DIGITS[char];
  if (digits === undefined) {
    put(ESCAPES[char] ?? char, at);
    return 2;
  }
  const code = Number.parseInt(text.slice(at + 2, at + 2 + digits), 16);
  put(Number.isNaN(code) || code > 0x10ffff ? '?' : String.fromCodePoint(code), at);
  return 2 + digits;
}

interface Line {
  text: string;
  /** The start of its text after the indentation. */
  at: number;
  /** The position of its line break. */
  end: number;
}

function linesOf(text: string, { innerStart, innerEnd, indent }: ScalarNode): Line[] {
  const lines: Line[] = [];
  let at = innerStart;
  while (at < innerEnd) {
    const feed = text.indexOf('\n', at);
    const next = feed < 0 || feed >= innerEnd ? innerEnd : feed + 1;
    const end = feed < 0 || feed >= innerEnd ? innerEnd : feed;
    const bare = text.slice(at, end).replace(/\r$/, '');
    const cut = Math.min(indent, /^ */.exec(bare)?.[0].length ?? 0);
    lines.push({ text: bare.slice(cut), at: at + cut, end: at + bare.length });
    at = next;
  }
  return lines;
}

function readBlock(text: string, node: ScalarNode, put: Put): void {
  const lines = linesOf(text, node);
  let last = lines.length - 1;
  while (last >= 0 && (lines[last] as Line).text === '') last -= 1;
  lines.slice(0, last + 1).forEach((line, index) => {
    for (let at = 0; at < line.text.length; at += 1) put(line.text[at] as string, line.at + at);
    if (index === last) return;
    if (node.style === 'literal') put('\n', line.end);
    else foldBreak(lines, index, put);
  });
  if (last < 0 && node.chomp !== '+') return;
  if (node.chomp === '-') return;
  if (last >= 0) put('\n', (lines[last] as Line).end);
  if (node.chomp === '+') for (const line of lines.slice(last + 1)) put('\n', line.end);
}

/**
 * A single line break between two lines of text is a space; breaks of lines that are indented further, and of empty
 * ones, are kept.
 */
function foldBreak(lines: readonly Line[], index: number, put: Put): void {
  const isMore = (line: Line | undefined): boolean => /^[ \t]/.test(line?.text ?? '');
  const line = lines[index] as Line;
  const next = lines[index + 1] as Line;
  if (line.text === '') {
    put('\n', line.end);
    return;
  }
  if (next.text !== '') {
    put(isMore(line) || isMore(next) ? '\n' : ' ', line.end);
    return;
  }
  // The break before empty lines is dropped, unless a line next to them is indented further.
  const following = lines.slice(index + 1).find((one) => one.text !== '');
  if (isMore(line) || isMore(following)) put('\n', line.end);
}
