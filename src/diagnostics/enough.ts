import { isError, type Report } from './diagnostic.ts';

/** As many errors as anybody reads. What is found after them is found again when these are mended. */
export const MAX_ERRORS = 1000;

/** How far the reports of a rendering were counted. */
const counted = new WeakMap<readonly Report[], { upTo: number; errors: number }>();

/** Whether there are so many errors that looking for more, and for hints about them, is in vain. */
export function hasEnough(reports: readonly Report[]): boolean {
  if (reports.length < MAX_ERRORS) return false;
  const count = counted.get(reports) ?? { upTo: 0, errors: 0 };
  for (; count.upTo < reports.length; count.upTo += 1) {
    const report = reports[count.upTo];
    if (report !== undefined && isError(report)) count.errors += 1;
  }
  counted.set(reports, count);
  return count.errors >= MAX_ERRORS;
}
