import { isError, type Listed, type Report } from './diagnostic.ts';
import { publicText } from './message.ts';

/** The maximum number of subjects in a line. */
const MAX_SUBJECTS = 20;

/** The fields of reports and diagnostics that folding reads. */
export type Foldable = Pick<Report, 'code' | 'severity' | 'alike' | 'listed'> & { message: string; hint?: string };

/** One line for several subjects, without a location. */
export type Line = Required<Pick<Report, 'code' | 'severity' | 'message' | 'hint'>>;

/** Moves the listed warnings and infos after all others, as one line for each code and severity. */
export function listTogether<T extends Foldable>(all: readonly T[], bare: (line: Line) => T): T[] {
  const groups = new Map<string, (T & { listed: Listed })[]>();
  for (const one of all.filter(isListed)) {
    const key = `${one.severity} ${one.code}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...all.filter((one) => !isListed(one)), ...[...groups.values()].map((group) => oneOf(group, bare))];
}

/** Reports whether it is listed with others of its code. Errors must be fixed one by one. */
const isListed = <T extends Foldable>(one: T): one is T & { listed: Listed } =>
  one.listed !== undefined && !isError(one);

function oneOf<T extends Foldable>(group: readonly (T & { listed: Listed })[], bare: (line: Line) => T): T {
  const [first] = group as [T & { listed: Listed }];
  if (group.length === 1) return first;
  const { code, severity = 'error', listed } = first;
  const subjects = [...new Set(group.map((one) => one.listed.subject))];
  const more = subjects.length - MAX_SUBJECTS;
  const named = [...subjects.slice(0, MAX_SUBJECTS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  // Without items the command covers everything.
  const items = more > 0 ? [] : [...new Set(group.map((one) => `${one.listed.item} `))];
  const notes = [...new Set(group.flatMap((one) => one.listed.note ?? []))].slice(0, MAX_SUBJECTS);
  const hint = publicText`${[...notes, listed.hint.replace('ITEMS ', () => items.join(''))].join('; ')}`;
  return bare({ code, severity, message: publicText`${listed.message}: ${named}`, hint });
}
