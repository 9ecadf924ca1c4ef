import type { Code } from './codes.ts';
import { isError, type Report, type Severity } from './diagnostic.ts';
import { publicText } from './message.ts';

/** As many errors as anybody reads. What is found after them is found again when these are fixed. */
export const MAX_ERRORS = 1000;
/** As many warnings, or infos, of one code as anybody reads. More of them are counted. */
const MAX_ALIKE = 1000;

type Mild = Exclude<Severity, 'error'>;

interface Tally {
  code: Code;
  severity: Mild;
  reported: number;
  counted: number;
}

/**
 * What a verb finds, in the order in which it is found. Each verb makes one, hands it to its steps, which only add to it,
 * and gives back what is in it as a value.
 */
export class Collector {
  readonly #all: Report[] = [];
  readonly #whole: Collector | undefined;
  #errors = 0;
  readonly #tallies: Record<Mild, Map<Code, Tally>> = { warning: new Map(), info: new Map() };

  constructor(whole?: Collector) {
    this.#whole = whole;
  }

  /** Everything found so far; one report stands for those of a code that were counted only. */
  get all(): readonly Report[] {
    const { warning, info } = this.#tallies;
    const counted = [...warning.values(), ...info.values()].filter((tally) => tally.counted > 0);
    return counted.length === 0 ? this.#all : [...this.#all, ...counted.map(countedReport)];
  }

  /** Whether there is an error among them: what follows from them must not be used then. */
  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** Whether there are so many errors that looking for more, and for hints about them, is in vain. */
  get limitReached(): boolean {
    return this.#whole?.limitReached ?? this.#errors >= MAX_ERRORS;
  }

  [Symbol.iterator](): Iterator<Report> {
    return this.all.values();
  }

  add(report: Report): void {
    const { severity = 'error', count } = report;
    if (count !== undefined && severity !== 'error') {
      this.count(report.code, severity, count);
      return;
    }
    if (this.#takes(report)) this.#all.push(report);
    if (isError(report)) this.#errors += 1;
    this.#whole?.add(report);
  }

  /** How many more warnings or infos of a code are taken; what is beyond need not be made, only counted. */
  remainingFor(code: Code, severity: Mild): number {
    return MAX_ALIKE - this.#tally(code, severity).reported;
  }

  /** Counts warnings or infos that are not made. */
  count(code: Code, severity: Mild, count = 1): void {
    this.#tally(code, severity).counted += count;
    this.#whole?.count(code, severity, count);
  }

  /** Errors all have to be mended, and those that are alike become one report. */
  #takes(report: Report): boolean {
    if (isError(report) || report.alike !== undefined) return true;
    const tally = this.#tally(report.code, report.severity as Mild);
    const isTaken = tally.reported < MAX_ALIKE;
    if (isTaken) tally.reported += 1;
    else tally.counted += 1;
    return isTaken;
  }

  #tally(code: Code, severity: Mild): Tally {
    const known = this.#tallies[severity].get(code);
    if (known !== undefined) return known;
    const tally = { code, severity, reported: 0, counted: 0 };
    this.#tallies[severity].set(code, tally);
    return tally;
  }

  addAll(reports: Iterable<Report>): void {
    for (const report of reports) this.add(report);
  }

  /** Puts other reports in the place of all so far: some of them are reported otherwise once everything is known. */
  replaceAll(reports: readonly Report[]): void {
    const reported = [...reports];
    this.#all.length = 0;
    this.#errors = 0;
    for (const tallies of Object.values(this.#tallies)) tallies.clear();
    this.addAll(reported);
  }

  /** For a step whose own finds matter: what is added to the part is added here too. */
  part(): Collector {
    return new Collector(this);
  }
}

const countedReport = ({ code, severity, counted: count }: Tally): Report => ({
  code,
  severity,
  message: publicText`${count} more ${severity}s of this kind are not shown`,
  path: [],
  count,
});
