import type { RE2JS } from 're2js';
import { type Budget, isExhausted } from './budget.ts';

/** Counts steps of a budget. @throws when nothing is left */
export type Charge = (steps: number) => void;

/** A character of a text may meet every instruction of the compiled pattern: so many of these take a step. */
const INSTRUCTIONS_PER_STEP = 3;
/** Preparing a search. */
const SEARCH_STEPS = 20;
const PREPARED_PER_STEP = 64;
/** Characters that are passed over in search of a literal. */
const SKIPPED_PER_STEP = 128;

/** A text that counts how far a search has read in it: only that tells what matching takes. */
class CountedText extends String {
  /** Where the present search has read to. */
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

/** The matches that do not overlap, an empty one right behind another left out, as Go finds them. */
export function* matchesOf(pattern: RE2JS, text: string, charge: Charge): Generator<Match> {
  const size = pattern.programSize();
  const counted = new CountedText(text, size / INSTRUCTIONS_PER_STEP, charge);
  // The matcher takes any object that is like a string.
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

/** The first match. */
export function firstMatch(pattern: RE2JS, text: string, charge: Charge): Match | undefined {
  for (const match of matchesOf(pattern, text, charge)) return match;
  return undefined;
}

/**
 * Whether a pattern matches somewhere in a text. It is not `pattern.test`, which builds an automaton as it goes: a
 * state of one may take as long as thousands of characters, and which are at hand depends on what was matched before.
 */
export const matchesText = (pattern: RE2JS, text: string, charge: Charge): boolean =>
  firstMatch(pattern, text, charge) !== undefined;

/** A compiled pattern. */
export type Regex = RE2JS;

const OUT_OF_BUDGET = Symbol('out of budget');

/**
 * The same for a pattern that is no part of an expression: `undefined` when the text takes more than what is left of
 * a budget.
 */
export function matchesWithin(pattern: Regex, text: string, budget: Budget): boolean | undefined {
  return matchesWhile(pattern, text, (steps) => {
    budget.steps += steps;
    return !isExhausted(budget);
  });
}

/** Whether a text matches; `undefined` as soon as `spend` says that there is nothing left. */
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
