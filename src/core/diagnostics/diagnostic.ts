import table from '../../../data/diagnostics.json';
import { getOrCompute } from '../model/lazily.ts';
import { MAX_ALIKE, MAX_ERRORS } from '../model/limits.ts';
import type { Source } from '../model/object.ts';
import type { Path } from '../model/value.ts';
import type { Remedy } from '../text/hint.ts';
import type { ArgumentsOf } from './arguments.ts';
import { composeText, type Message, type Text } from './message.ts';

/** The step or command that reports a code. */
export type Stage = keyof typeof table;

/** The name of a diagnostic code. Codes never change their meaning; message texts may. */
export type Code = { [S in Stage]: keyof (typeof table)[S] }[Stage];

interface CodeEntry {
  stage: Stage;
  meaning: string;
  remedy: string;
}

/** Every code by its name, in the order of `docs/diagnostics.md`, which is generated from the same table. */
export const codes = Object.fromEntries(
  Object.entries(table).flatMap(([stage, entries]) =>
    Object.entries(entries).map(([code, { meaning, remedy }]) => [code, { stage, meaning, remedy }]),
  ),
) as Readonly<Record<Code, CodeEntry>>;

export type Severity = 'error' | 'warning' | 'info';

export interface RelatedLocation {
  message: Text;
  source: Source | undefined;
  path: Path;
}

/** The finished form of a related location. */
export interface Related {
  file: string;
  line?: number;
  column?: number;
  message: string;
}

/**
 * A problem in one object, before its location in a file is known. `path` is relative to the object; `offset` counts
 * UTF-16 units inside the scalar at `path` (for expressions).
 */
export interface Problem {
  code: Code;
  message: Message;
  path: Path;
  offset?: number | undefined;
  hint?: Message | undefined;
  /** What the message says, as data: docs/diagnostics.md lists the names for each code. They are stable. */
  args?: ArgumentsOf<Message> | undefined;
  /** The public part of `path`; defaults to all of it. */
  field?: Path | undefined;
  /** Defaults to 'error'. */
  severity?: Severity | undefined;
  /** Another location of the problem, such as that of the first of two duplicates. */
  related?: readonly RelatedLocation[] | undefined;
  /** Warnings and infos of one code with the same key are printed once, with the count; so are some errors. */
  alike?: string | undefined;
  /** Warnings of one code that have this become one line after all others. */
  listed?: Listed | undefined;
  /** Whether it may be no problem: an operator may handle the object. */
  isDoubtful?: boolean | undefined;
}

/** The content of one line about several subjects, instead of a warning for each. */
export interface Listed {
  subject: Text;
  /** The common message. The subjects follow it. */
  message: Text;
  /** The fix for this subject, if it differs: `did you mean ...?` */
  note?: Text | undefined;
  /** The fix for all of them. `ITEMS ` is replaced by the items of all, or removed if there are too many. */
  hint: Text;
  item: string;
}

export const isError = ({ severity = 'error' }: Pick<Problem, 'severity'>): boolean => severity === 'error';

/** A problem that people may read, with its object, node and source. */
export interface Report extends Omit<Problem, 'message' | 'hint' | 'args'> {
  message: Text;
  hint?: Text | undefined;
  /** What the message says, as data, without values of Secrets. */
  args?: ArgumentsOf<string> | undefined;
  /** What the hint says, as data. */
  remedies?: readonly Remedy[] | undefined;
  /** The number of counted reports that it represents. */
  count?: number | undefined;
  /** `Kind/name`, or the bare name for an RGD. */
  object?: Text | undefined;
  /** The kind and the name in `object`, unless a Secret may have written even the kind. */
  subject?: { readonly kind: Text; readonly name: Text } | undefined;
  /** The namespace of the object, if it has one that may be shown. */
  namespace?: Text | undefined;
  node?: string | undefined;
  source?: Source | undefined;
  /** The instance of a problem whose `source` is its RGD. */
  instance?: Source | undefined;
  /** A file that shows the problem. */
  reproduction?: Text | undefined;
  /** The position in the text of `source`, if `path` cannot express it: in a text that does not parse. */
  position?: { line: number; column: number } | undefined;
}

/** Reports whether one of them is an error: its consequences must not be used. */
export const hasErrors = (reports: readonly Pick<Problem, 'severity'>[]): boolean => reports.some(isError);

/** A place in a file. */
export interface DiagnosticLocation {
  file: string;
  /** From 1. */
  line?: number;
  /** In UTF-16 units, from 1. */
  column?: number;
}

/** The finished form, as `--diagnostics json` prints it. */
export interface Diagnostic {
  severity: Severity;
  /** The code. A code never changes its meaning, a message may: docs/diagnostics.md lists them. */
  code: Code;
  stage: Stage;
  /** `Kind/name`, or the bare name for an RGD. */
  object?: string;
  /** The namespace of the object. */
  namespace?: string;
  /** The id of the node. */
  node?: string;
  /** The field in the object: `spec.ports[0].name`. */
  field?: string;
  file?: string;
  /** From 1. */
  line?: number;
  /** In UTF-16 units, from 1. */
  column?: number;
  /** One past the last column, if the whole range is on the line. */
  endColumn?: number;
  message: string;
  /** How to fix it. */
  hint?: string;
  /** What the message says, as data. The names of a code never change their meaning: docs/diagnostics.md lists them. */
  args?: ArgumentsOf<string>;
  /** What the hint says, as data: each has a kind and its arguments. */
  remedies?: readonly Remedy[];
  /** The location of the instance, if the problem is at another one: in its RGD. */
  instance?: DiagnosticLocation;
  /** Related locations, such as that of the first of two objects of one name; the message names them too. */
  related?: Related[];
  /** A file that shows the problem: instances that a schema accepts. */
  reproduction?: string;
}

/** The fields of a diagnostic, in printed order. */
export const DIAGNOSTIC_FIELDS = [
  'severity',
  'code',
  'stage',
  'object',
  'namespace',
  'node',
  'field',
  'file',
  'line',
  'column',
  'endColumn',
  'message',
  'hint',
  'args',
  'remedies',
  'instance',
  'related',
  'reproduction',
] as const satisfies readonly (keyof Diagnostic)[];

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

  /** Whether there are errors beyond those that are shown, so that nothing more need be found to say so. */
  get limitExceeded(): boolean {
    return this.whole?.limitExceeded ?? this.#errors > MAX_ERRORS;
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
