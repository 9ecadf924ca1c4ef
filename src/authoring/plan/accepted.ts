import { composeText, type Report, trusted } from '../../core/diagnostics/index.ts';
import { titleOfReviewed } from '../diff/index.ts';
import type { Accepted } from '../rules/index.ts';
import { titleOfApplication } from './application.ts';
import type { Plan, PlannedDanger } from './result.ts';

/** Marks the dangers that entries of a render-rgd.yaml accept, and reports the entries that no longer apply. */
export function acceptDangers(plan: Plan, accepted: readonly Accepted[]): { plan: Plan; reports: Report[] } {
  const used = new Set<Accepted>();
  const dangers = plan.dangers.map((danger): PlannedDanger => {
    const entry = accepted.find((one) => accepts(one, danger));
    if (entry === undefined) return danger;
    used.add(entry);
    return { ...danger, accepted: trusted.argument(entry.reason) };
  });
  const reports = accepted
    .filter((one) => !used.has(one))
    .map(({ application, object, danger }): Report => {
      const what = object === '' ? application : `${object} in ${application}`;
      const message = composeText`there is no ${trusted.argument(danger)} of ${trusted.argument(what)} to accept`;
      return { code: 'accepted-unused', severity: 'warning', message, path: [] };
    });
  return { plan: { ...plan, dangers }, reports };
}

function accepts({ application, object, danger }: Accepted, found: PlannedDanger): boolean {
  const side = found.change?.before ?? found.change?.after;
  const names = [found.application.name, titleOfApplication(found.application)];
  const isOfObject = side === undefined ? object === '' : object === titleOfReviewed(side);
  return found.code === danger && names.includes(application) && isOfObject;
}
