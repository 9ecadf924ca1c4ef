import { getOrCompute } from '../model/lazily.ts';
import { MAX_ALIKE, MAX_ERRORS } from '../model/limits.ts';
import { type Code, isError, type Report, type Severity } from './diagnostic.ts';
import { composeText } from './message.ts';

type Mild = Exclude<Severity, 'error'>;

interface Tally {
  code: Code;
  severity: Mild;
  reported: number;
  counted: number;
}

/** Collects the diagnostics of a command, in order. Its steps only add to it. */
export class Collector {
  readonly #all: Report[] = [];
  #errors = 0;
  readonly #tallies: Record<Mild, Map<Code, Tally>> = { warning: new Map(), info: new Map() };

  constructor(private readonly whole?: Collector) {}

  /** All diagnostics so far; one report represents those of a code that were only counted. */
  get all(): readonly Report[] {
    const { warning, info } = this.#tallies;
    const counted = [...warning.values(), ...info.values()].filter((tally) => tally.counted > 0);
    return counted.length === 0 ? this.#all : [...this.#all, ...counted.map(countedReport)];
  }

  /** Whether there is an error: its consequences must not be used. */
  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** Whether there are so many errors that further checks and hints are useless. */
  get limitReached(): boolean {
    return this.whole?.limitReached ?? this.#errors >= MAX_ERRORS;
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
    this.whole?.add(report);
  }

  /** Returns how many more warnings or infos of a code are kept; further ones need only be counted. */
  remainingFor(code: Code, severity: Mild): number {
    return MAX_ALIKE - this.#tally(code, severity).reported;
  }

  /** Counts warnings or infos that are not created. */
  count(code: Code, severity: Mild, count = 1): void {
    this.#tally(code, severity).counted += count;
    this.whole?.count(code, severity, count);
  }

  /** All errors must be fixed, and similar ones become one report. */
  #takes(report: Report): boolean {
    if (isError(report) || report.alike !== undefined) return true;
    const tally = this.#tally(report.code, report.severity as Mild);
    const isTaken = tally.reported < MAX_ALIKE;
    tally[isTaken ? 'reported' : 'counted'] += 1;
    return isTaken;
  }

  #tally(code: Code, severity: Mild): Tally {
    return getOrCompute(this.#tallies[severity], code, () => ({ code, severity, reported: 0, counted: 0 }));
  }

  addAll(reports: Iterable<Report>): void {
    for (const report of reports) this.add(report);
  }

  /** Replaces all reports so far, because some of them change once everything is known. */
  replaceAll(reports: readonly Report[]): void {
    const reported = [...reports];
    this.#all.length = 0;
    this.#errors = 0;
    for (const tallies of Object.values(this.#tallies)) tallies.clear();
    this.addAll(reported);
  }

  /** Returns a collector for the reports of one step, which are added here too. */
  part(): Collector {
    return new Collector(this);
  }
}

const countedReport = ({ code, severity, counted: count }: Tally): Report => ({
  code,
  severity,
  message: composeText`${count} more ${severity}s of this kind are not shown`,
  path: [],
  count,
});
