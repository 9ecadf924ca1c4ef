import { allowance, GLOB_STEPS, GLOB_STEPS_EACH, spend } from '../../core/model/limits.ts';
import { compileRegex, matchesWhile, type Regex } from '../cel/index.ts';

/** The shared budget of several globs, which grows with each test; the caller must report that it is exhausted. */
export class GlobBudget {
  readonly #steps = allowance(GLOB_STEPS);

  get isFull(): boolean {
    return this.#steps.left < 0;
  }

  /** Reports whether a text matches; false if the test exceeds the budget. */
  matches(regex: Regex, text: string): boolean {
    if (this.isFull) return false;
    this.#steps.left += GLOB_STEPS_EACH;
    return matchesWhile(regex, text, (steps) => spend(this.#steps, steps)) ?? false;
  }
}

/** Returns a set, `[a-z]` or `[!a-z]`, as RE2. It cannot contain a slash. */
function setRegex(set: string): string {
  const negated = set[1] === '!';
  const ranges = rangesOf([...set.slice(negated ? 2 : 1, -1)]);
  if (negated) return `[^/${ranges.map(written).join('')}]`;
  const inside = ranges.flatMap(withoutSlash);
  return inside.length === 0 ? NOTHING : `[${inside.map(written).join('')}]`;
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
  const regex = compileRegex(`^(?s:${translate(trimmed)})$`);
  if (!trimmed.includes('/')) return (path) => path.split('/').some((name) => budget.matches(regex, name));
  return (path) => budget.matches(regex, path.replace(/^(?:\.\/)+/, ''));
}

/** How another program reads patterns: whether its wildcards match a slash, and whether braces are alternatives. */
interface Dialect {
  matchesSlash: boolean;
  braces: boolean;
}

/** Returns a test for whole paths as another program reads the pattern. A backslash quotes the next character. */
export function patternTest(pattern: string, dialect: Dialect, budget = new GlobBudget()): (path: string) => boolean {
  const regex = compileRegex(`^(?s:${translate(pattern.replaceAll('[^', '[!'), dialect)})$`);
  return (path) => budget.matches(regex, path);
}

/** A set has a member, so a bracket at its start is one. */
const SET = String.raw`\[(?:!|(?!!))[\s\S][^\]]*\]`;
const GLOB = String.raw`/\*\*$|\*\*+/?|[\s\S]`;
const OF_OTHERS = String.raw`\\[\s\S]|[\s\S]`;

function translate(pattern: string, dialect?: Dialect): string {
  const part = dialect === undefined ? GLOB : OF_OTHERS;
  // No set is closed after the last bracket: searches for one would take long.
  const end = pattern.lastIndexOf(']') + 1;
  const parts = [
    ...(pattern.slice(0, end).match(new RegExp(`${SET}|${part}`, 'gu')) ?? []),
    ...(pattern.slice(end).match(new RegExp(part, 'gu')) ?? []),
  ];
  const braces = dialect?.braces === false ? new Set<number>() : closedBraces(parts);
  const wildcard = dialect?.matchesSlash ? '.' : '[^/]';
  let depth = 0;
  const regexes = parts.map((one, at) => {
    if (braces.has(at)) depth += one === '{' ? 1 : -1;
    if (braces.has(at)) return one === '{' ? '(?:' : ')';
    if (one === ',' && depth > 0) return '|';
    if (one === '/**') return '(?:/.*)?';
    // More than one star match across folders, and followed by a slash whole folders.
    if (one.startsWith('**')) return one.endsWith('/') ? '(?:[^/]+/)*' : '.*';
    if (one === '*' || one === '?') return one === '*' ? `${wildcard}*` : wildcard;
    if (one.length > 2 && one.startsWith('[')) return setRegex(one);
    return quoted(dialect === undefined ? one : one.replace(/^\\(?=.)/s, ''));
  });
  return regexes.join('');
}

/** Returns the positions of braces that belong together; others are literal. */
function closedBraces(parts: readonly string[]): ReadonlySet<number> {
  const closed = new Set<number>();
  const open: number[] = [];
  for (const [at, part] of parts.entries()) {
    if (part === '{') open.push(at);
    const start = part === '}' ? open.pop() : undefined;
    if (start !== undefined) closed.add(start).add(at);
  }
  return closed;
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
