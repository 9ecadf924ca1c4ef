import type { RE2JS } from 're2js';
import { compileRe2 } from './re2.ts';

/**
 * A cache of the most recently used values, up to a total size. Its keys depend on its uses alone, so that a budget can
 * predict what the engine has cached.
 */
class Recent<V> {
  readonly #entries = new Map<string, { value: V; size: number }>();
  #total = 0;

  constructor(private readonly capacity: number) {}

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds a missing key; the newest one stays whatever its size is. */
  add(key: string, value: V, size: number): void {
    this.#entries.set(key, { value, size });
    this.#total += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#total <= this.capacity || oldest === key) return;
      this.#entries.delete(oldest);
      this.#total -= entry.size;
    }
  }
}

/** The size of the cache, in units of `patternSize`: up to 130 bytes each. */
const CACHE_SIZE = 300_000;

/** The maximum of nested counted repetitions in RE2. */
const MAX_COPIES = 1000;

const cache = new Recent<RE2JS>(CACHE_SIZE);

/**
 * Compiles an RE2 pattern (https://github.com/google/re2/wiki/Syntax), the dialect of CEL and of schema patterns; it
 * matches in linear time: see `matchesText` and `matchesOf`. Compiled patterns are cached, because most are used again
 * for the next item or instance.
 * @throws EvaluationError (failure) with the message of Go's regexp package
 */
export function compileRegex(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = compileRe2(pattern);
  cache.add(pattern, compiled, patternSize(pattern));
  return compiled;
}

/** Patterns that a budget has paid for and that are still cached. */
export type PaidPatterns = Recent<true>;

export const noPatternPaid = (): PaidPatterns => new Recent<true>(CACHE_SIZE);

/** Returns the steps of compiling a pattern, unless it is cached. */
export function compileWork(pattern: string, paid: PaidPatterns): number {
  if (paid.get(pattern) !== undefined) return 0;
  const size = patternSize(pattern);
  paid.add(pattern, true, size);
  return size * STEPS_PER_SIZE;
}

/** The minimum size of a compiled pattern, in characters. */
const SMALLEST = 25;
const STEPS_PER_SIZE = 30;

/** Returns the size of a compiled pattern, in characters. */
export const patternSize = (pattern: string): number => SMALLEST + unrolled(pattern);

/** Returns an upper bound for the length of a pattern with expanded repetitions. */
function unrolled(pattern: string): number {
  let copies = 1;
  for (const [, least = '', most = ''] of pattern.matchAll(/\{([0-9]{1,4})(?:,([0-9]{0,4}))?\}/g)) {
    copies = Math.min(MAX_COPIES, copies * Math.max(1, Number(least), Number(most)));
  }
  return pattern.length * copies;
}

/** Counts steps of a budget. @throws if it is exhausted */
export type Charge = (steps: number) => void;

/** A character may be tested against every instruction of the compiled pattern: the number of tests per step. */
const INSTRUCTIONS_PER_STEP = 3;
/** Preparing a search. */
const SEARCH_STEPS = 20;
const PREPARED_PER_STEP = 64;
/** Characters that are skipped in search of a literal, per step. */
const SKIPPED_PER_STEP = 128;

/** A text that records how far a search has read, which is the cost of matching. */
class CountedText extends String {
  /** The end of the current search. */
  #reached = 0;

  constructor(
    text: string,
    private readonly price: number,
    private readonly charge: Charge,
  ) {
    super(text);
  }

  startAt(index: number): void {
    this.#reached = index;
  }

  override charCodeAt(index: number): number {
    if (index >= this.#reached) {
      this.charge(this.price);
      this.#reached = index + 1;
    }
    return super.charCodeAt(index);
  }

  override indexOf(wanted: string, from = 0): number {
    const found = super.indexOf(wanted, from);
    this.charge(((found < 0 ? this.length : found) - from) / SKIPPED_PER_STEP);
    return found;
  }
}

export interface Match {
  start: number;
  end: number;
  group(index: number): string | undefined;
  named(name: string): string | undefined;
}

/** Returns the matches that do not overlap, without an empty one directly after another, as in Go. */
export function* matchesOf(pattern: RE2JS, text: string, charge: Charge): Generator<Match> {
  const size = pattern.programSize();
  const counted = new CountedText(text, size / INSTRUCTIONS_PER_STEP, charge);
  // The matcher accepts any string-like object.
  const matcher = pattern.matcher(counted as unknown as string);
  let previousEnd = -1;
  let from = 0;
  while (from <= text.length) {
    charge(SEARCH_STEPS + size / PREPARED_PER_STEP);
    counted.startAt(from);
    if (!matcher.find(from)) return;
    const start = matcher.start();
    const end = matcher.end();
    const isEmpty = start === end;
    if (!(isEmpty && start === previousEnd)) {
      yield {
        start,
        end,
        group: (index) => (index <= matcher.groupCount() ? (matcher.group(index) ?? undefined) : undefined),
        named: (name) => (Object.hasOwn(pattern.namedGroups(), name) ? (matcher.group(name) ?? undefined) : undefined),
      };
      previousEnd = end;
    }
    from = isEmpty ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
}

export const firstMatch = (pattern: RE2JS, text: string, charge: Charge): Match | undefined =>
  matchesOf(pattern, text, charge).next().value || undefined;

/** Reports whether a pattern matches somewhere. `pattern.test` would build an automaton, whose cost varies. */
export const matchesText = (pattern: RE2JS, text: string, charge: Charge): boolean =>
  firstMatch(pattern, text, charge) !== undefined;

export type Regex = RE2JS;

const OUT_OF_BUDGET = Symbol('out of budget');

/** Reports whether a text matches; returns `undefined` as soon as `spend` reports that nothing is left. */
export function matchesWhile(pattern: Regex, text: string, spend: (steps: number) => boolean): boolean | undefined {
  try {
    return matchesText(pattern, text, (steps) => {
      if (!spend(steps)) throw OUT_OF_BUDGET;
    });
  } catch (error) {
    if (error === OUT_OF_BUDGET) return undefined;
    throw error;
  }
}
