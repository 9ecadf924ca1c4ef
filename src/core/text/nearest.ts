import { askFor, type Hint, hint } from './hint.ts';

/** The comparison of two names is quadratic; longer names are not typing errors of three letters. */
const MAX_LENGTH = 200;
const MAX_LIMIT = 3;
/** The maximum number of compared names, those of similar length, because there may be thousands of errors. */
const MAX_COMPARED = 200;

/**
 * Returns the candidates that `name` was probably intended to be, closest first: at most three letters, and a third of
 * them, are inserted, deleted, replaced or swapped with a neighbour. Case is ignored.
 */
export function nearest(name: string, candidates: Iterable<string>, max = 3): string[] {
  if (name.length > MAX_LENGTH) return [];
  const wanted = name.toLowerCase();
  const found: { candidate: string; distance: number }[] = [];
  const seen = new Set<string>();
  let looked = 0;
  for (const candidate of candidates) {
    const limit = Math.min(MAX_LIMIT, Math.floor((Math.min(name.length, candidate.length) + 1) / 3));
    if (Math.abs(candidate.length - name.length) > limit || candidate === name || seen.has(candidate)) continue;
    looked += 1;
    if (looked > MAX_COMPARED) break;
    seen.add(candidate);
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, max).map(({ candidate }) => candidate);
}

const BOOLEANS: readonly (readonly [RegExp, string])[] = [
  [/^(y|yes|on)$/i, 'true'],
  [/^(n|no|off)$/i, 'false'],
];

/** Returns the hint for a name that YAML 1.1 reads as a boolean as an unquoted key. */
function booleanKeyHint(name: string, candidates: readonly string[]): Hint | undefined {
  const [, read] = BOOLEANS.find(([pattern]) => pattern.test(name)) ?? [];
  // CEL escapes a field whose name is a reserved word like this.
  if (read === undefined || !candidates.some((one) => one === read || one === `__${read}__`)) return undefined;
  return hint(
    `YAML reads the key ${name} as a boolean, so it is called '${read}' there: put it in quotes where it is declared, "${name}"`,
  );
}

/** Returns the hint for a name that is none of the candidates, if it is similar to one of them. */
export function nearestHint(name: string, given: Iterable<string>, max?: number): Hint | undefined {
  const candidates = [...given];
  const boolean = booleanKeyHint(name, candidates);
  if (boolean !== undefined) return boolean;
  const close = nearest(name, candidates, max);
  return close.length === 0 ? undefined : askFor(close);
}

/** The text of `nearestHint`, for what is no file: options and arguments. */
export const didYouMean = (name: string, given: Iterable<string>, max?: number): string | undefined =>
  nearestHint(name, given, max)?.text;

/** Returns the optimal string alignment distance of two names from `i` and `j` on, or anything above `limit`. */
function editDistance(a: string, b: string, limit: number, i = 0, j = 0): number {
  let same = 0;
  while (i + same < a.length && a[i + same] === b[j + same]) same += 1;
  const x = i + same;
  const y = j + same;
  if (x >= a.length || y >= b.length) return Math.max(a.length - x, b.length - y);
  if (limit === 0 || Math.abs(a.length - x - b.length + y) > limit) return limit + 1;
  const after = (skipped: number, inserted: number): number =>
    1 + editDistance(a, b, limit - 1, x + skipped, y + inserted);
  const isSwapped = a[x] === b[y + 1] && a[x + 1] === b[y];
  return Math.min(after(1, 1), after(1, 0), after(0, 1), isSwapped ? after(2, 2) : Number.POSITIVE_INFINITY);
}

/** The meanings of words, from a table that has the words of each meaning, separated by spaces. */
export const meaningsByWord = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(table).flatMap(([meaning, words]) => words.split(' ').map((word) => [word, meaning] as const)),
  );

/** The words of a hint, and the names that can be written in place of them. */
interface HintedWords {
  readonly words: string;
  readonly to: string;
}

/** The hints for words, from a table that has the words of each hint, separated by spaces. */
export function hintsByWord(table: Readonly<Record<string, string | HintedWords>>): ReadonlyMap<string, Hint> {
  const found = new Map<string, Hint>();
  for (const [text, given] of Object.entries(table)) {
    const { words, to } = typeof given === 'string' ? { words: given, to: '' } : given;
    const remedied = to === '' ? hint(text) : askFor(to.split(' '), text);
    for (const word of words.split(' ')) found.set(word, remedied);
  }
  return found;
}
