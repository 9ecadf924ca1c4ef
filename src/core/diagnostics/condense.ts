import { isError, type Report } from './diagnostic.ts';
import { type Foldable, type Line, listTogether } from './listed.ts';
import { publicText } from './message.ts';

/**
 * Folds reports or diagnostics for people. Warnings and infos with the same `alike` become one at the first location,
 * with the count; `listed` ones become a last line, which `bare` creates. Errors stay separate, because each of their
 * locations must be fixed.
 */
export const condenseWith = <T extends Foldable>(all: readonly T[], bare: (line: Line) => T): T[] =>
  listTogether(withoutRepeats(all), bare);

/** Returns reports as people read them. */
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

/** Which reports the user wants. */
export interface Attention {
  /** Errors only. */
  quiet: boolean;
  /** Also notes about intended effects, such as nodes that includeWhen leaves out. */
  verbose: boolean;
}

/** Returns the reports that the user wants. */
export const wanted = (reports: readonly Report[], { quiet, verbose }: Attention): Report[] =>
  reports.filter((report) => isError(report) || (!quiet && (verbose || report.code !== 'node-skipped')));
