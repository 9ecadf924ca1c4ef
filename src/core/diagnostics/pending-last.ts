import { codes } from './codes.ts';
import { isError, type Report } from './diagnostic.ts';

const isPending = (report: Report): boolean => isError(report) && codes[report.code].stage === 'pending';

/** Moves pending errors after those that no live object fixes, because those must be fixed first. */
export function pendingLast(reports: readonly Report[]): readonly Report[] {
  if (!reports.some((report) => isError(report) && !isPending(report))) return reports;
  return [...reports.filter((report) => !isPending(report)), ...reports.filter(isPending)];
}
