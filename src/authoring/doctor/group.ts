import { publicText, type Report } from '../../core/diagnostics/index.ts';

const MOST = 5;

/** Combines the reports of many objects of a kind into one, with the names of the others. */
export function groupSimilar(reports: readonly Report[]): Report[] {
  const groups = new Map<string, Report[]>();
  for (const report of reports) {
    const key = keyOf(report);
    groups.set(key, [...(groups.get(key) ?? []), report]);
  }
  return reports.flatMap((report) => {
    const [first, ...others] = groups.get(keyOf(report)) ?? [];
    if (first !== report) return [];
    if (others.length === 0) return [report];
    const names = others.slice(0, MOST).map(({ object = '' }) => object.slice(object.indexOf('/') + 1));
    const more = others.length > MOST ? ', ...' : '';
    const message = publicText`${report.message} (and ${others.length} more of this kind: ${names.join(', ')}${more})`;
    const hint = report.hint ?? others.find((one) => one.hint !== undefined)?.hint;
    return [{ ...report, message, ...(hint === undefined ? {} : { hint }) }];
  });
}

const keyOf = ({ code, severity = 'error', message, object, node, path }: Report): string =>
  code === 'not-rendered' && object !== undefined
    ? JSON.stringify([code, severity, message, object.split('/', 1)[0]])
    : JSON.stringify([code, severity, message, object ?? '', node ?? '', path]);
