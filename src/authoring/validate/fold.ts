import { codes, isError, type Report } from '../../core/diagnostics/index.ts';

/** Converts reports of pending nodes for validation: a reference to nothing may be a typing error. */
export function foldReports(reports: readonly Report[]): Report[] {
  // An empty rendering does not matter here.
  return reports
    .filter(({ code }) => code !== 'no-instances')
    .map((report) => {
      if (report.code === 'service-name') return { ...report, severity: 'warning' };
      if (codes[report.code].stage !== 'pending' || report.code === 'passed-through') return report;
      return { ...report, severity: report.code === 'pending-reference' ? 'warning' : 'info' };
    });
}

/**
 * Removes consequences of unread text: if an RGD has a misspelled kind or does not parse, the kind of its instances is
 * undefined. An unread text explains the kinds that it names, and a file without a text any kind.
 */
export function withoutConsequences(reports: readonly Report[]): readonly Report[] {
  const unread = reports.filter((report) => isError(report) && codes[report.code].stage === 'parse');
  if (unread.length === 0) return reports;
  const texts = new Set(unread.map(({ source }) => source?.text));
  const named = new Set([...texts].flatMap((text = '') => text.match(/\w+/g) ?? []));
  const isExplained = ({ object }: Report): boolean =>
    texts.has(undefined) || named.has(object?.split('/', 1)[0] ?? '');
  return reports.filter(
    (report) => report.code !== 'undefined-kind' || report.severity !== 'warning' || !isExplained(report),
  );
}

/** Reports whether a report is about a pending value, which is not an error: `pending` lists them. */
export const isPending = ({ code, severity }: Report): boolean => code.startsWith('pending-') && severity === 'info';
