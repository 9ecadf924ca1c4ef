import { codes, isError, type Report } from '../../core/diagnostics/index.ts';

/** What a validation says of what waits for a cluster: a reference that finds nothing may be a slip of the pen. */
export function foldReports(reports: readonly Report[]): Report[] {
  // That nothing is rendered is of no concern here.
  return reports
    .filter(({ code }) => code !== 'no-instances')
    .map((report) => {
      if (report.code === 'service-name') return { ...report, severity: 'warning' };
      if (codes[report.code].stage !== 'pending' || report.code === 'passed-through') return report;
      return { ...report, severity: report.code === 'pending-reference' ? 'warning' : 'info' };
    });
}

/**
 * Leaves out what follows from something that could not be read: where an RGD has a misspelt kind or does not parse,
 * nothing defines the kind of its instances. A text that was not read explains the kinds that it names, and a file
 * without a text any kind.
 */
export function withoutConsequences(reports: readonly Report[]): readonly Report[] {
  const unread = reports.filter((report) => isError(report) && codes[report.code].stage === 'parse');
  if (unread.length === 0) return reports;
  const texts = new Set(unread.map(({ source }) => source?.text));
  const named = new Set([...texts].flatMap((text = '') => text.match(/\w+/g) ?? []));
  const isExplained = ({ object = '' }: Report): boolean =>
    texts.has(undefined) || named.has(object.split('/', 1)[0] ?? '');
  return reports.filter(
    (report) => report.code !== 'undefined-kind' || report.severity !== 'warning' || !isExplained(report),
  );
}

/** That a value is known to a cluster only is as it should be: `pending` lists what is awaited. */
export const isPending = ({ code, severity }: Report): boolean => code.startsWith('pending-') && severity === 'info';
