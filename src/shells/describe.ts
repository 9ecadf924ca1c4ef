import { condense, isError, type Report, wanted } from '../diagnostics/index.ts';
import { formatDiagnostics, formatDiagnosticsJson, toDiagnostics } from '../locate/index.ts';
import type { Settings } from '../options/index.ts';

/** The reports as they are printed: each with its place, which is worked out only now. */
export function diagnosticsText(all: readonly Report[], form: 'text' | 'json'): string {
  // Programs count for themselves.
  const reports = form === 'json' ? all : condense(all);
  if (reports.length === 0) return form === 'json' ? '[]\n' : '';
  const diagnostics = toDiagnostics(reports);
  if (form === 'json') return formatDiagnosticsJson(diagnostics);
  return formatDiagnostics(
    diagnostics,
    new Map(reports.flatMap(({ source }) => (source ? [[source.file, source.text]] : []))),
  );
}

/** The settings that say which reports are printed, and how. */
export type Reporting = 'diagnostics' | 'quiet' | 'verbose';

/** The reports that the settings ask for; programs get the infos that people rarely want. */
export const reportsText = (
  reports: readonly Report[],
  { diagnostics, quiet, verbose }: Pick<Settings, Reporting>,
): string => diagnosticsText(wanted(reports, { quiet, verbose: verbose || diagnostics === 'json' }), diagnostics);

/** The reports for runners, which show the first lines, or all when the exit code is not 0: errors first, no infos. */
export function runnerText(reports: readonly Report[]): string {
  const warnings = reports.filter(({ severity }) => severity === 'warning');
  return diagnosticsText([...reports.filter(isError), ...warnings], 'text');
}
