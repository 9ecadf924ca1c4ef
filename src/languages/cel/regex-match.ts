import type { RE2JS } from 're2js';
import { type Budget, isExhausted } from './budget.ts';

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
    const [start, end] = [matcher.start(), matcher.end()];
    const isEmpty = start === end;
    if (!(isEmpty && start === previousEnd)) {
      yield {
        start,
        end,
        group: (index) => (index <= matcher.groupCount() ? (matcher.group(index) ?? undefined) : undefined),
        named: (name) => (name in pattern.namedGroups() ? (matcher.group(name) ?? undefined) : undefined),
      };
      previousEnd = end;
    }
    from = isEmpty ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
}

export function firstMatch(pattern: RE2JS, text: string, charge: Charge): Match | undefined {
  for (const match of matchesOf(pattern, text, charge)) return match;
  return undefined;
}

/**
 * Reports whether a pattern matches somewhere in a text. It does not use `pattern.test`, which builds an automaton
 * lazily: a state may cost as much as thousands of characters, depending on earlier matches.
 */
export const matchesText = (pattern: RE2JS, text: string, charge: Charge): boolean =>
  firstMatch(pattern, text, charge) !== undefined;

/** A compiled pattern. */
export type Regex = RE2JS;

const OUT_OF_BUDGET = Symbol('out of budget');

/** Does the same for a pattern outside of expressions: returns `undefined` if the text exceeds the remaining budget. */
export function matchesWithin(pattern: Regex, text: string, budget: Budget): boolean | undefined {
  return matchesWhile(pattern, text, (steps) => {
    budget.steps += steps;
    return !isExhausted(budget);
  });
}

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
