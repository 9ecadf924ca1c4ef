import { codeEntry } from './codes.ts';
import { isError, type Report } from './diagnostic.ts';

const waits = (report: Report): boolean => isError(report) && codeEntry(report.code).stage === 'pending';

/** Errors that wait for live objects go behind those that no live object mends: people have to see these first. */
export function waitsLast(reports: readonly Report[]): readonly Report[] {
  if (!reports.some((report) => isError(report) && !waits(report))) return reports;
  return [...reports.filter((report) => !waits(report)), ...reports.filter(waits)];
}
