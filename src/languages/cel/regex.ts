import type { RE2JS } from 're2js';
import { compileRe2 } from './re2.ts';

/**
 * A cache of the most recently used values, up to a total size. Two of them with the same capacity and the same uses
 * contain the same keys, so that a budget can predict what the engine has cached, whatever else ran before.
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
