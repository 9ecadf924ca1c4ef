import { attempt } from '../../core/model/attempt.ts';

/**
 * Returns short texts that may match a regular expression, for samples; the caller tests them. Only common forms are
 * supported (classes, groups, choices, counts); look-around and the like return nothing.
 */
export function matchFor(pattern: string, least: number): string[] {
  const read = (count: number): string => choices({ text: pattern, at: 0, count });
  return attempt(() => [0, 1, least, 3, 8].map(read), RangeError) ?? [];
}

interface Reader {
  text: string;
  at: number;
  /** The number of repetitions if any number is allowed. */
  count: number;
}

const peek = ({ text, at }: Reader): string => text.charAt(at);
const next = (reader: Reader): string => {
  const char = reader.text.charAt(reader.at);
  if (char === '') throw new RangeError('the pattern ends too soon');
  reader.at += 1;
  return char;
};

/** Reads several choices, and returns the first. */
function choices(reader: Reader): string {
  const first = sequence(reader);
  while (peek(reader) === '|') {
    next(reader);
    sequence(reader);
  }
  return first;
}

function sequence(reader: Reader): string {
  let text = '';
  while (peek(reader) !== '' && peek(reader) !== '|' && peek(reader) !== ')') {
    const one = atom(reader);
    text += one.repeat(times(reader));
    if (text.length > 10_000) throw new RangeError('the text is too long');
  }
  return text;
}

function atom(reader: Reader): string {
  const char = next(reader);
  switch (char) {
    case '^':
    case '$':
      return '';
    case '.':
      return 'a';
    case '[':
      return classOf(reader);
    case '(': {
      if (peek(reader) === '?' && skipFlags(reader)) return '';
      const inner = choices(reader);
      if (next(reader) !== ')') throw new RangeError('a group is not closed');
      return inner;
    }
    case '\\':
      return escaped(next(reader));
    default:
      return char;
  }
}

/** Skips the start of a non-capturing or named group; reports whether it only contains flags. */
function skipFlags(reader: Reader): boolean {
  const flags = /^\?(?:[imsU-]*[:)]|P?<\w+>)/.exec(reader.text.slice(reader.at));
  if (flags === null) throw new RangeError('not a form that is known');
  reader.at += flags[0].length;
  return flags[0].endsWith(')');
}

const NAMED: Readonly<Record<string, string>> = {
  alpha: 'a',
  alnum: 'a',
  lower: 'a',
  word: 'a',
  xdigit: 'a',
  upper: 'A',
  digit: '1',
  space: ' ',
  punct: '-',
};

const ESCAPES: Readonly<Record<string, string>> = {
  d: '1',
  w: 'a',
  s: ' ',
  D: 'a',
  W: '-',
  S: 'a',
  n: '\n',
  t: '\t',
  b: '',
  A: '',
  z: '',
};
const escaped = (char: string): string => ESCAPES[char] ?? char;

/** Returns a letter of a class, or the first character outside of a negated one. */
function classOf(reader: Reader): string {
  const negated = peek(reader) === '^';
  if (negated) next(reader);
  const members: string[] = [];
  do {
    const char = next(reader);
    const named = char === '[' ? /^:(\w+):\]/.exec(reader.text.slice(reader.at)) : null;
    if (named !== null) {
      const member = NAMED[named[1] ?? ''];
      if (member === undefined) throw new RangeError('not a form that is known');
      members.push(member);
      reader.at += named[0].length;
      continue;
    }
    members.push(char === '\\' ? escaped(next(reader)) : char);
    if (peek(reader) === '-' && reader.text.charAt(reader.at + 1) !== ']') {
      next(reader);
      next(reader);
    }
  } while (peek(reader) !== ']');
  next(reader);
  if (!negated) return members.find((member) => /[a-z0-9]/.test(member)) ?? members[0] ?? '';
  return ['a', '1', '-', '_'].find((char) => !members.includes(char)) ?? 'a';
}

function times(reader: Reader): number {
  const rest = reader.text.slice(reader.at);
  const counted = /^\{(\d+)(,(\d*))?\}/.exec(rest);
  let count = 1;
  if (counted !== null) {
    reader.at += counted[0].length;
    const least = Number(counted[1]);
    const most = counted[2] === undefined ? least : counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3]);
    count = Math.min(Math.max(least, reader.count), most);
  } else if (/^[*+?]/.test(rest)) {
    const sign = next(reader);
    count = sign === '?' ? Math.min(reader.count, 1) : sign === '+' ? Math.max(reader.count, 1) : reader.count;
  }
  if (peek(reader) === '?') next(reader);
  if (count > 10_000) throw new RangeError('the text is too long');
  return count;
}
