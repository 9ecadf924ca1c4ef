import { type ReportInput, writeReport } from '../authoring/reports/index.ts';
import { type Ending, printReports } from './conclude.ts';
import { exitCode, hasColors, printedAs } from './output.ts';
import { reportTargets, writeReportFiles } from './report.ts';

/** The output formats of a command that prints a report and no objects. */
export const reportFormat = printedAs(
  ['text', 'json', 'sarif', 'github', 'junit'],
  'The format of the report, as --report FORMAT.',
);

/** The result of such a command. */
export type Reported = Pick<
  ReportInput,
  'diagnostics' | 'complete' | 'files' | 'sources' | 'verbose' | 'hidden' | 'instances'
>;

interface ReportEnding extends Ending {
  settings: Ending['settings'] & { output: (typeof reportFormat)['default'] };
}

/** Returns the format in which a command prints its report. */
export const printedFormat = ({ settings }: ReportEnding): (typeof reportFormat)['default'] =>
  reportTargets(settings).printed ?? settings.output;

/** Prints a report, and writes it to the requested files. Returns the exit code, or that of a failed write. */
export function concludeReport(
  ending: ReportEnding,
  found: Reported,
  code: number,
  text: (input: ReportInput) => string = (given) => writeReport('text', given),
): number {
  const { name, version, settings, io } = ending;
  const input = { ...found, command: name, version, colors: hasColors(ending, 'stdout') };
  const format = printedFormat(ending);
  // All formats are computed before the first one is written.
  const printed = format === 'text' ? text(input) : writeReport(format, input);
  const unwritten = writeReportFiles(settings, () => input, text);
  io.stdout([printed]);
  if (unwritten.length === 0) return code;
  printReports(ending, unwritten);
  return exitCode.input;
}
