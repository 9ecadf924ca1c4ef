import { isError, type Report } from '../diagnostics/diagnostic.ts';
import { formatDiagnostics, formatDiagnosticsJson } from '../diagnostics/format.ts';
import { toDiagnostics } from '../diagnostics/shown.ts';

/** The reports as they are printed: each with its place, which is worked out only now. */
export function diagnosticsText(reports: readonly Report[], form: 'text' | 'json'): string {
  if (reports.length === 0) return form === 'json' ? '[]\n' : '';
  const diagnostics = toDiagnostics(reports);
  if (form === 'json') return formatDiagnosticsJson(diagnostics);
  return formatDiagnostics(
    diagnostics,
    new Map(reports.flatMap(({ source }) => (source ? [[source.file, source.text]] : []))),
  );
}

/** The reports for runners, which show the first lines, or all when the exit code is not 0: errors first, no infos. */
export function runnerText(reports: readonly Report[]): string {
  const warnings = reports.filter(({ severity }) => severity === 'warning');
  return diagnosticsText([...reports.filter(isError), ...warnings], 'text');
}
