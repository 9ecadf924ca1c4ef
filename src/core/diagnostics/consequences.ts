import { formatPath } from '../model/path.ts';
import { codes } from './codes.ts';
import { isError, type Report } from './diagnostic.ts';

/**
 * Removes reports whose cause another one names. If an RGD has a misspelled kind or does not parse, the kind of its
 * instances is undefined: an unread text explains the kinds that it names, and a file without a text any kind. A value
 * that an instance lacks explains that an expression reads it without a guard.
 */
export function withoutConsequences(reports: readonly Report[]): readonly Report[] {
  const unread = reports.filter((report) => isError(report) && codes[report.code].stage === 'parse');
  const texts = new Set(unread.map(({ source }) => source?.text));
  const named = new Set([...texts].flatMap((text = '') => text.match(/\w+/g) ?? []));
  const lacking = new Set(reports.filter(({ code }) => code === 'missing-in-instance').map(placeOf));
  const isExplained = (report: Report): boolean => {
    if (report.code === 'lint-optional-read-unguarded') return lacking.has(placeOf(report));
    if (report.code !== 'undefined-kind' || unread.length === 0) return false;
    return texts.has(undefined) || named.has(report.object?.split('/', 1)[0] ?? '');
  };
  return unread.length === 0 && lacking.size === 0 ? reports : reports.filter((report) => !isExplained(report));
}

const placeOf = ({ source, path }: Report): string => `${source?.file}\0${source?.document}\0${formatPath(path)}`;
