import { type Code, isError, type Report } from './diagnostic.ts';

const PENDING: ReadonlySet<string> = new Set<Code>([
  'pending-value',
  'pending-reference',
  'pending-reader',
  'provider-pending',
]);

/** Reports whether a report or a diagnostic is about a value that only a cluster has: `pending` lists those. */
export const isPending = ({ code }: { code: string }): boolean => PENDING.has(code);

/** Moves pending errors after those that no live object fixes, because those must be fixed first. */
export function pendingLast(reports: readonly Report[]): readonly Report[] {
  const isLast = (report: Report): boolean => isError(report) && isPending(report);
  if (!reports.some((report) => isError(report) && !isPending(report))) return reports;
  return [...reports.filter((report) => !isLast(report)), ...reports.filter(isLast)];
}
