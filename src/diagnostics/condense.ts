import { isError, type Report } from './diagnostic.ts';

/**
 * Warnings and infos that say one thing of many places (`alike`) become one at the first place, with the count. Errors
 * stay: each of their places has to be mended.
 */
export function condense(reports: readonly Report[]): Report[] {
  const counts = new Map<string, number>();
  for (const report of reports) {
    const key = keyOf(report);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return reports.flatMap((report) => {
    const key = keyOf(report);
    if (key === undefined) return [report];
    const count = counts.get(key);
    if (count === undefined) return [];
    counts.delete(key);
    return [count === 1 ? report : { ...report, message: `${report.message} (${count} times)` }];
  });
}

const keyOf = (report: Report): string | undefined =>
  report.alike === undefined || isError(report) ? undefined : `${report.severity} ${report.code} ${report.alike}`;

/** Whom a report is for. */
export interface Attention {
  /** Errors only. */
  quiet: boolean;
  /** Also what is as the author wants it, such as nodes that includeWhen leaves out. */
  verbose: boolean;
}

/** The reports that somebody wants to see. */
export const wanted = (reports: readonly Report[], { quiet, verbose }: Attention): Report[] =>
  reports.filter((report) => isError(report) || (!quiet && (verbose || report.code !== 'node-skipped')));
