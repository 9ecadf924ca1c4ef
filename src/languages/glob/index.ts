import { allowance, GLOB_STEPS, GLOB_STEPS_EACH, spend } from '../../core/model/limits.ts';
import { compileRegex, matchesText } from '../cel/index.ts';

const FULL = Symbol('full');

/**
 * The shared budget of several globs: it grows with the number of tests. If it is exhausted, no path matches any more,
 * and the caller must report it.
 */
export class GlobBudget {
  readonly #steps = allowance(GLOB_STEPS);

  get isFull(): boolean {
    return this.#steps.left < 0;
  }

  /** Returns the result of a test that charges its cost; false if it exceeds the budget. */
  ask(question: (charge: (steps: number) => void) => boolean): boolean {
    if (this.isFull) return false;
    this.#steps.left += GLOB_STEPS_EACH;
    try {
      return question((steps) => {
        if (!spend(this.#steps, steps)) throw FULL;
      });
    } catch (error) {
      if (error === FULL) return false;
      throw error;
    }
  }
}

/** What is known of the sets of one pattern. */
interface Sets {
  /** The last `]`: no set is closed after it, so that searches end early. */
  lastClosing: number;
}

/**
 * Returns the set that begins at a `[`, as RE2, and its end; `undefined` if it is not closed. A set cannot contain a
 * slash.
 */
function setAt(pattern: readonly string[], start: number, sets: Sets): { regex: string; end: number } | undefined {
  const negated = pattern[start + 1] === '!';
  const first = start + (negated ? 2 : 1);
  // A set has a member, so a bracket at its start is one.
  if (sets.lastClosing <= first) return undefined;
  const end = pattern.indexOf(']', first + 1);
  const ranges = rangesOf(pattern.slice(first, end));
  if (negated) return { regex: `[^/${ranges.map(written).join('')}]`, end: end + 1 };
  const inside = ranges.flatMap(withoutSlash);
  return { regex: inside.length === 0 ? NOTHING : `[${inside.map(written).join('')}]`, end: end + 1 };
}

type Range = readonly [from: number, to: number];

const NOTHING = '[^\\x{0}-\\x{10FFFF}]';
const SLASH = 0x2f;

/** `a-z` is a range, and one with reversed ends is empty, as in a shell. */
function rangesOf(members: readonly string[]): Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = codeOf(members[at]);
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    const to = isRange ? codeOf(members[at + 2]) : from;
    if (isRange) at += 2;
    if (from <= to) ranges.push([from, to]);
  }
  return ranges;
}

const codeOf = (char = ''): number => char.codePointAt(0) ?? 0;

function withoutSlash([from, to]: Range): Range[] {
  if (from > SLASH || to < SLASH) return [[from, to]];
  const parts: Range[] = [
    [from, SLASH - 1],
    [SLASH + 1, to],
  ];
  return parts.filter(([least, most]) => least <= most);
}

const written = ([from, to]: Range): string => `\\x{${from.toString(16)}}-\\x{${to.toString(16)}}`;

/**
 * Returns a test for paths. `*` and `?` match within a name, `**` matches across folders, `[...]` and `{a,b}` as in a
 * shell; unclosed brackets are literal. A pattern without a slash matches a file or folder anywhere; with one it is a
 * path from the folder that is read. The pattern runs as RE2 and charges a budget, so no pattern and no path make it
 * slow: patterns come from Applications too.
 */
export function globTest(pattern: string, budget = new GlobBudget()): (path: string) => boolean {
  const trimmed = pattern.replace(/^(?:\.\/)+/, '').replace(/(?<!\/)\/+$/, '');
  const regex = compileRegex(`^(?s:${translate([...trimmed])})$`);
  const matches = (text: string): boolean => budget.ask((charge) => matchesText(regex, text, charge));
  if (!trimmed.includes('/')) return (path) => path.split('/').some((name) => matches(name));
  return (path) => matches(path.replace(/^(?:\.\/)+/, ''));
}

/** How another program reads patterns: whether its wildcards match a slash, and whether braces are alternatives. */
interface Dialect {
  matchesSlash: boolean;
  braces: boolean;
}

/** Returns a test for whole paths as another program reads the pattern. A backslash quotes the next character. */
export function patternTest(pattern: string, dialect: Dialect, budget = new GlobBudget()): (path: string) => boolean {
  const regex = compileRegex(`^(?s:${translate([...pattern.replaceAll('[^', '[!')], dialect)})$`);
  return (path) => budget.ask((charge) => matchesText(regex, path, charge));
}

function translate(pattern: readonly string[], dialect?: Dialect): string {
  const closing = dialect?.braces === false ? new Map<number, number>() : closingBraces(pattern);
  const wildcard = dialect?.matchesSlash ? '.' : '[^/]';
  const sets: Sets = { lastClosing: pattern.lastIndexOf(']') };
  /** For each open brace its closing position. */
  const open: number[] = [];
  let regex = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] as string;
    const end = closing.get(at);
    const set = char === '[' ? setAt(pattern, at, sets) : undefined;
    if (dialect !== undefined && char === '\\' && at + 1 < pattern.length) {
      at += 1;
      regex += quoted(pattern[at] as string);
    } else if (dialect !== undefined && char === '*') regex += `${wildcard}*`;
    else if (char === '*') {
      const stars = starsAt(pattern, at);
      regex += stars.regex;
      at = stars.end - 1;
    } else if (dialect === undefined && char === '/' && isRest(pattern, at)) {
      regex += '(?:/.*)?';
      break;
    } else if (char === '?') regex += wildcard;
    else if (set !== undefined) {
      regex += set.regex;
      at = set.end - 1;
    } else if (end !== undefined) {
      open.push(end);
      regex += '(?:';
    } else if (at === open.at(-1)) {
      open.pop();
      regex += ')';
    } else regex += char === ',' && open.length > 0 ? '|' : quoted(char);
  }
  return regex;
}

/** `/**` at the end matches the folder and all below. */
const isRest = (pattern: readonly string[], at: number): boolean =>
  at + 3 === pattern.length && pattern[at + 1] === '*' && pattern[at + 2] === '*';

/**
 * Reads any number of stars: one matches within a name, more match across folders, and followed by a slash whole
 * folders.
 */
function starsAt(pattern: readonly string[], start: number): { regex: string; end: number } {
  let end = start;
  while (pattern[end] === '*') end += 1;
  if (end - start === 1) return { regex: '[^/]*', end };
  return pattern[end] === '/' ? { regex: '(?:[^/]+/)*', end: end + 1 } : { regex: '.*', end };
}

/** Returns the position of each closing brace; braces in a set do not count. */
function closingBraces(pattern: readonly string[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  const sets: Sets = { lastClosing: pattern.lastIndexOf(']') };
  for (let at = 0; at < pattern.length; at += 1) {
    const set = pattern[at] === '[' ? setAt(pattern, at, sets) : undefined;
    if (set !== undefined) at = set.end - 1;
    else if (pattern[at] === '{') open.push(at);
    else if (pattern[at] === '}') {
      const start = open.pop();
      if (start !== undefined) closing.set(start, at);
    }
  }
  return closing;
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
