/** The maximum steps of all globs of an invocation. */
const MAX_STEPS = 5_000_000;
/** The steps that each test adds. A name of 50 characters takes some hundreds. */
const STEPS_PER_QUESTION = 1000;

const FULL = Symbol('full');

/**
 * The shared budget of several globs: it grows with the number of tests. If it is exhausted, no path matches any more,
 * and the caller must report it.
 */
export class GlobBudget {
  #left = MAX_STEPS;

  get isFull(): boolean {
    return this.#left < 0;
  }

  /** Returns the result of a test that charges its cost; false if it exceeds the budget. */
  ask(question: (charge: (steps: number) => void) => boolean): boolean {
    if (this.isFull) return false;
    this.#left += STEPS_PER_QUESTION;
    try {
      return question((steps) => {
        this.#left -= steps;
        if (this.#left < 0) throw FULL;
      });
    } catch (error) {
      if (error === FULL) return false;
      throw error;
    }
  }
}
