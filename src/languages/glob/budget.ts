/** What all globs of an invocation may take, in steps of matching, whatever they are asked. */
const MAX_STEPS = 5_000_000;
/** What each question adds. A name of 50 characters takes some hundreds. */
const STEPS_PER_QUESTION = 1000;

const FULL = Symbol('full');

/**
 * What several globs may take together: it grows with the number of questions, and no faster. When nothing is left, no
 * path matches any more, and whoever asked has to report it.
 */
export class GlobBudget {
  #left = MAX_STEPS;

  get isFull(): boolean {
    return this.#left < 0;
  }

  /** The answer of a question that charges what it takes; false when that is more than there is. */
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
