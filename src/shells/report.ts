import { writeFileSync } from 'node:fs';
import { type ReportFormat, type ReportInput, writeReport } from '../reports/index.ts';
import { visible } from '../text/visible.ts';
import type { Io } from './io.ts';

/** Where a report goes; standard output without a file. */
export interface ReportTarget {
  format: ReportFormat;
  file: string | undefined;
}

/**
 * What `--report` asks for, or what is wrong with it. One report goes to standard output: that without a file, else the
 * text for people.
 */
export function reportTargets(given: readonly string[]): ReportTarget[] | { fault: string } {
  const targets = given.map((one): ReportTarget => {
    const equals = one.indexOf('=');
    const format = (equals < 0 ? one : one.slice(0, equals)) as ReportFormat;
    return { format, file: equals < 0 ? undefined : one.slice(equals + 1) };
  });
  const printed = targets.filter(({ file }) => file === undefined);
  if (printed.length > 1) {
    const formats = printed.map(({ format }) => format).join(' and ');
    return { fault: `--report: ${formats} would both go to standard output; give one of them a file: FORMAT=FILE` };
  }
  return printed.length === 1 ? targets : [...targets, { format: 'text', file: undefined }];
}

/** Writes all reports; false, and said so, when a file cannot be written. */
export function writeReports(
  targets: readonly ReportTarget[],
  input: ReportInput,
  io: Io,
  text: (input: ReportInput) => string = (given) => writeReport('text', given),
): boolean {
  // All are made before the first one goes out.
  const made = targets.map(({ format, file }) => {
    const given = file === undefined ? input : { ...input, colors: false };
    return { file, text: format === 'text' ? text(given) : writeReport(format, given) };
  });
  let written = true;
  for (const { file, text: report } of made) {
    if (file === undefined) io.stdout([report]);
    else written = writeText(file, report, io) && written;
  }
  return written;
}

/** Writes a file; false, and said so, when that cannot be. */
export function writeText(file: string, text: string, io: Io): boolean {
  try {
    writeFileSync(file, text);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    io.stderr(visible(`render-rgd: cannot write ${file}: ${reason}\n`));
    return false;
  }
}
