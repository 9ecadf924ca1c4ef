import type { LiveChange } from './live.ts';
import type { PlanAnswer } from './requests.ts';

/** The answers of the API server and kro to a pull request. */
export interface Reality {
  change: LiveChange;
  /** Why objects were rejected: by the API server, or by kro. */
  refused: readonly string[];
}

export type Kind = 'equal' | 'announced' | 'invalid' | 'open';

/** Codes of dangers that say that an object cannot be changed in place. */
const REFUSALS: readonly string[] = ['breaking-change', 'danger-immutable-field'];

/**
 * Compares what `plan` prints with what happened. A rejected change is announced if an application has an error, or if a
 * danger announces it, and invalid if `validate` reports it (`isInvalid`): `plan` does not validate objects.
 * The objects of a rejected change stay partly as they were, and are not compared.
 */
export function comparePlan(
  { applications, dangers }: PlanAnswer,
  { change, refused }: Reality,
  isInvalid: () => boolean,
): Kind {
  const isRefusedHere = applications.some(({ error }) => error !== undefined);
  const isAnnounced = dangers.some(({ code }) => REFUSALS.includes(code));
  if (refused.length > 0) {
    if (isRefusedHere || isAnnounced) return 'announced';
    return isInvalid() ? 'invalid' : 'open';
  }
  if (isRefusedHere) return 'open';
  const planned = plannedChange({ applications, dangers });
  const isMoved = (one: string): boolean => planned.moved.includes(one);
  // Whether an object changes that another application takes over is not part of the lists.
  const changed = change.changed.filter((one) => !isMoved(one));
  const { moved: _, ...lists } = planned;
  return JSON.stringify(lists) === JSON.stringify({ ...change, changed }) ? 'equal' : 'open';
}

/** The objects that a plan lists, of all applications; `moved` are those that another application takes over. */
export function plannedChange({ applications }: PlanAnswer): LiveChange & { moved: string[] } {
  const titles = (pick: 'added' | 'changed' | 'removed'): string[] =>
    applications
      .flatMap((one) => one[pick])
      .map(({ apiVersion, kind, namespace, name }) => [apiVersion, kind, namespace, name].join(' '))
      .sort();
  const [added, removed] = [titles('added'), titles('removed')];
  const moved = added.filter((one) => removed.includes(one));
  const isLeft = (one: string): boolean => !moved.includes(one);
  return { added: added.filter(isLeft), changed: titles('changed'), removed: removed.filter(isLeft), moved };
}
