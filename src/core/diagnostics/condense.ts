import { isError, type Report } from './diagnostic.ts';
import { type Foldable, type Line, listTogether } from './listed.ts';
import { publicText } from './message.ts';

/**
 * Reports, or diagnostics that know as much, as people read them. Warnings and infos that say one thing of many places
 * (`alike`) become one at the first place, with the count; those that are `listed` become one line, the last one, which
 * `bare` makes. Errors stay: each of their places has to be fixed.
 */
export const condenseWith = <T extends Foldable>(all: readonly T[], bare: (line: Line) => T): T[] =>
  listTogether(withoutRepeats(all), bare);

/** Reports as people read them. */
export const condense = (reports: readonly Report[]): Report[] =>
  condenseWith(reports, (line) => ({ ...line, path: [] }));

function withoutRepeats<T extends Foldable>(all: readonly T[]): T[] {
  const counts = new Map<string, number>();
  for (const one of all) {
    const key = keyOf(one);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return all.flatMap((one) => {
    const key = keyOf(one);
    if (key === undefined) return [one];
    const count = counts.get(key);
    if (count === undefined) return [];
    counts.delete(key);
    return [count === 1 ? one : { ...one, message: publicText`${one.message} (${count} times)` }];
  });
}

const keyOf = (one: Foldable): string | undefined =>
  one.alike === undefined || isError(one) ? undefined : `${one.severity} ${one.code} ${one.alike}`;

/** Whom a report is for. */
export interface Attention {
  /** Errors only. */
  quiet: boolean;
  /** Also what is as the author wants it, such as nodes that includeWhen leaves out. */
  verbose: boolean;
}

/** The reports that somebody wants to see. */
export const wanted = (reports: readonly Report[], { quiet, verbose }: Attention): Report[] =>
  reports.filter((report) => isError(report) || (!quiet && (verbose || report.code !== 'node-skipped')));
