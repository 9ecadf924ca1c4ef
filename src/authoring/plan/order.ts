import { isPlain } from './causes.ts';
import { DANGERS } from './dangers/index.ts';
import type { Plan, PlannedApplication, PlannedChange } from './result.ts';

/** Sorts a plan: errors come first, then what loses most, and last what is not rendered. Equal ones keep their order. */
export function inOrder(plan: Plan): Plan {
  const severity = new Map<unknown, number>();
  for (const { code, change, application } of plan.dangers) {
    for (const one of [change, application]) {
      severity.set(one, Math.min(severity.get(one) ?? 1, DANGERS.indexOf(code) / DANGERS.length));
    }
  }
  const rankOf = (change: PlannedChange): number =>
    severity.get(change) ?? CHANGES.findIndex((fits) => fits(change)) + 1;
  const worst = (changes: readonly PlannedChange[]): number =>
    changes.reduce((least, change) => Math.min(least, rankOf(change)), MOST);
  const applicationRank = ({ error, isForeign, event, application, changes }: PlannedApplication): number => {
    if (error !== undefined) return isForeign ? MOST : 0;
    if (event === 'removed') return 1;
    const danger = severity.get(application);
    return danger === undefined ? 3 + worst(changes) : 2 + danger;
  };
  return {
    ...plan,
    dangers: sortedBy(plan.dangers, ({ code }) => DANGERS.indexOf(code)),
    applications: sortedBy(plan.applications, applicationRank),
    groups: sortedBy(
      plan.groups.map((group) => ({ ...group, changes: sortedBy(group.changes, rankOf) })),
      ({ changes }) => worst(changes),
    ),
  };
}

/** Greater than every rank. */
const MOST = 10;

/** The kinds of changes, the most destructive first; a removed object may stay in the cluster. */
const CHANGES: readonly ((change: PlannedChange) => boolean)[] = [
  ({ change, fate }) => change === 'removed' && (fate === undefined || isPlain(fate) || fate.word === 'deleted'),
  ({ change }) => change === 'replaced',
  ({ change }) => change === 'removed',
  ({ change }) => change === 'changed',
  ({ change }) => change === 'added',
];

function sortedBy<T>(items: readonly T[], rank: (item: T) => number): T[] {
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
