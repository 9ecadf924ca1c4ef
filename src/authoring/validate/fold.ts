import { isPending, type Report } from '../../core/diagnostics/index.ts';

/**
 * Converts the reports of a rendering for validation, which prints nothing: what is left out of the output does not
 * matter. Pending values and references are warnings, and nodes that only read pending ones infos.
 */
export function foldReports(reports: readonly Report[]): Report[] {
  return reports
    .filter(({ code }) => code !== 'no-instances' && code !== 'owner-reference')
    .map((report) => (report.code === 'pending-reader' ? { ...report, severity: 'info' } : report));
}

/** Reports whether a folded report is only a consequence of a pending value. */
export const isOnlyPending = (report: Report): boolean => isPending(report) && report.severity === 'info';
