import { codeEntry, type Report } from '../diagnostics/index.ts';

/** What a validation says of what waits for a cluster: a reference that finds nothing may be a slip of the pen. */
export function told(reports: readonly Report[]): Report[] {
  // That nothing is rendered is of no concern here.
  return reports
    .filter(({ code }) => code !== 'no-instances')
    .map((report) => {
      if (codeEntry(report.code).stage !== 'pending' || report.code === 'passed-through') return report;
      return { ...report, severity: report.code === 'pending-reference' ? 'warning' : 'info' };
    });
}
