import type { ReportInput } from '../authoring/reports/index.ts';
import { condense, isError, type Report } from '../core/diagnostics/index.ts';
import { formatDiagnostics, toDiagnostics } from '../yaml/locate/index.ts';

/** Returns reports with their locations, which are computed now, and the texts of the locations. */
export const located = (reports: readonly Report[]): Pick<ReportInput, 'diagnostics' | 'sources'> => ({
  diagnostics: toDiagnostics(reports),
  sources: new Map(reports.flatMap(({ source }) => (source ? [[source.file, source.text]] : []))),
});

/**
 * Returns the reports for runners, which show the first lines, or all if the exit code is not 0: errors first, no
 * infos.
 */
export function runnerText(reports: readonly Report[]): string {
  const warnings = reports.filter(({ severity }) => severity === 'warning');
  const { diagnostics, sources } = located(condense([...reports.filter(isError), ...warnings]));
  return formatDiagnostics(diagnostics, sources);
}
