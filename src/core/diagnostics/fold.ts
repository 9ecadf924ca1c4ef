// Folding: several reports of one kind become one, for people.
import { groupBy } from '../model/group-by.ts';
import { isError, type Listed, type Report, type Severity } from './diagnostic.ts';
import { composeText, joinTexts, mapText, type Text } from './message.ts';
import { isPending } from './pending.ts';

const MAX_SUBJECTS = 20;

/** The fields of reports and diagnostics that folding reads. */
export type Foldable = Pick<Report, 'code' | 'severity' | 'alike' | 'listed'> & {
  message: string;
  hint?: string | undefined;
};

/** One line for several subjects, without a location. */
export type Line = Pick<Report, 'code' | 'message'> & { severity: Severity; hint: Text };

const isListed = <T extends Foldable>(one: T): one is T & { listed: Listed } =>
  one.listed !== undefined && !isError(one);

function oneOf<T extends Foldable>(group: readonly (T & { listed: Listed })[], bare: (line: Line) => T): T {
  const [first] = group as [T & { listed: Listed }];
  if (group.length === 1) return first;
  const { code, severity = 'error', listed } = first;
  const subjects = [...new Set(group.map((one) => one.listed.subject))];
  const more = subjects.length - MAX_SUBJECTS;
  const named = joinTexts([...subjects.slice(0, MAX_SUBJECTS), ...(more > 0 ? [composeText`${more} more`] : [])], ', ');
  // Without items the command covers everything.
  const items = more > 0 ? [] : [...new Set(group.map((one) => `${one.listed.item} `))];
  const notes = [...new Set(group.flatMap((one) => one.listed.note ?? []))].slice(0, MAX_SUBJECTS);
  const command = mapText(listed.hint, (words) => words.replace('ITEMS ', () => items.join('')));
  const hint = joinTexts([...notes, command], '; ');
  return bare({ code, severity, message: composeText`${listed.message}: ${named}`, hint });
}

/** Reports whether one change elsewhere fixes all of its kind: an RGD that is added, or an object that is observed. */
const isFixedElsewhere = ({ code }: Foldable): boolean => code === 'undefined-kind' || isPending({ code });

/**
 * Folds reports or diagnostics for people. Those with the same `alike` become one at the first location, with the count;
 * `listed` ones become a last line for each code and severity, which `bare` creates. Errors stay separate if each of
 * their locations must be fixed.
 */
export function condenseWith<T extends Foldable>(all: readonly T[], bare: (line: Line) => T): T[] {
  const keyOf = (one: T): string | undefined =>
    one.alike === undefined || (isError(one) && !isFixedElsewhere(one))
      ? undefined
      : `${one.severity} ${one.code} ${one.alike}`;
  const alike = groupBy(all, keyOf);
  const different = all.flatMap((one) => {
    const group = alike.get(keyOf(one) ?? '') ?? [one];
    if (one !== group[0]) return [];
    return [group.length === 1 ? one : { ...one, message: `${one.message} (${group.length} times)` }];
  });
  const listed = groupBy(different.filter(isListed), ({ severity, code }) => `${severity} ${code}`);
  return [...different.filter((one) => !isListed(one)), ...[...listed.values()].map((group) => oneOf(group, bare))];
}

export const condense = (reports: readonly Report[]): Report[] =>
  condenseWith(reports, (line) => ({ ...line, path: [] }));

/** Folds reports for a program that shows them beside their objects: each object that one change elsewhere fixes stays. */
export const condenseByObject = (reports: readonly Report[]): Report[] =>
  condense(reports.map((one) => (isFixedElsewhere(one) ? { ...one, alike: undefined } : one)));
