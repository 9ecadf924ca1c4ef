import { type ReportFormat, type ReportInput, writeReport } from '../authoring/reports/index.ts';
import {
  type Code,
  condense,
  hasErrors,
  isError,
  type Report,
  type Text,
  trusted,
  wanted,
} from '../core/diagnostics/index.ts';
import { textsByFile } from '../core/model/object.ts';
import type { Settings } from '../render/options/index.ts';
import { formatDiagnostics, toDiagnostics } from '../yaml/locate/index.ts';
import { exitCode, hasColors, type Io, type Output } from './output.ts';
import { reportTargets, writeReportFiles } from './report.ts';

/** What the end of a command needs to know of its invocation. */
export interface Ending {
  io: Io;
  version: string;
  name: string;
  settings: Pick<Settings, 'quiet' | 'verbose' | 'report' | 'color'>;
  /** Whether JSON was requested: then errors are JSON too. */
  wantsJson: boolean;
  /** The maximum number of annotations; default: all. */
  most?: number;
}

/** Prints the output of `write` unless there are errors, and all reports. Returns the exit code. */
export const conclude = (ending: Ending, reports: readonly Report[], write: () => Output = () => []): number =>
  concludePartly(ending, reports, hasErrors(reports) ? () => [] : write);

/** Folds reports for people; programs get all of them. */
type ForPeople = (reports: readonly Report[]) => readonly Report[];
const all: ForPeople = (reports) => reports;

/** Prints the output of `write`, even after errors, and all reports. Returns the exit code. */
export function concludePartly(
  ending: Ending,
  reports: readonly Report[],
  write: () => Output,
  forPeople = all,
): number {
  const failed = hasErrors(reports);
  // The whole output is computed before its first byte is written.
  const output = write();
  const inputFor = (format: ReportFormat): ReportInput => reportInput(ending, reports, format, forPeople);
  const unwritten = writeReportFiles(ending.settings, inputFor, textOf);
  printReports(ending, [...reports, ...unwritten], forPeople);
  ending.io.stdout(output);
  return failed || unwritten.length > 0 ? exitCode.input : exitCode.ok;
}

/** Prints reports to standard error, in the requested format. Errors are JSON if JSON was requested. */
export function printReports(ending: Ending, reports: readonly Report[], forPeople = all): void {
  const { settings, io, wantsJson } = ending;
  const format = reportTargets(settings).printed ?? (wantsJson && hasErrors(reports) ? 'json' : 'text');
  const input = reportInput(ending, reports, format, forPeople);
  // Asking whether a stream is a terminal loads it, which takes longer than a small rendering.
  input.colors = input.diagnostics.length > 0 && hasColors(ending, 'stderr');
  io.stderr(format === 'text' ? textOf(input) : writeReport(format, input));
}

/** Reports a usage error. Returns the exit code. */
export function refuse(fault: string, ending: Ending): number {
  printReports(ending, [{ code: 'command-line', message: trusted.argument(fault), path: [] }]);
  return exitCode.usage;
}

/** Ends a command with one error. Returns the exit code. */
export const fail = (code: Code, message: Text, ending: Ending): number =>
  conclude(ending, [{ code, message, path: [] }]);

const textOf = ({ diagnostics, sources, colors }: ReportInput): string =>
  formatDiagnostics(diagnostics, sources, colors);

/** Programs get unfolded reports, including infos. */
function reportInput(
  { name, version, settings, most }: Ending,
  reports: readonly Report[],
  format: ReportFormat,
  forPeople: ForPeople,
): ReportInput {
  const { quiet, verbose } = settings;
  const given = format === 'text' ? forPeople(reports) : reports;
  const shown =
    format === 'json' ? wanted(given, { quiet, verbose: true }) : condense(wanted(given, { quiet, verbose }));
  const { diagnostics, sources } = located(shown);
  const names = new Set(diagnostics.flatMap(({ file }) => file ?? []));
  return {
    ...{ command: name, version, diagnostics, sources, colors: false },
    ...(most !== undefined && { most }),
    files: [...names].map((file) => ({ file, objects: [] })),
  };
}

/** Returns reports with their locations, which are computed now, and the texts of the locations. */
const located = (reports: readonly Report[]): Pick<ReportInput, 'diagnostics' | 'sources'> => ({
  diagnostics: toDiagnostics(reports),
  sources: textsByFile(reports),
});

/** Returns the reports for runners, which show the first lines, or all if the exit code is not 0. */
export const forRunners = (reports: readonly Report[]): Report[] => [
  ...reports.filter(isError),
  ...reports.filter(({ severity }) => severity === 'warning'),
];

export function runnerText(reports: readonly Report[]): string {
  const { diagnostics, sources } = located(condense(forRunners(reports)));
  return formatDiagnostics(diagnostics, sources);
}
