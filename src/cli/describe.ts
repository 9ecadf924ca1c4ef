import type { ReportInput } from '../authoring/reports/index.ts';
import { condense, isError, type Report } from '../core/diagnostics/index.ts';
import { formatDiagnostics, toDiagnostics } from '../yaml/locate/index.ts';

/** Reports with their places, which are worked out only now, and the texts that the places are in. */
export const located = (reports: readonly Report[]): Pick<ReportInput, 'diagnostics' | 'sources'> => ({
  diagnostics: toDiagnostics(reports),
  sources: new Map(reports.flatMap(({ source }) => (source ? [[source.file, source.text]] : []))),
});

/** The reports for runners, which show the first lines, or all when the exit code is not 0: errors first, no infos. */
export function runnerText(reports: readonly Report[]): string {
  const warnings = reports.filter(({ severity }) => severity === 'warning');
  const { diagnostics, sources } = located(condense([...reports.filter(isError), ...warnings]));
  return formatDiagnostics(diagnostics, sources);
}
