import { lstatSync, writeFileSync } from 'node:fs';
import { type ReportFormat, type ReportInput, writeReport } from '../authoring/reports/index.ts';
import { type Report, trusted } from '../core/diagnostics/index.ts';
import type { Settings } from '../render/options/index.ts';
import { messageOf } from './file-system.ts';
import { replaceFile } from './write/index.ts';

/** The parsed values of `--report`, or their error. */
interface ReportTargets {
  /** The format on the terminal, if one is named. */
  printed: ReportFormat | undefined;
  files: readonly { format: ReportFormat; file: string }[];
  fault?: string;
}

export function reportTargets({ report }: Pick<Settings, 'report'>): ReportTargets {
  const targets = report.map((one) => {
    const equals = one.indexOf('=');
    const format = (equals < 0 ? one : one.slice(0, equals)) as ReportFormat;
    return { format, file: equals < 0 ? '' : one.slice(equals + 1) };
  });
  const printed = [...new Set(targets.flatMap(({ format, file }) => (file === '' ? [format] : [])))];
  if (printed.length > 1) {
    const fault = `--report: ${printed.join(' and ')} would both be printed; write one of them to a file: FORMAT=FILE`;
    return { printed: undefined, files: [], fault };
  }
  return { printed: printed[0], files: targets.filter(({ file }) => file !== '') };
}

/** Writes the files of `--report`; returns the errors. */
export function writeReportFiles(
  settings: Pick<Settings, 'report'>,
  input: (format: ReportFormat) => ReportInput,
  text: (input: ReportInput) => string,
): Report[] {
  return reportTargets(settings).files.flatMap(({ file, format }) => {
    const given = { ...input(format), colors: false };
    return writeText(file, format === 'text' ? text(given) : writeReport(format, given));
  });
}

/** Writes a file like a redirection of a shell, but regular files are replaced at once; returns the error. */
export function writeText(file: string, text: string): Report[] {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    const fault = stat === undefined || stat.isFile() ? replaceFile(file, [text]) : writeFileSync(file, text);
    return fault === undefined ? [] : [unwritable(fault)];
  } catch (error) {
    return [unwritable(`cannot write ${file}: ${messageOf(error)}`)];
  }
}

export const unwritable = (message: string): Report => ({
  code: 'unwritable-file',
  message: trusted.error(message),
  path: [],
});
