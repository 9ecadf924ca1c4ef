// Which of several reports are shown: those that nothing else explains, each once.
import { formatPath } from '../model/value.ts';
import { codes, isError, type Report } from './diagnostic.ts';

/**
 * Removes reports whose cause another one names. An unread text explains that the kinds that it names are undefined, a
 * file without a text explains any kind, and a value that an instance lacks that an expression reads it unguarded.
 */
export function withoutConsequences(reports: readonly Report[]): readonly Report[] {
  const unread = reports.filter((report) => isError(report) && codes[report.code].stage === 'parse');
  const texts = new Set(unread.map(({ source }) => source?.text));
  const named = new Set([...texts].flatMap((text = '') => text.match(/\w+/g) ?? []));
  const lacking = new Set(reports.filter(({ code }) => code === 'missing-in-instance').map(placeOf));
  const isExplained = (report: Report): boolean => {
    if (report.code === 'lint-optional-read-unguarded') return lacking.has(placeOf(report));
    if (report.code !== 'undefined-kind' || unread.length === 0) return false;
    return texts.has(undefined) || named.has(report.subject?.kind ?? '');
  };
  return unread.length === 0 && lacking.size === 0 ? reports : reports.filter((report) => !isExplained(report));
}

/** Joins lists of reports, without those of an earlier list. Files of versions are not compared, and errors all count. */
export function joinReports(lists: readonly (readonly Report[])[], compares: 'files' | 'versions'): Report[] {
  const known = new Set<string>();
  const keyOf = ({ code, severity, object, namespace, node, path, offset, source, instance }: Report): string => {
    const files = compares === 'files' && [source?.file, instance?.file];
    const documents = [source?.document, instance?.document];
    return JSON.stringify([code, severity, object, namespace, node, path, offset, files, documents]);
  };
  return lists.flatMap((list) => {
    const left = list.filter((one) => (compares === 'versions' && isError(one)) || !known.has(keyOf(one)));
    for (const one of list) known.add(keyOf(one));
    return left;
  });
}

const placeOf = ({ source, path }: Report): string => `${source?.file}\0${source?.document}\0${formatPath(path)}`;

/** Returns the reports that the user wants: with `verbose` also notes about intended effects. */
export const wanted = (
  reports: readonly Report[],
  { quiet, verbose }: { quiet: boolean; verbose: boolean },
): Report[] => reports.filter((report) => isError(report) || (!quiet && (verbose || report.code !== 'node-skipped')));
