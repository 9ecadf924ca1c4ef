import type { Report } from '../diagnostics/diagnostic.ts';
import { formatDiagnostics, formatDiagnosticsJson } from '../diagnostics/format.ts';
import { toDiagnostic } from '../diagnostics/resolve.ts';
import { createLocator } from '../parse/locate.ts';

/** Finds the place of every report and writes them down. */
export function describe(reports: readonly Report[], form: 'text' | 'json'): string {
  const locator = createLocator();
  const diagnostics = reports.map((report) => toDiagnostic(report, locator));
  if (form === 'json') return formatDiagnosticsJson(diagnostics);
  return formatDiagnostics(
    diagnostics,
    new Map(reports.flatMap(({ source }) => (source ? [[source.file, source.text]] : []))),
  );
}
