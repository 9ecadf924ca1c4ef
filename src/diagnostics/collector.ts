import { isError, type Report } from './diagnostic.ts';

/** As many errors as anybody reads. What is found after them is found again when these are mended. */
export const MAX_ERRORS = 1000;

/**
 * What a verb finds, in the order in which it is found. Each verb makes one, hands it to its steps, which only add to it,
 * and gives back what is in it as a value.
 */
export class Collector {
  readonly #all: Report[] = [];
  readonly #whole: Collector | undefined;
  #errors = 0;

  constructor(whole?: Collector) {
    this.#whole = whole;
  }

  /** Everything found so far. */
  get all(): readonly Report[] {
    return this.#all;
  }

  /** Whether there is an error among them: what follows from them must not be used then. */
  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** Whether there are so many errors that looking for more, and for hints about them, is in vain. */
  get hasEnough(): boolean {
    return this.#whole?.hasEnough ?? this.#errors >= MAX_ERRORS;
  }

  [Symbol.iterator](): Iterator<Report> {
    return this.#all.values();
  }

  add(report: Report): void {
    this.#all.push(report);
    if (isError(report)) this.#errors += 1;
    this.#whole?.add(report);
  }

  addAll(reports: Iterable<Report>): void {
    for (const report of reports) this.add(report);
  }

  /** Puts other reports in the place of all so far: some of them are told otherwise once everything is known. */
  retell(reports: readonly Report[]): void {
    const told = [...reports];
    this.#all.length = 0;
    this.#errors = 0;
    this.addAll(told);
  }

  /** For a step whose own finds matter: what is added to the part is added here too. */
  part(): Collector {
    return new Collector(this);
  }
}
